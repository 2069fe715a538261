package gpu

import (
	"context"
	"math"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// hanging has the roots of a wave: the junctions that its sources hang on.
type hanging struct {
	roots []uint32  // junctions
	mass  []float64 // by root: as a source
	of    []uint32  // by junction: its root, or NoLane
	sent  []float64 // by vertex inside: mass of the sources up to it from the chain's first end
}

// hang makes roots of the sources' junctions: themselves, or both ends of their chains.
func (h *hanging) hang(b *preprocess.Block, sources []uint32) {
	c := b.Chains
	*h = hanging{roots: h.roots[:0], mass: h.mass[:0], of: slices.Repeat([]uint32{seating.NoLane}, len(c.Junctions)), sent: make([]float64, len(c.Inner))}
	taken := make([]bool, b.Vertices())
	for _, v := range sources {
		taken[v] = true
	}
	root := func(j uint32) uint32 {
		if h.of[j] == seating.NoLane {
			h.of[j] = uint32(len(h.roots))
			h.roots, h.mass = append(h.roots, j), append(h.mass, 0)
		}
		return h.of[j]
	}
	for j, v := range c.Junctions {
		if taken[v] && b.From[v] > 0 {
			h.mass[root(uint32(j))] = b.From[v]
		}
	}
	for e, ends := range c.Ends {
		sum := 0.0
		for k := c.First[e]; k < c.First[e+1]; k++ {
			if taken[c.Inner[k]] {
				sum += b.From[c.Inner[k]]
			}
			h.sent[k] = sum
		}
		if sum > 0 {
			root(ends[0])
			root(ends[1])
		}
	}
}

// byJunctions computes batches of a block with chains that follow each other. The
// self-check is that of lengths, since here too it costs nothing: a source sends as much
// as all others weigh. At the roots, part of that is known both from targets and from
// sources; the two must agree.
func (s *stream) byJunctions(ctx context.Context, t *task, shape wave.Shape, batches []engine.Batch) (engine.Result, error) {
	b, c := t.block, t.block.Chains
	first, end := batches[0], seating.Last(batches)
	sources := b.Sources[first.First : end.First+end.Count]
	h := &s.hanging
	h.hang(b.Block, sources)
	s.scores = slices.Grow(s.scores[:0], b.Vertices())[:b.Vertices()]
	if len(h.roots) == 0 { // no source has mass
		clear(s.scores)
		return engine.Result{Batch: first, More: len(batches) - 1, Scores: s.scores, Got: []float64{0}, Want: []float64{0}, Together: true}, nil
	}
	s.Shape = shape
	s.Shape.Packs, s.Shape.Chains.Roots = 1, len(h.roots)
	if err := s.ReserveAll(s.Shape.Sizes()); err != nil {
		return engine.Result{}, err
	}
	for name, data := range map[string][]byte{"Root": driver.Bytes(h.roots), "RootMass": driver.Bytes(h.mass), "RootOf": driver.Bytes(h.of), "Sent": driver.Bytes(h.sent)} {
		if err := s.Write(name, data); err != nil {
			return engine.Result{}, err
		}
	}
	if err := shape.Method.Search(ctx, &s.Wave); err != nil {
		return engine.Result{}, err
	}
	checks := make([]float64, 3*len(h.roots))
	if err := s.Read("Checks", driver.Bytes(checks)); err != nil {
		return engine.Result{}, err
	}
	sums := slices.Grow(s.sums[:0], b.Vertices())[:b.Vertices()]
	s.sums = sums
	if err := s.Read("Scores", driver.Bytes(sums)); err != nil {
		return engine.Result{}, err
	}
	for j, v := range c.Junctions {
		s.scores[v] = sums[j]
	}
	for k, v := range c.Inner {
		s.scores[v] = sums[len(c.Junctions)+k]
	}
	got, want := 0.0, 0.0
	for r, junction := range h.roots {
		come, sent, direct := checks[3*r], checks[3*r+1], checks[3*r+2]
		own := h.mass[r] * (t.block.Weight - b.To[c.Junctions[junction]])
		got += come + direct + math.Abs(come-own-sent)
	}
	for _, v := range sources {
		want += b.From[v] * (t.block.Weight - b.To[v])
	}
	return engine.Result{
		Batch: first, More: len(batches) - 1, Scores: s.scores,
		Got: []float64{got}, Want: []float64{want}, Together: true,
	}, nil
}
