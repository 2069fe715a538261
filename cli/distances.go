package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
)

func (p *process) distancesCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "distances",
		Usage:     "list distances from some sources",
		ArgsUsage: "[FILES...]",
		Description: `Reads edges as run does, and writes a row for every source and each vertex that
it reaches, itself included: "source", "vertex" and "distance", source after
source, near vertices first. Distances are numbers of edges, or with --weight
sums of lengths. Vertices that a source does not reach have no row. Sources are
searched in parallel, and rows are written as they are found: memory depends on
the graph, not on the number of sources. With --trips there is a row for every
pair of that table that a path joins.`,
		UsageText: `bcstage distances edges.parquet --from 17,42 --format csv
bcstage distances edges.parquet --sources from.csv --cutoff 3 -o near.arrow
bcstage distances streets.csv --weight metres --trips trips.csv -o skim.csv`,
		Action: p.distances,
	}
}

func (p *process) distances(c *urfave.Context) error {
	if given := c.String("trips") != ""; given == (c.String("from") != "" || c.String("sources") != "") || c.String("from") != "" && c.String("sources") != "" {
		return usagef(c.Command, "want either --from, --sources or --trips")
	}
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	out, err := p.rowsOf(c)
	if err != nil {
		return err
	}
	progress := p.progress(c, &opts)
	defer progress.end()
	var found *pipeline.Stats
	err = p.create(c.Context, out.path, compressed(out.path, func(w io.Writer) error {
		return arrowio.WriteParts(c.Context, w, out.format, distanceParts(c.Context, opts, c.Bool("paths"), &found))
	}))
	progress.end()
	p.tell(found)
	if err != nil {
		return byFlag(c, err)
	}
	if err := out.writeStats(c.Context, found); err != nil {
		return err
	}
	if progress.wanted() {
		p.console.note(fmt.Sprintf("%s vertices, %s edges, %s sources in %s", figures.Grouped(int64(found.Vertices)), figures.Grouped(found.Edges),
			figures.Grouped(int64(found.Sources.Vertices)), figures.Seconds(found.Seconds.Total)),
			"vertices", found.Vertices, "edges", found.Edges, "sources", found.Sources.Vertices, "seconds", found.Seconds.Total)
	}
	return nil
}

// rowsOf is where a command's rows go that are no scores, and its statistics.
func (p *process) rowsOf(c *urfave.Context) (*destination, error) {
	d := &destination{p: p, path: c.String("output"), stats: c.String("stats")}
	var err error
	if d.format, err = scoreFormat(d.path, tables.Format(c.String("format"))); err != nil {
		return nil, err
	}
	if isBinary(d.format) && d.path == "" && isTerminal(p.stdout) {
		return nil, &usageError{fmt.Sprintf("%s is not written to a terminal", d.format), "--format csv is readable, -o FILE or a pipe takes " + string(d.format)}
	}
	if d.stats != "" {
		d.run = p.circumstances(c)
	}
	return d, p.writable(c.Context, cmp.Or(d.path, "-"), d.stats)
}

// distanceParts runs pipeline.Distances while its parts are ranged over.
func distanceParts(ctx context.Context, opts pipeline.Options, paths bool, stats **pipeline.Stats) func(yield func(tables.Table, error) bool) {
	return func(yield func(tables.Table, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		parts := make(chan tables.Table)
		failed := make(chan error, 1)
		go func() {
			var err error
			*stats, err = pipeline.Distances(ctx, opts, paths, parts)
			failed <- err
		}()
		for part := range parts {
			if !yield(part, nil) {
				stop()
				for range parts {
				}
				<-failed
				return
			}
		}
		if err := <-failed; err != nil {
			yield(tables.Table{}, err)
		}
	}
}
