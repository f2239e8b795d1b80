module cobaltcore/tools/gardener

go 1.26.5

toolchain go1.26.8

require (
	github.com/gardener/gardener v1.150.0
	github.com/gardener/gardener/pkg/apis v1.150.0
)

// As Gardener's own go.mod does by path.
replace github.com/gardener/gardener/pkg/apis => github.com/gardener/gardener/pkg/apis v1.150.0
