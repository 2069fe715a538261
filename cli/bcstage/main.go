// Command bcstage computes exact betweenness centrality of an edge table.
package main

import (
	"context"
	"os"

	"bcstage/cli"
)

// The manual page and the completions follow from the flag tables; .ci/run
// fails when what is kept under docs has fallen behind.
//
//go:generate sh -c "go run -buildvcs=false . manual > ../../docs/bcstage.1"
//go:generate sh -c "go run -buildvcs=false . completion bash > ../../docs/completion/bcstage.bash"
//go:generate sh -c "go run -buildvcs=false . completion zsh > ../../docs/completion/_bcstage"
//go:generate sh -c "go run -buildvcs=false . completion fish > ../../docs/completion/bcstage.fish"

func main() {
	collectLate()
	os.Exit(cli.Main(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr))
}
