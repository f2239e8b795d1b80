// The Kubernetes provider. Its own main embeds two files that its module zip lacks; this one embeds the
// schema that the zip does have. tools/build.py puts schema.json beside this file before it builds.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
)

var version string // stamped by tools/programs.toml

//go:embed schema.json
var schema []byte

func main() {
	provider.Serve("kubernetes", version, schema, nil)
}
