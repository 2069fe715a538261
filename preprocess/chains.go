package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// Length returns the length of chain e in edges: one more than the number of vertices inside.
func (c *Chains) Length(e int) int { return int(c.First[e+1]-c.First[e]) + 1 }

// Sources returns all vertices, for Block.Sources: every junction, followed by the chains whose second end it is. So
// consecutive sources hang on few junctions.
func (c *Chains) Sources() []uint32 {
	sources := make([]uint32, 0, len(c.Junctions)+len(c.Inner))
	e := 0
	for j, v := range c.Junctions {
		sources = append(sources, v)
		for ; e < len(c.Ends) && c.Ends[e][1] == uint32(j); e++ {
			sources = append(sources, c.Inner[c.First[e]:c.First[e+1]]...)
		}
	}
	return sources
}

const (
	// chainLanes is the number of sources per batch of a block with chains. A batch searches from every junction that
	// its sources hang on, and visits the block once besides. Of luxembourg.osm, 64 sources hang on 10.9 junctions, 512
	// on 64; 64 sources per batch take 1.3 times as long.
	chainLanes = 512
	// chainGain is how much smaller chains^2 must be than n*m. At this ratio, grids and random cubic graphs whose edges
	// are cut into chains are searched twice as fast as by lanes of AVX-512, and at 25 five times as fast
	// (BenchmarkChains in package cpu).
	chainGain = 10
	// lengthGain is chainGain for blocks whose arcs have lengths, where lanes are slower. At 5, chains take as long as
	// lanes on grids, and half as long on random cubic graphs.
	lengthGain = 5
)

// findChains is the step "chains": it finds the chains of the blocks that gain by them.
func (r *reducer) findChains(ctx context.Context, _ wholes.Forms) error {
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.Chains != nil {
			continue
		}
		inside := 0
		for v := range b.Vertices() {
			if b.Offsets[v+1]-b.Offsets[v] == 2 {
				inside++
			}
		}
		gain := float64(chainGain)
		if b.HasLengths() {
			gain = lengthGain
		}
		n, m := float64(b.Vertices()), float64(b.Edges())
		chains := m - float64(inside) // every vertex inside makes one of two edges
		if gain*chains*chains > n*m {
			continue
		}
		if r.edges != nil {
			if !b.splittable() {
				continue
			}
			if err := b.split(ctx, r.edges); err != nil {
				return err
			}
		}
		var err error
		if b.Chains, err = FindChains(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// FindChains finds the chains of a block in time O(m log n). The result is nil if there are fewer than two junctions:
// the block is a cycle or an edge. The only error is the context's.
func FindChains(ctx context.Context, b *Block) (*Chains, error) {
	found, err := walk(ctx, &b.Graph, nil)
	if err != nil || len(found.Junctions) < 2 {
		return nil, err
	}
	order, err := nearby(ctx, found.contract(), shortest)
	if err != nil {
		return nil, err
	}
	return found.renumber(order), nil
}

// walk follows every chain from the end with the smaller number. Some vertices may be junctions whatever their degree.
// Vertices with one neighbour are then junctions, too, and chains may join a junction to itself.
func walk(ctx context.Context, g *csr.Graph, junctions []bool) (*Chains, error) {
	c := &Chains{}
	junction := func(v uint32) bool {
		if junctions == nil {
			return len(g.Neighbours(v)) > 2
		}
		return len(g.Neighbours(v)) != 2 || junctions[v]
	}
	number := make([]uint32, g.Vertices()) // by junction
	for v := range number {
		if junction(uint32(v)) {
			number[v] = uint32(len(c.Junctions))
			c.Junctions = append(c.Junctions, uint32(v))
		}
	}
	steps := 0 // chains may be few and long
	for j, v := range c.Junctions {
		for _, at := range g.Neighbours(v) {
			first, before := len(c.Inner), v
			for {
				if steps++; steps%parallel.Interval == 0 && ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if junction(at) {
					break
				}
				two := g.Neighbours(at)
				c.Inner = append(c.Inner, at)
				before, at = at, two[0]^two[1]^before
			}
			if at < v || at == v && c.Inner[first] > c.Inner[len(c.Inner)-1] {
				c.Inner = c.Inner[:first] // walked from the other end, or the other way round
				continue
			}
			c.First = append(c.First, uint32(first))
			c.Ends = append(c.Ends, [2]uint32{uint32(j), number[at]})
		}
	}
	c.First = append(c.First, uint32(len(c.Inner)))
	return c, nil
}

// contract makes the graph of the junctions, with an edge for every chain.
func (c *Chains) contract() *csr.Graph {
	g := &csr.Graph{Offsets: make([]int64, len(c.Junctions)+1), Targets: make([]uint32, 2*len(c.Ends))}
	for _, ends := range c.Ends {
		g.Offsets[ends[0]+1]++
		g.Offsets[ends[1]+1]++
	}
	for j := range c.Junctions {
		g.Offsets[j+1] += g.Offsets[j]
	}
	next := slices.Clone(g.Offsets)
	for _, ends := range c.Ends {
		for side, x := range ends {
			g.Targets[next[x]] = ends[1-side]
			next[x]++
		}
	}
	return g
}

// renumber puts the junctions in the given order, and the chains in that of
// their second ends.
func (c *Chains) renumber(order []uint32) *Chains {
	out := &Chains{
		Junctions: make([]uint32, len(order)),
		Ends:      make([][2]uint32, 0, len(c.Ends)),
		First:     make([]uint32, 1, len(c.First)),
		Inner:     make([]uint32, 0, len(c.Inner)),
	}
	number := make([]uint32, len(order))
	for place, j := range order {
		number[j] = uint32(place)
		out.Junctions[place] = c.Junctions[j]
	}
	next := make([]int, len(order)+1) // by second end: place of its next chain
	for _, ends := range c.Ends {
		next[max(number[ends[0]], number[ends[1]])+1]++
	}
	for j := range order {
		next[j+1] += next[j]
	}
	sorted := make([]int, len(c.Ends))
	for e, ends := range c.Ends {
		second := max(number[ends[0]], number[ends[1]])
		sorted[next[second]] = e
		next[second]++
	}
	for _, e := range sorted {
		x, y := number[c.Ends[e][0]], number[c.Ends[e][1]]
		first := len(out.Inner)
		out.Inner = append(out.Inner, c.Inner[c.First[e]:c.First[e+1]]...)
		if x > y {
			slices.Reverse(out.Inner[first:])
		}
		out.Ends = append(out.Ends, [2]uint32{min(x, y), max(x, y)})
		out.First = append(out.First, uint32(len(out.Inner)))
	}
	return out
}
