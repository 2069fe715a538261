package preprocess

import (
	"context"
	"math/bits"
)

// sweepBits is how many components one sweep is about: a cache line of bits each.
const (
	sweepWords = 8
	sweepBits  = 64 * sweepWords
)

// condensed is a graph whose vertices are strongly connected components of another.
// Arcs run from higher numbers to lower ones, each once.
type condensed struct {
	Graph
	from, to []int64 // by component: sums of its vertices' masses
}

// condense makes it of a graph, its components and its vertices' masses.
func condense(g *Graph, s strong, from, to []float64) *condensed {
	c := &condensed{from: make([]int64, s.count), to: make([]int64, s.count)}
	first := make([]uint32, s.count+1) // by component: where its vertices begin in order
	for v, i := range s.of {
		c.from[i] += int64(from[v])
		c.to[i] += int64(to[v])
		first[i+1]++
	}
	for i := range s.count {
		first[i+1] += first[i]
	}
	order, next := make([]uint32, len(s.of)), append([]uint32(nil), first[:s.count]...)
	for v, i := range s.of {
		order[next[i]] = uint32(v)
		next[i]++
	}
	c.Offsets = make([]int64, s.count+1)
	last := next // by component: one more than the last that had an arc there
	clear(last)
	for i := range uint32(s.count) {
		for _, v := range order[first[i]:first[i+1]] {
			for _, u := range g.Neighbours(v) {
				if j := s.of[u]; j != i && last[j] != i+1 {
					last[j] = i + 1
					c.Targets = append(c.Targets, j)
				}
			}
		}
		c.Offsets[i+1] = int64(len(c.Targets))
	}
	return c
}

// reached gives, for each of the components that are asked about, the source mass of
// all that reach it and the target mass of all that it reaches, its own included.
// It does not search from each of them: a sweep over the arcs, in their order, ORs a
// row of bits per component, one bit for each of 512 that are asked about.
func (c *condensed) reached(ctx context.Context, about []uint32, threads int) (in, out []int64, err error) {
	in, out = make([]int64, len(about)), make([]int64, len(about))
	rows := make([][][sweepWords]uint64, threads)
	err = parallel(ctx, threads, (len(about)+sweepBits-1)/sweepBits, func(worker, item int) {
		if rows[worker] == nil {
			rows[worker] = make([][sweepWords]uint64, c.Vertices())
		}
		lo := item * sweepBits
		hi := min(lo+sweepBits, len(about))
		c.sweep(ctx, about[lo:hi], rows[worker], in[lo:hi], out[lo:hi])
	})
	return in, out, err
}

// sweep does so for up to 512 of them.
func (c *condensed) sweep(ctx context.Context, about []uint32, rows [][sweepWords]uint64, in, out []int64) {
	begin := func() {
		clear(rows)
		for bit, i := range about {
			rows[i][bit/64] |= 1 << (bit % 64)
		}
	}
	count := func(i int, mass int64, sums []int64) {
		for w, word := range rows[i] {
			for ; word != 0; word &= word - 1 {
				sums[64*w+bits.TrailingZeros64(word)] += mass
			}
		}
	}
	begin() // a row holds those that its component reaches
	for i := range rows {
		if i%interval == 0 && ctx.Err() != nil {
			return
		}
		row := &rows[i]
		for _, j := range c.Neighbours(uint32(i)) {
			for w, word := range &rows[j] {
				row[w] |= word
			}
		}
		count(i, c.from[i], in)
	}
	begin() // a row holds those that reach its component
	for i := len(rows) - 1; i >= 0; i-- {
		if i%interval == 0 && ctx.Err() != nil {
			return
		}
		row := &rows[i]
		for _, j := range c.Neighbours(uint32(i)) {
			for w, word := range row {
				rows[j][w] |= word
			}
		}
		count(i, c.to[i], out)
	}
}
