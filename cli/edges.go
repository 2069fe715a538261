package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
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
	if file.format, err = scoreFormat(file.path); err == nil {
		err = compressible(file.path, file.format)
	}
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

// applyToEdges is apply for a table of edges. A path over an edge may join any two vertices: n(n-1) ordered pairs.
func (s scale) applyToEdges(t *tables.Table) {
	scores := t.Floats(measures.OfEdges().Column)
	each, kind := pairsIn(questionOf(t))
	whole := count{endpoints: true, of: "vertices"}
	src := t.Pairs.Ends[0]
	divisors := slices.Repeat([]float64{1}, t.Graphs())
	share := func(vertex func(v int) int, groups int) []float64 {
		sizes, pairs := make([]int, groups), make([]float64, groups)
		for v := range t.IDs.Len() {
			sizes[vertex(v)]++
		}
		for g, size := range sizes {
			pairs[g] = max(whole.ordered(size), 1) * each
		}
		return pairs
	}
	meaning, of := "", t.GraphOf
	switch s {
	case scaleOrdered:
		meaning = "sum over ordered pairs"
		for g := range divisors {
			divisors[g] = each
		}
	case scalePairs:
		meaning = "share of the " + whole.text("n") + kind + " pairs of vertices"
		divisors = share(of, len(divisors))
	case scaleMax:
		meaning = "relative to the highest score"
		clear(divisors)
		for e, score := range scores {
			g := of(int(src[e]))
			divisors[g] = max(divisors[g], score)
		}
	case scaleComponent:
		meaning = "share of the " + whole.text("N") + kind + " pairs of vertices of the component of N"
		roots := componentRoots(t.IDs.Len(), t.Pairs.Ends)
		of = func(v int) int { return int(roots[v]) }
		divisors = share(of, len(roots))
	default:
		return
	}
	for e := range scores {
		if by := divisors[of(int(src[e]))]; by > 0 {
			scores[e] /= by
		}
	}
	if len(t.By) > 0 && s != scaleComponent {
		meaning += ", by graph"
	} else if s != scaleComponent {
		t.Metadata = append(slices.Clone(t.Metadata), tables.KeyValue{Key: "divisor", Value: strconv.FormatFloat(divisors[0], 'g', -1, 64)})
	}
	s.describe(t, meaning)
}

// componentRoots returns by vertex one vertex of its component: R. E. Tarjan, "Efficiency of a good but not linear set
// union algorithm", 1975.
func componentRoots(n int, edges [2][]uint32) []uint32 {
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
	for v := range roots {
		roots[v] = find(uint32(v))
	}
	return roots
}
