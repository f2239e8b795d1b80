module cobaltcore/tools/registry

go 1.26.0

toolchain go1.26.8

require github.com/google/go-containerregistry v0.20.6
