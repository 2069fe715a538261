package preprocess

import (
	"context"
	"slices"
)

// splittable tells whether lengths leave room for split.
func (b *Block) splittable() bool {
	return b.Lengths == nil || slices.Min(b.Lengths) > 1 || slices.Max(b.Lengths) < 1<<(longest-1)/int64(b.Vertices())
}

// split puts a vertex without mass, a middle, into every edge. All paths stay what
// they are, by twice as many edges, so that what a search finds for a middle is what
// its edge has. Of edges with lengths the first part is 1 long, or where an edge
// has no more, all lengths are doubled. Chains become as many chains, with more inside.
// The only error is the context's, and the block is then as it was.
func (b *Block) split(ctx context.Context, of *EdgeList) error {
	n, m := b.Vertices(), int(b.Edges())
	double := b.Lengths == nil || slices.Min(b.Lengths) == 1
	middles := make([]uint32, 0, m)
	out, in := b.emptySplit(&b.Graph, m), (*Graph)(nil)
	if b.In != nil {
		in = b.emptySplit(b.In, m)
	}
	// Rows are filled in order: the next place in each.
	next := slices.Clone(out.Offsets)
	back, nextBack := out, next
	if in != nil {
		back, nextBack = in, slices.Clone(in.Offsets)
	}
	put := func(g *Graph, next []int64, v, u uint32, length int64) {
		g.Targets[next[v]] = u
		if g.Lengths != nil {
			g.Lengths[next[v]] = length
		}
		next[v]++
	}
	for v := range uint32(n) {
		if v%interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			u := b.Targets[e]
			if in == nil && u < v {
				continue
			}
			middle := uint32(n + len(middles))
			middles = append(middles, of.numberIn(b, v, u))
			first, second := int64(1), int64(1)
			if b.Lengths != nil {
				if second = b.Lengths[e] - 1; double {
					first, second = b.Lengths[e], b.Lengths[e]
				}
			}
			put(out, next, v, middle, first)
			put(back, nextBack, middle, v, first)
			put(out, next, middle, u, second)
			put(back, nextBack, u, middle, second)
		}
	}
	b.Graph, b.In, b.Middles = *out, in, middles
	from := append(slices.Clip(b.From), make([]float64, m)...)
	if b.OneMass() {
		b.From, b.To = from, from
	} else {
		b.From, b.To = from, append(slices.Clip(b.To), make([]float64, m)...)
	}
	return nil
}

// emptySplit makes room for the rows of g, which keep their sizes, and those of the
// middles.
func (b *Block) emptySplit(g *Graph, middles int) *Graph {
	n, each := b.Vertices(), int64(2)
	if b.In != nil {
		each = 1
	}
	out := &Graph{Offsets: append(make([]int64, 0, n+middles+1), g.Offsets...)}
	for range middles {
		out.Offsets = append(out.Offsets, out.Offsets[len(out.Offsets)-1]+each)
	}
	out.Targets = make([]uint32, out.Offsets[n+middles])
	if g.Lengths != nil {
		out.Lengths = make([]int64, len(out.Targets))
	}
	return out
}
