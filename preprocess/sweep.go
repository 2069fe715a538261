package preprocess

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// sweepBits is the number of components that one sweep serves: a cache line of bits.
const (
	sweepWords = 8
	sweepBits  = 64 * sweepWords

	sweepMemory = 1 << 26 // bytes of the rows of all threads
)

// condensed is a graph whose vertices are the strongly connected components of another.
// Arcs run from higher numbers to lower ones, each once.
type condensed struct {
	csr.Graph
	mass []int64 // by component: sum of its vertices' masses

	// Where each vertex is a component, Graph is the other graph, and has its numbers.
	vertex []uint32 // by component; nil: several vertices are one
	of     []uint32 // by vertex: its component
}

// at returns the row of a component.
func (c *condensed) at(i uint32) uint32 {
	if c.vertex == nil {
		return i
	}
	return c.vertex[i]
}

// condense makes it of a graph, its components and its vertices' masses. It keeps the graph and the components. The only
// error is the context's.
func condense[M int64 | float64](ctx context.Context, g *csr.Graph, s strong, mass []M) (*condensed, error) {
	c := &condensed{mass: make([]int64, s.count)}
	if s.count == len(s.of) {
		c.Graph, c.vertex, c.of = *g, make([]uint32, s.count), s.of
		for v, i := range parallel.Over(ctx, s.of) {
			c.mass[i], c.vertex[i] = int64(mass[v]), uint32(v)
		}
		return c, ctx.Err()
	}
	first := make([]uint32, s.count+1) // by component: where its vertices begin in order
	for v, i := range parallel.Over(ctx, s.of) {
		c.mass[i] += int64(mass[v])
		first[i+1]++
	}
	for i := range s.count {
		first[i+1] += first[i]
	}
	order, next := make([]uint32, len(s.of)), append([]uint32(nil), first[:s.count]...)
	for v, i := range parallel.Over(ctx, s.of) {
		order[next[i]] = uint32(v)
		next[i]++
	}
	c.Offsets, c.Targets = make([]int64, s.count+1), make([]uint32, 0, len(g.Targets)) // pages that are not written cost nothing
	last := next                                                                       // by component: the last that had an arc there, plus one
	clear(last)
	for i := range uint32(s.count) {
		for at, v := range order[first[i]:first[i+1]] {
			if (first[i]+uint32(at))%parallel.Interval == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, u := range g.Neighbours(v) {
				if j := s.of[u]; j != i && last[j] != i+1 {
					last[j] = i + 1
					c.Targets = append(c.Targets, j)
				}
			}
		}
		c.Offsets[i+1] = int64(len(c.Targets))
	}
	return c, ctx.Err()
}

// bitRow has a bit for each of 64 components, or of 512.
type bitRow interface{ [1]uint64 | [sweepWords]uint64 }

// reached returns, for each component in about, the mass of all components that it
// reaches, its own included. It does not search from each of them. A sweep over the arcs,
// in their order, ORs a row of bits per component. A row has one bit for each of 512
// components in about, which says whether that one reaches the component.
func (c *condensed) reached(ctx context.Context, about []uint32, threads int) ([]int64, error) {
	if len(about) <= 64 {
		return reachedBy[[1]uint64](ctx, c, about, threads)
	}
	return reachedBy[[sweepWords]uint64](ctx, c, about, threads)
}

func reachedBy[R bitRow](ctx context.Context, c *condensed, about []uint32, threads int) ([]int64, error) {
	sums := make([]int64, len(about))
	// As many threads as have room for their rows in little memory, beside what Reduce
	// counts.
	threads = min(threads, max(sweepMemory/(8*sweepWords*max(c.Vertices(), 1)), 1))
	rows := make([][]R, threads)
	return sums, parallel.Each(ctx, threads, (len(about)+sweepBits-1)/sweepBits, func(worker, item int) {
		if rows[worker] == nil {
			rows[worker] = make([]R, c.Vertices())
		}
		lo := item * sweepBits
		hi := min(lo+sweepBits, len(about))
		sweep(ctx, c, about[lo:hi], rows[worker], sums[lo:hi])
	})
}

// sweep does so for as many of the components as a row has bits. It leaves the rows, by c.at.
func sweep[R bitRow](ctx context.Context, c *condensed, about []uint32, rows []R, sums []int64) {
	for piece := range slices.Chunk(rows, parallel.Interval) {
		if ctx.Err() != nil {
			return
		}
		clear(piece)
	}
	for bit, i := range about {
		rows[c.at(i)][bit/64] |= 1 << (bit % 64)
	}
	var none R
	for i := len(rows) - 1; i >= 0; i-- {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return
		}
		at := c.at(uint32(i))
		row := rows[at]
		if row == none {
			continue
		}
		for _, j := range c.Neighbours(at) {
			for w := range len(row) {
				rows[j][w] |= row[w]
			}
		}
		for w := range len(row) {
			for word := row[w]; word != 0; word &= word - 1 {
				sums[64*w+bits.TrailingZeros64(word)] += c.mass[i]
			}
		}
	}
}

// reach is reached for all components. A component with one arc reaches what its successor
// reaches, and needs no bit.
func (c *condensed) reach(ctx context.Context, threads int) ([]int64, error) {
	all := make([]int64, c.Vertices())
	var about []uint32
	for i := range uint32(len(all)) {
		if len(c.Neighbours(c.at(i))) > 1 {
			about = append(about, i)
		}
	}
	sums, err := c.reached(ctx, about, threads)
	for i := range uint32(len(all)) { // lower numbers first
		switch row := c.Neighbours(c.at(i)); len(row) {
		case 0:
			all[i] = c.mass[i]
		case 1:
			next := row[0]
			if c.vertex != nil {
				next = c.of[next]
			}
			all[i] = c.mass[i] + all[next]
		default:
			all[i], sums = sums[0], sums[1:]
		}
	}
	return all, err
}
