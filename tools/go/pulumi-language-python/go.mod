module cobaltcore/tools/pulumi-language-python

go 1.25.0

// Not Go 1.26: it changed filepath.Rel, and this version's Python generator then writes
// "from . import _utilities" one level too shallow.
toolchain go1.25.11

require (
	github.com/pulumi/pulumi/pkg/v3 v3.188.0
	github.com/pulumi/pulumi/sdk/python/cmd/pulumi-language-python/v3 v3.0.0-20250806165243-bee5e4fa4815
	github.com/pulumi/pulumi/sdk/v3 v3.188.0
)

replace github.com/atotto/clipboard => github.com/tgummerer/clipboard v0.0.0-20241001131231-d02d263e614e
