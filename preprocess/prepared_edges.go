package preprocess

import (
	"context"
	"fmt"

	"bcstage/internal/csr"
)

// WholeGraph returns the graph that was prepared, for comparison with another: blocks lack the parts that were folded
// or have a closed form. The error is the context's, or ErrPrepared, also where the file has no edges.
func (p *Prepared) WholeGraph(ctx context.Context) (*csr.Graph, error) {
	if p.Upward == nil {
		return nil, fmt.Errorf("%w: the file does not have its edges: prepare it again", ErrPrepared)
	}
	g, err := p.Upward.BothWays(ctx, p.Question.Directed)
	if err != nil && ctx.Err() == nil {
		err = damaged("edges: %w", err)
	}
	return g, err
}

// withEdges lists the sections of the edges, if there are any.
func (p *Prepared) withEdges() []section {
	if p.Upward == nil {
		return nil
	}
	list := []section{whole("edge_offsets", p.Upward.Offsets), whole("edge_targets", p.Upward.Targets)}
	if p.Upward.HasLengths() {
		list = append(list, whole("edge_lengths", p.Upward.Lengths))
	}
	return list
}

// edges reads what withEdges wrote, for n vertices.
func (in *sectionReader) edges(n int) *csr.Graph {
	if _, ok := in.bytes["edge_offsets"]; !ok {
		return nil
	}
	g := &csr.Graph{Offsets: take[int64](in, "edge_offsets", n+1), Targets: take[uint32](in, "edge_targets", anyCount)}
	if _, ok := in.bytes["edge_lengths"]; ok {
		g.Lengths = take[int64](in, "edge_lengths", len(g.Targets))
	}
	return g
}
