package building

import (
	"fmt"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
)

// mixed are the arcs back of edges that run both ways, in a graph where others run one way. Build puts them behind all
// edges.
type mixed struct {
	arcs     pairs
	weights  []Weights
	row      []uint32 // of each arc: its edge
	reversed []uint32 // edges whose arc runs from their second end to their first
}

// AddMixedEdges is AddEdges for edges of a directed graph that have ways of their own; where weights has rows, it is
// AddWeightedEdges. ways has a row for each edge: 1 is from source to destination, -1 from destination to source, 0
// both ways, which are two arcs.
func (b *Builder) AddMixedEdges(src, dst Keys, weights Weights, ways []int8, by ...Keys) error {
	if b.err == nil && len(ways) != src.Len() {
		b.err = fmt.Errorf("preprocess: %w: %d edges, %d ways", ErrKeys, src.Len(), len(ways))
	}
	if b.err == nil && b.rows+int64(len(ways)) > int64(csr.None) {
		b.err = fmt.Errorf("preprocess: %w: more than 4294967295 edges with ways of their own", csr.ErrTooLarge)
	}
	chunk, at := max(len(b.edges)-1, 0), 0 // of the first new edge
	if len(b.edges) > 0 {
		at = len(b.edges[chunk].src)
	}
	first := uint32(b.rows)
	var err error
	if weights.Len() > 0 {
		err = b.AddWeightedEdges(src, dst, weights, by...)
	} else {
		err = b.AddEdges(src, dst, by...)
	}
	if err != nil {
		return err
	}
	var both []int
	for i, way := range ways {
		for at == len(b.edges[chunk].src) {
			chunk, at = chunk+1, 0
		}
		u, v := &b.edges[chunk].src[at], &b.edges[chunk].dst[at]
		switch at++; {
		case way < 0:
			*u, *v = *v, *u
			b.mixed.reversed = append(b.mixed.reversed, first+uint32(i))
		case way == 0:
			b.mixed.arcs.src, b.mixed.arcs.dst = append(b.mixed.arcs.src, *v), append(b.mixed.arcs.dst, *u)
			b.mixed.row = append(b.mixed.row, first+uint32(i))
			both = append(both, i)
		}
	}
	if weights.Len() > 0 && len(both) > 0 {
		b.mixed.weights = append(b.mixed.weights, weights.picked(both))
	}
	return nil
}

// held is the memory of the arcs.
func (m *mixed) held() int64 {
	bytes := budget.Held(m.arcs.src) + budget.Held(m.arcs.dst) + budget.Held(m.row) + budget.Held(m.reversed)
	for _, of := range m.weights {
		bytes += of.held()
	}
	return bytes
}

// picked returns the given rows.
func (w Weights) picked(rows []int) (some Weights) {
	for _, row := range rows {
		some.Digits = append(some.Digits, w.Digits[row])
		if w.Exponents != nil {
			some.Exponents = append(some.Exponents, w.Exponents[row])
		}
		if w.High != nil {
			some.High = append(some.High, w.High[row])
		}
	}
	return some
}

func (w Weights) held() int64 {
	return budget.Held(w.Digits) + budget.Held(w.Exponents) + budget.Held(w.High)
}

// behind returns the edges with the arcs back behind them.
func (m *mixed) behind(edges []pairs, weights []Weights) ([]pairs, []Weights) {
	if len(m.arcs.src) == 0 {
		return edges, weights
	}
	return append(slices.Clip(edges), m.arcs), append(slices.Clip(weights), m.weights...)
}
