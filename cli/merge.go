package cli

import (
	"errors"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/pipeline"
)

func (p *process) mergeCommand() *urfave.Command {
	t := table{environment: "BCSTAGE_"}
	flags := append(t.output(), t.toggle(groupOutput, "partial", "write a larger partial result, complete or not"))
	return &urfave.Command{
		Name:      "merge",
		Usage:     "add partial results up",
		ArgsUsage: "FILES...",
		Description: `Adds what --shard or --checkpoint wrote, and writes scores: the same bits as one
run over everything. All must be of one graph and equal options, no source may
be counted twice, and none may be missing; else it says which batches, and of
which shards. One of the FILES may be -, stdin.`,
		UsageText: `bcstage edges.parquet --shard 0/2 -o 0.arrow     # on one machine
bcstage edges.parquet --shard 1/2 -o 1.arrow     # on another
bcstage merge 0.arrow 1.arrow -o scores.parquet`,
		Flags:  append(flags, t.messages()...),
		Action: p.merge,
	}
}

func (p *process) merge(c *urfave.Context) error {
	p.configure(c)
	paths := c.Args().Slice()
	if len(paths) == 0 {
		return usagef(c.Command, "no FILES to merge")
	}
	out, err := p.destination(c)
	if err != nil {
		return err
	}
	opts := pipeline.Output{Sort: pipeline.Order(chosen(c, "sort")), Partial: c.Bool("partial")}
	read := 0
	stats, err := pipeline.Merge(c.Context, func() (arrowio.Table, bool, error) {
		if read++; read > len(paths) {
			return arrowio.Table{}, false, nil
		}
		t, err := p.readPartial(c.Context, paths[read-1])
		return t, err == nil, err
	}, opts, out.sink(func() {}))
	if errors.Is(err, pipeline.ErrPartial) && read <= len(paths) {
		return &inFile{paths[read-1], err}
	}
	if err != nil {
		return err
	}
	return out.writeStats(c.Context, stats)
}

// inFile says which file an error is about.
type inFile struct {
	path string
	err  error
}

func (e *inFile) Error() string { return e.path + ": " + describe(e.err) }
func (e *inFile) Unwrap() error { return e.err }
