package csr

import (
	"context"
	"slices"

	"bcstage/internal/parallel"
)

// Chains is a graph seen as junctions joined by chains of vertices with two neighbours. Junctions have three
// neighbours or more. An edge between two junctions is a chain
// without vertices inside. Several chains may join the same two junctions. None joins a junction to itself, since
// that would be an articulation point.
//
// Junctions are numbered such that runs of them are compact. Chains are in the order of their second ends.
type Chains struct {
	Junctions []uint32    // local vertex of each junction
	Ends      [][2]uint32 // by chain: positions in Junctions, the smaller first
	First     []uint32    // by chain, and one more: where its vertices begin in Inner
	Inner     []uint32    // local vertices inside chains, each chain's from its first end to its second
}

// Roads is a component as chains that junctions join, and trees that hang on both. It is the graph after leaves have
// folded, cut at its vertices with three neighbours or more. Distances from a vertex inside a chain follow from
// those of its two ends, so a road network is searched from its junctions only.
//
// Local vertices stand in groups. A junction is followed by what hangs on it, parents first. Then, for every chain
// whose second end it is, come the vertices inside, in the chain's order, and what hangs on each.
type Roads struct {
	Chains          // in local numbers; a chain may join a junction to itself
	Into   []uint32 // by local vertex: the vertex it hangs on; itself, if it is a junction or inside a chain
}

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

// FindChains finds the chains of a graph in time O(m log n). The result is nil if there are fewer than two junctions:
// a biconnected graph is then a cycle or an edge. The only error is the context's.
func FindChains(ctx context.Context, g *Graph) (*Chains, error) {
	found, err := WalkChains(ctx, g, nil)
	if err != nil || len(found.Junctions) < 2 {
		return nil, err
	}
	return found.Compact(ctx)
}

// Compact numbers the junctions such that runs of them are compact, and puts the chains in the order of their second
// ends. The only error is the context's.
func (c *Chains) Compact(ctx context.Context) (*Chains, error) {
	order, err := Nearby(ctx, c.Contract(), ShortestRun)
	if err != nil {
		return nil, err
	}
	return c.Renumber(order), nil
}

// WalkChains follows every chain from the end with the smaller number. Some vertices may be junctions whatever their degree.
// Vertices with one neighbour are then junctions, too, and chains may join a junction to itself.
func WalkChains(ctx context.Context, g *Graph, junctions []bool) (*Chains, error) {
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

// Contract makes the graph of the junctions, with an edge for every chain.
func (c *Chains) Contract() *Graph {
	g := &Graph{Offsets: make([]int64, len(c.Junctions)+1), Targets: make([]uint32, 2*len(c.Ends))}
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

// Renumber puts the junctions in the given order, and the chains in that of
// their second ends.
func (c *Chains) Renumber(order []uint32) *Chains {
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
	second := make([]uint32, len(c.Ends))
	for e, ends := range c.Ends {
		second[e] = max(number[ends[0]], number[ends[1]])
	}
	_, sorted := Group(second, len(order))
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
