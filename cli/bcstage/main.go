// Command bcstage computes exact betweenness centrality of an edge table.
package main

import (
	"context"
	"os"

	"bcstage/cli"
	_ "bcstage/cli/bcstage/internal/garbage" // before the packages of other modules are initialized
)

// The reference and the keywords of the Python package follow from the table of flags; .ci/run
// fails when they have fallen behind.
//
//go:generate go test -count=1 -run TestMadeOfFlags .. -write

func main() {
	os.Exit(cli.Main(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}
