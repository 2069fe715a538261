package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
)

func (p *process) distancesCommand() *urfave.Command {
	t := table{environment: "BCSTAGE_"}
	flags := slices.DeleteFunc(t.input(), func(f urfave.Flag) bool {
		return slices.Contains([]string{"sources", "targets", "cutoff"}, nameOf(f))
	})
	flags = append(flags,
		t.text(groupInput, "sources", "`FILE` vertices to search from: ids in the first column"),
		t.text(groupInput, "from", "`IDS` vertices to search from, with commas between them"),
		t.text(groupInput, "cutoff", "`K` only vertices at a distance of at most K edges, or of length K with --weight"),
		t.text(groupOutput, "output", "`FILE` write the distances to FILE, in the format of its extension; - is stdout", "o"),
		t.choice(groupOutput, "format", "`FORMAT` format of the distances, whatever the extension", append([]string{""}, outputFormats()...)...),
		t.toggle(groupOutput, "paths", "a column of how many shortest paths there are"),
		t.text(groupOutput, "stats", "`FILE` write statistics of the run as one JSON object; - is stdout, unless the distances go there"),
		t.choice(groupCompute, "engine", "`ENGINE` which processors compute; auto: CPU cores, which are as fast here", "auto", "cpu", "gpu"),
		t.text(groupCompute, "device", "`LIST` OpenCL devices to use: all, with --engine gpu, cpu for none, or numbers such as 0,2"),
		t.number(groupCompute, "threads", "`N` number of CPU threads; 0: all", 0),
		t.text(groupCompute, "memory", "`SIZE` memory limit, such as 500M or 8G; by default, what is available"))
	return &urfave.Command{
		Name:      "distances",
		Usage:     "list how far vertices are from some sources",
		ArgsUsage: "[FILES...]",
		Description: `Reads edges as run does, and writes a row for every source and each vertex that
it reaches, itself included: "source", "vertex" and "distance", source after
source, near vertices first. Distances are numbers of edges, or with --weight
sums of lengths. What a source does not reach has no row. Sources are searched
side by side, and written as they are done: their number may be any, in memory
that the graph decides.`,
		UsageText: `bcstage distances edges.parquet --from 17,42 --format csv
bcstage distances edges.parquet --sources from.csv --cutoff 3 -o near.arrow`,
		Flags:  append(flags, t.messages()...),
		Action: p.distances,
	}
}

func (p *process) distances(c *urfave.Context) error {
	p.configure(c)
	if (c.String("from") == "") == (c.String("sources") == "") {
		return usagef(c.Command, "want either --from or --sources")
	}
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	if ids := list(c.String("from")); ids != nil {
		opts.Sources = pipeline.StringVertexSet(ids...)
	}
	path, stats, format := c.String("output"), c.String("stats"), arrowio.Format(chosen(c, "format"))
	if format == "" {
		if format, err = scoreFormat(path); err != nil {
			return err
		}
	}
	switch err := compressible(path, format); {
	case err != nil:
		return err
	case isBinary(format) && path == "" && isTerminal(p.stdout):
		return &usageError{fmt.Sprintf("%s is not written to a terminal", format), "--format csv is readable, -o FILE or a pipe takes " + string(format)}
	}
	if err := apart(c); err != nil {
		return err
	}
	for _, file := range []string{path, stats} {
		if err := p.writable(c.Context, file); err != nil {
			return err
		}
	}
	progress := p.progress(c)
	defer progress.end()
	opts.Progress, opts.ProgressInterval = progress.show, progressInterval
	var found *pipeline.Stats
	err = p.create(c.Context, path, compressed(path, func(w io.Writer) error {
		return arrowio.WriteParts(c.Context, w, format, distanceParts(c.Context, opts, c.Bool("paths"), &found))
	}))
	progress.end()
	if found != nil {
		nameFlags(found)
		p.console.tell(found.Notes, found.Warnings)
	}
	if err != nil {
		if c.String("from") != "" {
			err = &fromError{err}
		}
		return err
	}
	d := &destination{p: p, path: path, stats: stats}
	if stats != "" {
		d.run = p.circumstances(c)
	}
	if err := d.writeStats(c.Context, found); err != nil {
		return err
	}
	if progress.wanted() {
		p.console.note(fmt.Sprintf("%s vertices, %s edges, %s sources in %s", figures.Grouped(int64(found.Vertices)), figures.Grouped(found.Edges),
			figures.Grouped(int64(found.Sources.Vertices)), figures.Seconds(found.Seconds.Total)),
			"vertices", found.Vertices, "edges", found.Edges, "sources", found.Sources.Vertices, "seconds", found.Seconds.Total)
	}
	return nil
}

// distanceParts runs pipeline.Distances while its parts are ranged over.
func distanceParts(ctx context.Context, opts pipeline.Options, paths bool, stats **pipeline.Stats) func(yield func(arrowio.Table, error) bool) {
	return func(yield func(arrowio.Table, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		parts := make(chan arrowio.Table)
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
			yield(arrowio.Table{}, err)
		}
	}
}

// fromError is one that --from gives sources, which the library calls Options.Sources.
type fromError struct{ error }

func (e *fromError) Error() string {
	return strings.ReplaceAll(e.error.Error(), "Options.Sources", "--from")
}

func (e *fromError) Unwrap() error { return e.error }
