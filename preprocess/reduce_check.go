package preprocess

import (
	"fmt"
	"math"

	"bcstage/internal/building"
	"bcstage/internal/measures"
)

// check checks the invariants of the plan. size is, by graph vertex, the number
// of vertices of its component.
func (p *Plan) check(size []uint32) error {
	masses := p.Question.HasMasses()
	for v, pairs := range p.ClosedForm(measures.Betweenness).Low {
		if n := int64(size[v]); !masses && !p.Question.Parts() && !p.Question.EndsInPart() && (pairs < 0 || pairs > n*n) {
			return fmt.Errorf("vertex %d: closed forms of %d ordered pairs in a component of %d", v, pairs, n)
		}
	}
	block, first := 0, 0
	for i, batch := range p.Batches {
		if block == len(p.Blocks) || batch.Index != i || batch.Block != block || batch.First != first {
			return fmt.Errorf("batch %d is %+v, want block %d, first %d", i, batch, block, first)
		}
		b := &p.Blocks[block]
		if batch.Count < 1 || batch.Count > b.Lanes {
			return fmt.Errorf("batch %d has %d sources, want 1..%d", i, batch.Count, b.Lanes)
		}
		if first += batch.Count; first == len(b.Sources) {
			block, first = block+1, 0
		}
	}
	if block != len(p.Blocks) {
		return fmt.Errorf("batches end in block %d of %d", block, len(p.Blocks))
	}
	for i := range p.Blocks {
		if err := p.Blocks[i].check(size, masses); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	return nil
}

func (b *Block) check(size []uint32, masses bool) error {
	if err := b.Graph.Check(); err != nil && !b.Repeats() {
		return err
	}
	n := b.Vertices()
	if b.Kind().Reach() {
		return b.checkDistances(size)
	}
	if b.Lanes < 1 || b.Lanes > b.mostLanes() || len(b.From) != n || len(b.To) != n || len(b.Sources) != b.begins() {
		return fmt.Errorf("%d vertices, %d lanes, %d and %d masses, %d sources", n, b.Lanes, len(b.From), len(b.To), len(b.Sources))
	}
	if b.Farness != nil && len(b.Farness) != n {
		return fmt.Errorf("%d vertices, farness of %d", n, len(b.Farness))
	}
	if (b.Multiplicity == nil) != (b.classes == nil) || (b.within == nil) != (b.classes == nil) {
		return fmt.Errorf("classes of twins, their sizes and their pairs do not go together")
	}
	sum, seen := 0.0, make([]bool, n)
	for v, w := range b.From {
		members := b.members(uint32(v))
		for _, w := range [2]float64{w, b.To[v]} {
			if w < 0 || w != math.Trunc(w) && !b.Sees || !masses && w > float64(size[b.vertices[0]]) || masses && w > building.MostMass || b.OneMass() && w < float64(len(members)) {
				return fmt.Errorf("vertex %d: mass %g, %d members", v, w, len(members))
			}
		}
		if b.Multiplicity != nil && b.Multiplicity[v] != float64(len(members)) && !(v >= n-b.virtual() && b.Multiplicity[v] == 1) {
			return fmt.Errorf("vertex %d: multiplicity %g, %d members", v, b.Multiplicity[v], len(members))
		}
		for _, vertex := range members {
			if size[vertex] != size[b.vertices[0]] {
				return fmt.Errorf("vertex %d: member %d of another component", v, vertex)
			}
		}
		sum += w
	}
	for _, s := range b.Sources {
		if int(s) >= n || seen[s] || b.From[s] == 0 && !b.Access {
			return fmt.Errorf("source %d twice, or none", s)
		}
		seen[s] = true
	}
	if want := float64(size[b.vertices[0]]); b.OneMass() && sum != want && !b.Sees {
		return fmt.Errorf("masses sum to %g, want %g", sum, want)
	}
	return nil
}

// checkDistances is check for a block of whole components.
func (b *Block) checkDistances(size []uint32) error {
	n := b.Vertices()
	if b.Lanes < 1 || b.Lanes > b.mostLanes() || len(b.Sources) > n || !b.Directed() && b.Cutoff == 0 && len(b.Reach) != n || b.counted != nil && len(b.counted) != n || len(b.vertices) != n {
		return fmt.Errorf("%d vertices, %d lanes, %d sources", n, b.Lanes, len(b.Sources))
	}
	seen := make([]bool, n)
	for _, s := range b.Sources {
		if int(s) >= n || seen[s] {
			return fmt.Errorf("source %d twice or none", s)
		}
		seen[s] = true
	}
	for v, reach := range b.Reach {
		if reach != size[b.vertices[v]]-1 {
			return fmt.Errorf("vertex %d reaches another number than its component has", v)
		}
	}
	return nil
}
