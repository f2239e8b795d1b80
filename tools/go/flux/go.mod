module cobaltcore/tools/flux

go 1.26.0

toolchain go1.26.8

require (
	github.com/fluxcd/helm-controller v1.6.2
	github.com/fluxcd/kustomize-controller v1.9.4
	github.com/fluxcd/source-controller v1.9.3
)

// As the controllers' own go.mod files do.
replace (
	github.com/opencontainers/go-digest => github.com/opencontainers/go-digest v1.0.1-0.20231025023718-d50d2fec9c98
	sigs.k8s.io/kustomize/api => sigs.k8s.io/kustomize/api v0.21.1
	sigs.k8s.io/kustomize/kyaml => sigs.k8s.io/kustomize/kyaml v0.21.1
)
