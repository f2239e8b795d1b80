module cobaltcore/tools/controller-gen

go 1.26.0

toolchain go1.26.8

require (
	github.com/gardener/gardener/pkg/apis v1.150.0
	github.com/ironcore-dev/ironcore v0.5.0
	sigs.k8s.io/controller-tools v0.23.0
)
