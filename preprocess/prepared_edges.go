package preprocess

import (
	"context"
	"fmt"

	"bcstage/internal/csr"
)

// WholeGraph is the graph that was prepared, for who compares it with another: blocks alone do not tell what was folded or has a
// closed form. The error is the context's, or ErrPrepared, where the file has no edges, too.
func (p *Prepared) WholeGraph(ctx context.Context) (*csr.Graph, error) {
	if p.Upward == nil {
		return nil, fmt.Errorf("%w: the file does not have its edges: prepare it again", ErrPrepared)
	}
	g, err := p.Upward.BothWays(ctx)
	if err != nil && ctx.Err() == nil {
		err = damaged("edges: %w", err)
	}
	return g, err
}

// withEdges are the sections of the edges, if there are some.
func (p *Prepared) withEdges() []section {
	if p.Upward == nil {
		return nil
	}
	return []section{whole("edge_offsets", p.Upward.Offsets), whole("edge_targets", p.Upward.Targets)}
}

// edges reads what withEdges wrote of n vertices.
func (in *sectionReader) edges(n int) *csr.Graph {
	if _, ok := in.bytes["edge_offsets"]; !ok {
		return nil
	}
	return &csr.Graph{Offsets: take[int64](in, "edge_offsets", n+1), Targets: take[uint32](in, "edge_targets", anyCount)}
}
