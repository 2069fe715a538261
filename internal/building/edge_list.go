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
	for v := range g.Vertices() {
		if v%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
	most := 0 // rows of a chunk; a graph without arcs may still have rows, of loops
	for _, chunk := range rows {
		most = max(most, len(chunk.src))
	}
	arcs := make([]int64, min(most, arcsAtOnce))
	for _, chunk := range rows {
		for first := 0; first < len(chunk.src); first += len(arcs) {
			src := chunk.src[first:min(first+len(arcs), len(chunk.src))]
			dst := chunk.dst[first:][:len(src)]
			err := parallel.Spread(ctx, threads, len(src), parallel.Interval, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					arcs[i] = l.arc(src[i], dst[i])
				}
			})
			if err != nil {
				return nil, err
			}
			for i, at := range arcs[:len(src)] {
				if at < 0 || l.Of[at] != csr.None { // a loop, or a repeat
					continue
				}
				l.Of[at] = uint32(len(l.Ends[0]))
				l.Ends[0], l.Ends[1] = append(l.Ends[0], src[i]), append(l.Ends[1], dst[i])
			}
		}
	}
	return l, nil
}

// arcsAtOnce is the number of rows whose arcs are looked up before they are numbered.
const arcsAtOnce = 1 << 20

// arc returns the place of the arc that has the number of an edge; -1: there is none.
func (l *EdgeList) arc(u, v uint32) int64 { return edgeArc(l.Graph, u, v) }

// edgeArc returns the place of the one arc that stands for an edge; -1: there is none.
// Vertices of large numbers have short rows: those seen first are hubs.
func edgeArc(g *csr.Graph, u, v uint32) int64 {
	if !g.Directed() {
		u, v = max(u, v), min(u, v)
	}
	return g.ArcTo(u, v)
}

// Number returns the number of the edge along an existing arc.
func (l *EdgeList) Number(u, v uint32) uint32 { return l.Of[l.arc(u, v)] }
