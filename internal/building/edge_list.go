package building

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// EdgeList is the edges of a graph by number, for a question about their scores: each
// once, in the order of first appearance, without loops.
type EdgeList struct {
	Ends [2][]uint32 // by edge: its vertices, as first given

	Graph *csr.Graph
	Of    []uint32 // by arc of the graph: its edge; of an undirected edge only the arc from its larger end
}

// NewEdgeList numbers the edges of a graph in the order of its rows, each undirected one
// from its smaller end. It uses up to threads goroutines.
func NewEdgeList(ctx context.Context, g *csr.Graph, threads int) (*EdgeList, error) {
	rows := pairs{make([]uint32, 0, len(g.Targets)), g.Targets}
	for v := range parallel.Until(ctx, g.Vertices()) {
		for range g.Neighbours(uint32(v)) {
			rows.src = append(rows.src, uint32(v))
		}
	}
	return listEdges(ctx, g, []pairs{rows}, threads)
}

// listEdges numbers the edges of a graph that was made of the given rows.
func listEdges(ctx context.Context, g *csr.Graph, rows []pairs, threads int) (*EdgeList, error) {
	if g.Edges() >= math.MaxUint32 {
		return nil, fmt.Errorf("%w, or more than 4294967294 edges that are to have scores", csr.ErrTooLarge)
	}
	l := &EdgeList{Graph: g, Of: slices.Repeat([]uint32{csr.None}, len(g.Targets))}
	for end := range l.Ends {
		l.Ends[end] = make([]uint32, 0, g.Edges())
	}
	err := eachRow(ctx, g, rows, threads, func(_ int, u, v uint32, arc int64) error {
		if arc >= 0 && l.Of[arc] == csr.None { // neither a loop nor a repeat
			l.Of[arc] = uint32(len(l.Ends[0]))
			l.Ends[0], l.Ends[1] = append(l.Ends[0], u), append(l.Ends[1], v)
		}
		return nil
	})
	return l, err
}

// eachRow calls f with every row that a graph was made of, in their order: its ends as given, and the arc that stands for
// its edge; -1: it is a loop. All threads look up the arcs, some rows ahead.
func eachRow(ctx context.Context, g *csr.Graph, chunks []pairs, threads int, f func(row int, u, v uint32, arc int64) error) error {
	const together = 1 << 18
	row, arcs := 0, []int64(nil)
	for _, chunk := range chunks {
		for from := 0; from < len(chunk.src); from += together {
			src := chunk.src[from:min(from+together, len(chunk.src))]
			dst := chunk.dst[from:][:len(src)]
			arcs = slices.Grow(arcs[:0], len(src))[:len(src)]
			err := parallel.Spread(ctx, threads, len(src), 1<<12, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					arcs[i] = edgeArc(g, src[i], dst[i])
				}
			})
			if err != nil {
				return err
			}
			for i, arc := range arcs {
				if err := f(row, src[i], dst[i], arc); err != nil {
					return err
				}
				row++
			}
		}
	}
	return ctx.Err()
}

// edgeArc returns the place of the one arc that stands for an edge; -1: there is none.
// Vertices of large numbers have short rows: those seen first are hubs.
func edgeArc(g *csr.Graph, u, v uint32) int64 {
	if !g.Directed() {
		u, v = max(u, v), min(u, v)
	}
	return g.ArcTo(u, v)
}

// Number returns the number of the edge along an existing arc.
func (l *EdgeList) Number(u, v uint32) uint32 { return l.Of[edgeArc(l.Graph, u, v)] }
