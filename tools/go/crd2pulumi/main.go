// crd-schema prints the Pulumi package schema of the CRD files that it is given: crd2pulumi's own engine,
// without its Python writer, which is broken against today's SDK. crds/generate.py completes the schema.
package main

import (
	"fmt"
	"os"

	"github.com/pulumi/crd2pulumi/gen"
)

func main() {
	if err := printSchema(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func printSchema(files []string) error {
	gen.Version = "0.0.0" // the engine wants one; generate.py sets the real one
	generator, err := gen.NewPackageGenerator(files)
	if err != nil {
		return err
	}
	schema, err := generator.SchemaPackageWithObjectMetaType().MarshalJSON()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(schema)
	return err
}
