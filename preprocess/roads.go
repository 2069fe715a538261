package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/wholes"
)

const (
	// roadLanes is the number of sources of a batch. Consecutive sources share junctions:
	// luxembourg.osm's batches search from 1.2 times as many junctions as there are.
	roadLanes = 4096
	// roadArms is the cost of an arc in a junction's search, in the time of counting one vertex,
	// which is done for each junction and chain. Searching by bits costs bitsLeast for each pair of
	// vertices, and one more for every bitsDepth levels.
	roadArms  = 12
	bitsLeast = 0.5
	bitsDepth = 64
	// mostRoom is the largest number of counts of a chain, by distance and by how much nearer one
	// end is.
	mostRoom = 1 << 24
)

// layRoads lays the component out as roads, if that is faster, and reports whether it has. b is its
// block, whose local vertices are breadth first and the last of them depth levels deep.
func (r *reducer) layRoads(ctx context.Context, b *Block, list, number []uint32, depth int) (bool, error) {
	if b.Cutoff > 0 || chosenEnds(r.opts.Question) || depth <= shallow {
		return false, nil
	}
	roads, order, err := findRoads(ctx, &b.Graph)
	if err != nil || roads == nil || !roadsPay(roads, float64(b.Vertices()), depth) {
		return false, err
	}
	place := make([]uint32, len(order)) // by vertex: its new place
	for i, v := range order {
		place[v] = uint32(i)
	}
	into := make([]uint32, len(order))
	for v, u := range roads.Into {
		into[place[v]] = place[u]
	}
	roads.Into = into
	for _, names := range [][]uint32{roads.Junctions, roads.Inner} {
		for i, v := range names {
			names[i] = place[v]
		}
	}
	for i, v := range order {
		order[i] = list[v]
	}
	laid, err := r.layBlock(ctx, r.graph, order, number, false)
	if err != nil {
		return false, err
	}
	laid.Roads, laid.Lanes = roads, roadLanes
	if lanes := r.opts.Lanes; lanes > 0 {
		laid.Lanes = lanes * (roadLanes / engine.MaxLanes)
	}
	r.wanted(&laid)
	return true, nil
}

// roadsPay reports whether n vertices are searched faster by roads than by bits, depth being the level
// of the farthest vertex, and whether the counts have room.
func roadsPay(r *csr.Roads, n float64, depth int) bool {
	passes, own, hanging := float64(len(r.Junctions)), 0.0, 0.0
	for e := range r.Ends {
		length := r.Length(e)
		if length == 1 {
			continue
		}
		passes++
		own += float64(length) * float64(length)
		if (2*length+1)*(2*depth+2) > mostRoom {
			return false
		}
	}
	for _, height := range heights(r) {
		hanging += float64(height)
	}
	arms := 2 * float64(len(r.Ends))
	byRoads := n*passes + roadArms*float64(len(r.Junctions))*arms + own + hanging*float64(depth)
	return 2*byRoads < n*n*(bitsLeast+float64(depth)/bitsDepth)
}

// heights returns the distance of each vertex from the chain or junction that it hangs on.
func heights(r *csr.Roads) []uint32 {
	height := make([]uint32, len(r.Into))
	var path []uint32
	for v := range r.Into {
		at := uint32(v)
		for path = path[:0]; r.Into[at] != at && height[at] == 0; at = r.Into[at] {
			path = append(path, at)
		}
		for i, u := range slices.Backward(path) {
			height[u] = height[at] + uint32(len(path)-i)
		}
	}
	return height
}

// findRoads finds the roads of a component in the graph's own numbers, and the order of its
// vertices; nil where no vertex has three neighbours after folding.
func findRoads(ctx context.Context, g *csr.Graph) (*csr.Roads, []uint32, error) {
	n := g.Vertices()
	f, err := foldBelow(ctx, g, 2, nil, wholes.NewForms(n, false), 1)
	if err != nil {
		return nil, nil, err
	}
	roads := &csr.Roads{Into: csr.Ascending(n)}
	for i, v := range f.order {
		roads.Into[v] = f.into[i]
	}
	left := make([]uint32, 0, n-len(f.order)) // by number in the core
	core := make([]uint32, n)
	for v, degree := range f.degree {
		if degree > 0 {
			core[v] = uint32(len(left))
			left = append(left, uint32(v))
		}
	}
	among := csr.Graph{Offsets: make([]int64, 1, len(left)+1)}
	for _, v := range left {
		for _, u := range g.Neighbours(v) {
			if f.degree[u] > 0 {
				among.Targets = append(among.Targets, core[u])
			}
		}
		among.Offsets = append(among.Offsets, int64(len(among.Targets)))
	}
	found, err := csr.WalkChains(ctx, &among, nil)
	if err != nil || len(found.Junctions) == 0 {
		return nil, nil, err
	}
	compact, err := found.Compact(ctx)
	if err != nil {
		return nil, nil, err
	}
	roads.Chains = *compact
	for _, names := range [][]uint32{roads.Junctions, roads.Inner} {
		for i, v := range names {
			names[i] = left[v]
		}
	}
	return roads, roadOrder(roads, f), nil
}

// roadOrder lists all vertices, group after group.
func roadOrder(r *csr.Roads, f *folding) []uint32 {
	n := len(r.Into)
	first, hanging := csr.Group(f.into, n)
	order := make([]uint32, 0, n)
	var stack []uint32
	hang := func(on uint32) {
		for stack = append(stack[:0], on); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if v != on {
				order = append(order, v)
			}
			for _, i := range hanging[first[v]:first[v+1]] {
				stack = append(stack, f.order[i])
			}
		}
	}
	e := 0
	for j, v := range r.Junctions {
		order = append(order, v)
		hang(v)
		for ; e < len(r.Ends) && r.Ends[e][1] == uint32(j); e++ {
			inner := r.Inner[r.First[e]:r.First[e+1]]
			order = append(order, inner...)
			for _, v := range inner {
				hang(v)
			}
		}
	}
	return order
}

// hollow returns the number of chains that have vertices inside.
func hollow(r *csr.Roads) (count int) {
	for e := range r.Ends {
		if r.Length(e) > 1 {
			count++
		}
	}
	return count
}
