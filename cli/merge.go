package cli

import (
	"errors"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio/tables"
	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

func (p *process) mergeCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "merge",
		Usage:     "combine partial results",
		ArgsUsage: "FILES...",
		Description: `Combines partial results of --shard or --checkpoint into scores: the same bits
as one run over everything. All must be of one graph and equal options. If parts
overlap or are missing, the message names the batches and their shards. FILES
may be patterns, folders and s3:// prefixes, and one of them may be - for stdin.`,
		UsageText: `bcstage edges.parquet --shard 0/2 -o 0.arrow     # on one machine
bcstage edges.parquet --shard 1/2 -o 1.arrow     # on another
bcstage merge 0.arrow 1.arrow -o scores.parquet
bcstage merge s3://bucket/parts -o scores.parquet`,
		Action: p.merge,
	}
}

func (p *process) merge(c *urfave.Context) (err error) {
	if c.NArg() == 0 {
		return usagef(c.Command, "no FILES to merge")
	}
	paths, err := p.filesOf(c.Context, c.Args().Slice())
	if err != nil {
		return err
	}
	out, err := p.destination(c)
	if err != nil {
		return err
	}
	if err := answerable(c, question.Question{}, out.scale); err != nil {
		return err
	}
	var stats *pipeline.Stats
	defer func() { err = p.meter(c, stats, err) }()
	opts := pipeline.Output{Sort: pipeline.Order(c.String("sort")), Partial: c.Bool("partial"), Edges: out.edgeSink()}
	read := 0
	stats, err = pipeline.Merge(c.Context, func() (tables.Table, bool, error) {
		if read++; read > len(paths) {
			return tables.Table{}, false, nil
		}
		t, err := p.readPartial(c.Context, paths[read-1], c.Int("threads"))
		t.Threads = c.Int("threads")
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

// inFile adds a file's name to an error.
type inFile struct {
	path string
	err  error
}

func (e *inFile) Error() string { return e.path + ": " + describe(e.err) }
func (e *inFile) Unwrap() error { return e.err }
