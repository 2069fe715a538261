package cli

import (
	"context"
	"errors"
	"io"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/csr"
	"bcstage/pipeline"
)

// edgeFile is the destination of the scores of edges, or of another table beside those of vertices; none if its path is
// empty.
type edgeFile struct {
	path   string
	format tables.Format
}

// besideScores returns the file of a flag for a table beside the scores of vertices. Of --edge-scores, a part of a run has
// the scores in its partial result, for merge to write.
func (p *process) besideScores(c *urfave.Context, flag string) (file edgeFile, err error) {
	if file.path = c.String(flag); file.path == "" {
		return file, nil
	}
	if file.path == "-" {
		return file, usagef(c.Command, "--%s -: stdout has another table; name a file", flag)
	}
	file.format, err = scoreFormat(file.path, "")
	var wrong *usageError
	if errors.As(err, &wrong) { // its advice is about the vertices' file
		wrong.hint = "--" + flag + " takes names that end in .arrow, .arrows, .parquet, .csv or .jsonl, the last two also compressed"
	}
	if err != nil {
		return file, err
	}
	return file, p.writable(c.Context, file.path)
}

// sink writes a table to the file; nil: there is none.
func (f edgeFile) sink(p *process) pipeline.Sink {
	if f.path == "" {
		return nil
	}
	return func(ctx context.Context, t tables.Table) error {
		return p.create(ctx, f.path, compressed(f.path, func(w io.Writer) error { return arrowio.Write(ctx, w, f.format, t) }))
	}
}

// edgeSink writes the scores of edges, in the scale of the vertices' scores; nil: not asked for.
func (d *destination) edgeSink() pipeline.Sink {
	if d.edges.path == "" {
		return nil
	}
	write := d.edges.sink(d.p)
	return func(ctx context.Context, t tables.Table) error {
		d.scale.applyToEdges(&t)
		d.arrange(&t)
		return write(ctx, t)
	}
}

// componentSizes returns by vertex the number of vertices in its component: R. E. Tarjan, "Efficiency of a good but not
// linear set union algorithm", 1975.
func componentSizes(n int, edges [2][]uint32) []int64 {
	roots := csr.Ascending(n)
	find := func(v uint32) uint32 {
		for roots[v] != v {
			roots[v] = roots[roots[v]]
			v = roots[v]
		}
		return v
	}
	for e, u := range edges[0] {
		roots[find(u)] = find(edges[1][e])
	}
	at, sizes := make([]int64, n), make([]int64, n)
	for v := range roots {
		roots[v] = find(uint32(v))
		at[roots[v]]++
	}
	for v, root := range roots {
		sizes[v] = at[root]
	}
	return sizes
}
