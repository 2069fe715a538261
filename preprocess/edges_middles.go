package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// splittable reports whether lengths leave room for split.
func (b *Block) splittable() bool {
	return !b.HasLengths() || slices.Min(b.Lengths) > 1 || slices.Max(b.Lengths) < 1<<(csr.LongestPath-1)/int64(b.Vertices())
}

// split puts a vertex without mass, a middle, into every edge of an undirected block. Paths stay the
// same, with twice as many edges, so the score of a middle is that of its edge. If edges have lengths,
// the first part of an edge has length 1; if some edge is no longer than that, all lengths are doubled.
// Chains become as many chains, with more inside. The only error is the context's; the block is then
// unchanged.
func (b *Block) split(ctx context.Context, of *building.EdgeList) error {
	n, m := b.Vertices(), int(b.Edges())
	double := !b.HasLengths() || slices.Min(b.Lengths) == 1
	middles := make([]uint32, 0, m)
	out := b.emptySplit(m)
	next := slices.Clone(out.Offsets) // rows are filled in order: the next place in each
	put := func(v, u uint32, length int64) {
		out.Targets[next[v]] = u
		if out.HasLengths() {
			out.Lengths[next[v]] = length
		}
		next[v]++
	}
	for v := range parallel.Until(ctx, uint32(n)) {
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			u := b.Targets[e]
			if u < v {
				continue
			}
			middle := uint32(n + len(middles))
			middles = append(middles, numberIn(of, b, v, u))
			first, second := int64(1), int64(1)
			if b.HasLengths() {
				if second = b.Lengths[e] - 1; double {
					first, second = b.Lengths[e], b.Lengths[e]
				}
			}
			put(v, middle, first)
			put(middle, v, first)
			put(middle, u, second)
			put(u, middle, second)
		}
	}
	if double {
		b.Cutoff *= 2
		b.Decay = b.Decay.ofHalves()
	}
	b.Graph, b.Middles = out, middles
	from := append(slices.Clip(b.From), make([]float64, m)...)
	if b.OneMass() {
		b.From, b.To = from, from
	} else {
		b.From, b.To = from, append(slices.Clip(b.To), make([]float64, m)...)
	}
	return ctx.Err()
}

// emptySplit makes room for the block's rows, which keep their sizes, and those of the middles.
func (b *Block) emptySplit(middles int) csr.Graph {
	out := csr.Graph{Offsets: append(make([]int64, 0, b.Vertices()+middles+1), b.Offsets...)}
	for range middles {
		out.Offsets = append(out.Offsets, out.Offsets[len(out.Offsets)-1]+2)
	}
	out.Targets = make([]uint32, out.Offsets[len(out.Offsets)-1])
	if b.HasLengths() {
		out.Lengths = make([]int64, len(out.Targets))
	}
	return out
}
