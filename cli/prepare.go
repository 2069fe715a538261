package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
	"bcstage/preprocess"
)

func (p *process) prepareCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "prepare",
		Usage:     "read and reduce a graph once, for many runs",
		ArgsUsage: "[FILES...]",
		Description: `Reads edges as run does, reduces the graph, and writes the rest of the work to
one file. Every command takes that file, alone and by its name, in place of the
edges, and maps it instead of reading and reducing: the scores are the same to
the last bit. The --lanes given here hold for every run. A run that asks another
question about these edges (--columns, --cutoff, masses, trips, ...) reads them
from the file, and reduces them again.`,
		UsageText: `bcstage prepare edges.parquet -o graph.bcg
bcstage graph.bcg --shard 0/8 -o 0.arrow
bcstage info graph.bcg`,
		Action: p.prepare,
	}
}

func (p *process) prepare(c *urfave.Context) error {
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	path, stats := c.String("output"), c.String("stats")
	switch {
	case path == "" && isTerminal(p.stdout):
		return usagef(c.Command, "a prepared graph is not written to a terminal; use -o FILE")
	case stats == "-" && (path == "" || path == "-"):
		return usagef(c.Command, "--stats -: stdout has the prepared graph; name a file")
	}
	if err := p.writable(c.Context, cmp.Or(path, "-"), stats); err != nil {
		return err
	}
	progress := p.progress(c, &opts)
	defer progress.end()
	found, err := pipeline.Prepare(c.Context, opts, func(ctx context.Context, graph *preprocess.Prepared) error {
		progress.end()
		return p.create(ctx, path, func(w io.Writer) error { return graph.Write(ctx, w) })
	})
	if err != nil {
		return err
	}
	p.tell(found)
	if stats != "" {
		if err := p.create(c.Context, stats, func(w io.Writer) error { return p.writeJSON(w, found) }); err != nil {
			return err
		}
	}
	if progress.wanted() {
		p.console.note(fmt.Sprintf("%s vertices, %s edges prepared in %s", figures.Grouped(int64(found.Vertices)), figures.Grouped(found.Edges), figures.Seconds(found.Seconds.Total)),
			"vertices", found.Vertices, "edges", found.Edges, "seconds", found.Seconds.Total)
	}
	return nil
}
