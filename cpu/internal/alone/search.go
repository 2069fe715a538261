package alone

import (
	"context"
	"math"

	"bcstage/internal/engine"
	"bcstage/internal/invariants"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search is the state of one goroutine's batches.
type Search struct {
	block  *preprocess.Block
	vertex []vertex
	level  []uint8  // by vertex: distance from the source plus 1; 0: not met. All are 0 between two sources
	order  []uint32 // vertices met, the nearest first
	inner  int      // how many of them are nearer than the cutoff

	scores    []float64 // by vertex; 0 outside at
	listed    []bool    // by vertex: whether at has it
	at        []uint32
	got, want []float64
	work      engine.Work
}

// vertex has the numbers of a vertex in a search.
type vertex struct {
	paths float64 // S
	share float64 // c
}

// mostCutoff is the largest Cutoff whose levels fit in 8 bits.
const mostCutoff = math.MaxUint8 - 1

// Fits says whether a block's levels fit.
func Fits(b *preprocess.Block) bool { return b.Cutoff > 0 && b.Cutoff <= mostCutoff }

// Bytes returns the memory that a Search needs for a block.
func Bytes(b *preprocess.Block) int64 { return int64(b.Vertices())*(16+1+4+8+1+4) + 16*int64(b.Lanes) }

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
	s.vertex, s.level = pages.Resize(s.vertex, n), pages.Cleared(s.level, n)
	s.scores, s.listed = pages.Cleared(s.scores, n), pages.Cleared(s.listed, n)
	s.order, s.at = pages.Reserve(s.order, n), pages.Reserve(s.at, n)
}

// search finds the vertices within the cutoff of a source, and counts paths. Counts of the last level are still without
// multiplicity.
func (s *Search) search(source uint32) error {
	b, level, numbers, last := s.block, s.level, s.vertex, uint8(s.block.Cutoff)+1
	order := append(s.order[:0], source)
	level[source], numbers[source].paths = 1, 1
	s.inner = 0
	for s.inner < len(order) && level[order[s.inner]] < last {
		u := order[s.inner]
		if s.inner > 0 && b.Multiplicity != nil {
			numbers[u].paths *= b.Multiplicity[u]
		}
		if invariants.On {
			if err := invariants.Paths(u, numbers[u].paths); err != nil {
				return err
			}
		}
		next, paths := level[u]+1, numbers[u].paths
		for _, v := range b.Neighbours(u) {
			switch level[v] {
			case 0:
				level[v], numbers[v].paths = next, paths
				order = append(order, v)
			case next:
				numbers[v].paths += paths
			}
		}
		s.inner++
	}
	s.order = order
	return nil
}

// retreat adds the dependencies of a source with some mass to the scores, and returns both sides of its self-check. It
// takes the vertices out of the search.
func (s *Search) retreat(mass float64) (got, want float64) {
	b, level, numbers, to := s.block, s.level, s.vertex, s.block.To
	s.work.FrontierEntries += int64(len(s.order))
	for _, v := range s.order[s.inner:] {
		want += to[v]
		numbers[v].share = to[v] / numbers[v].paths // its multiplicity is on both sides
	}
	want *= float64(b.Cutoff - 1)
	for at := s.inner - 1; at > 0; at-- {
		v := s.order[at]
		x, next, mu := &numbers[v], level[v]+1, 1.0
		if b.Multiplicity != nil {
			mu = b.Multiplicity[v]
		}
		sum, row := 0.0, b.Neighbours(v)
		for _, u := range row {
			if level[u] == next {
				sum += numbers[u].share
			}
		}
		s.work.RowLoads += int64(2 * len(row))
		d := float64(x.paths * sum) // the conversion keeps arm64 from fusing
		got += d
		want += to[v] * float64(next-3) // its distance less 1
		x.share = (to[v] + d) * mu / x.paths
		s.scores[v] += float64(mass*d) / mu
		if !s.listed[v] {
			s.listed[v] = true
			s.at = append(s.at, v)
		}
	}
	for _, v := range s.order {
		level[v] = 0
	}
	return got, want
}
