package alone

import (
	"context"
	"math"

	"bcstage/internal/engine"
	"bcstage/internal/invariants"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search is the state of one goroutine's batches. A vertex has a place in the order in which a search meets it. Numbers
// of the search stand by place, so that they are few and near each other.
type Search struct {
	block *preprocess.Block
	place []uint32 // by vertex, or unmet. All are unmet between two sources

	order   []uint32  // by place: the vertex
	levels  []int     // by distance from the source: its first place; then how many vertices are met
	numbers []float64 // by place: S, path counts; on the way back c. All are 0 between two sources
	passed  []uint32  // by place: its first link
	links   []uint64  // of shortest paths, in the order of predecessors: the place of one, and below it of a successor

	scores    []float64 // by vertex; 0 outside at
	listed    []bool    // by vertex: whether at has it
	at        []uint32
	got, want []float64
	work      engine.Work
}

// unmet is the place of a vertex that the search has not met. It is above all others.
const unmet = math.MaxInt32

// Bytes returns the memory that a Search needs for a block.
func Bytes(b *preprocess.Block) int64 {
	return int64(b.Vertices()+1)*(4+4+8+4+8+1+4) + 8*int64(len(b.Targets)+1) + 16*int64(b.Lanes)
}

// Run computes a batch. The only errors are the context's and, with invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b, batch.Count)
	for i, source := range b.Sources[batch.First : batch.First+batch.Count] {
		err := ctx.Err()
		if err == nil {
			err = s.search(source)
		}
		if err != nil {
			return engine.Result{}, err
		}
		s.got[i], s.want[i] = s.retreat(b.From[source])
	}
	return engine.Result{Batch: batch, Scores: s.scores, At: s.at, Got: s.got, Want: s.want, Work: s.work}, nil
}

// prepare makes room for a batch, and clears the numbers of the last one.
func (s *Search) prepare(b *preprocess.Block, sources int) {
	for _, v := range s.at {
		s.scores[v], s.listed[v] = 0, false
	}
	s.at, s.work = s.at[:0], engine.Work{}
	s.got, s.want = pages.Resize(s.got, sources), pages.Resize(s.want, sources)
	if s.block == b {
		return
	}
	n := b.Vertices()
	s.block = b
	s.place, s.order, s.passed = pages.Resize(s.place, n+1), pages.Resize(s.order, n+1), pages.Resize(s.passed, n+1)
	for v := range s.place {
		s.place[v] = unmet
	}
	s.links, s.numbers = pages.Resize(s.links, len(b.Targets)+1), pages.Cleared(s.numbers, n)
	s.scores, s.listed, s.at = pages.Cleared(s.scores, n), pages.Cleared(s.listed, n), pages.Reserve(s.at, n)
}

// search finds the vertices within the cutoff of a source, and counts paths. Counts of the last level are still without
// multiplicity.
func (s *Search) search(source uint32) error {
	b, place, order, numbers := s.block, s.place, s.order, s.numbers
	order[0], place[source], numbers[0] = source, 0, 1
	s.levels = append(s.levels[:0], 0)
	met, passed := uint32(1), uint32(0)
	for at := uint32(0); at < met && len(s.levels) <= b.Cutoff; {
		beyond, first := met, passed // the first place of the next level, and the first link to there
		s.levels = append(s.levels, int(beyond))
		for ; at < beyond; at++ {
			u := order[at]
			if at > 0 && b.Multiplicity != nil {
				numbers[at] *= b.Multiplicity[u]
			}
			if invariants.On {
				if err := invariants.Paths(u, numbers[at]); err != nil {
					return err
				}
			}
			row := b.Neighbours(u)
			s.passed[at] = passed
			var further uint32
			met, further = look(row, place, order, s.links[passed:], met, beyond, at)
			passed += further
			s.work.RowLoads += int64(len(row)) + int64(further)
		}
		for _, link := range s.links[first:passed] {
			numbers[uint32(link)] += numbers[link>>32]
		}
	}
	s.passed[s.levels[len(s.levels)-1]] = passed
	s.levels = append(s.levels, int(met))
	return nil
}

// look notes the places of a row's vertices, and lists those in the next level, which begins at place beyond. It returns how
// many vertices are met, and how many listed. Whether a vertex is new, or in the next level, follows no pattern, so that no
// branch depends on it: every vertex is noted and listed, and the next one replaces a wrong note. The function stands
// apart to keep its numbers in registers.
//
//go:noinline
func look(row, place, order []uint32, links []uint64, met, beyond, at uint32) (uint32, uint32) {
	listed, from := uint32(0), uint64(at)<<32
	order = order[:len(place)]
	for _, v := range row {
		p := min(place[v], met)
		place[v], order[met], links[listed] = p, v, from|uint64(p)
		listed += 1 - (p-beyond)>>31
		met += (met - p - 1) >> 31
	}
	return met, listed
}

// retreat adds the dependencies of a source with some mass to the scores, and returns both sides of its self-check. It
// takes the vertices out of the search.
func (s *Search) retreat(mass float64) (got, want float64) {
	b, order, place, numbers, to := s.block, s.order, s.place, s.numbers, s.block.To
	last := len(s.levels) - 2
	met, inner := s.levels[last+1], s.levels[last]
	outer := numbers[inner:met]
	for i, v := range order[inner:met] {
		mass := to[v]
		place[v] = unmet
		want += mass
		outer[i] = mass / outer[i] // its multiplicity is on both sides
	}
	want *= float64(last - 1)
	for level := last - 1; level > 0; level-- {
		for at := s.levels[level+1] - 1; at >= s.levels[level]; at-- {
			v, mu, sum := order[at], 1.0, 0.0
			if b.Multiplicity != nil {
				mu = b.Multiplicity[v]
			}
			for _, link := range s.links[s.passed[at]:s.passed[at+1]] {
				sum += numbers[uint32(link)]
			}
			d := float64(numbers[at] * sum) // the conversion keeps arm64 from fusing
			got += d
			want += to[v] * float64(level-1)
			numbers[at] = (to[v] + d) * mu / numbers[at]
			s.scores[v] += float64(mass*d) / mu
			if !s.listed[v] {
				s.listed[v] = true
				s.at = append(s.at, v)
			}
		}
	}
	s.work.FrontierEntries += int64(met)
	for _, v := range order[:inner] {
		place[v] = unmet
	}
	clear(numbers[:met])
	return got, want
}
