package preprocess

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// clique: every two vertices are neighbours, both ways, so that nothing lies between.
// Two vertices need not be neighbours both ways.
func (e outline) clique() bool { return e.arcs == int64(e.size)*int64(e.size-1) || e.size == 2 }

// cycle: every vertex of a biconnected component has two neighbours, both ways.
func (e outline) cycle() bool { return e.edges == 2*int64(e.size) && e.arcs == e.edges }

// work of the block's traversal, in edge visits.
func (e outline) work() int64 { return int64(e.size) * e.edges }

// memberRows are the rows of a core's graph, each limited to the neighbours in the
// block that the vertex is a member of.
type memberRows struct {
	*csr.Graph
	inner []uint32 // by core vertex: neighbours in its block, times 2, plus 1 if the head is one of them
}

// newCopier numbers the members of each block in the core's order, which is breadth
// first from the head, and counts edges.
func newCopier(ctx context.Context, c *core, b *blocks, threads int) (*copier, error) {
	n := len(c.vertex)
	k := &copier{core: c, blocks: b, local: make([]uint32, n), heads: make([]bool, n)}
	for _, head := range b.head {
		k.heads[head] = true
	}
	parallel.SpreadWhole(threads, len(b.members), parallel.Interval, func(lo, hi int) {
		for i, v := range b.members[lo:hi] {
			k.local[v] = uint32(lo+i) - b.first[b.of[v]] + 1
		}
	})
	var err error
	if k.shadow, err = k.countMembers(ctx, &c.graph, threads); err != nil {
		return nil, err
	}
	k.out, k.in = k.shadow, k.shadow
	if !c.arcs.Directed() {
		return k, nil
	}
	if k.out, err = k.countMembers(ctx, c.arcs, threads); err != nil {
		return nil, err
	}
	k.in, err = k.countMembers(ctx, c.arcs.In, threads)
	return k, err
}

// countMembers counts the neighbours of each vertex in its block. All edges of a vertex
// are in its block, unless it is a head: only heads need a look at their neighbours.
func (k *copier) countMembers(ctx context.Context, g *csr.Graph, threads int) (memberRows, error) {
	m := memberRows{g, make([]uint32, g.Vertices())}
	return m, parallel.SpreadRows(ctx, threads, g.Offsets, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			block := k.of[v]
			row := g.Neighbours(uint32(v))
			if block == csr.None || len(row) == 0 {
				continue
			}
			inner := 2 * uint32(len(row))
			if k.heads[v] {
				inner = 0
				for _, u := range row {
					if u == k.head[block] || k.of[u] == block {
						inner += 2
					}
				}
			}
			if row[0] == k.head[block] { // heads are smaller than members
				inner++
			}
			m.inner[v] = inner
		}
	})
}

// outlines of the blocks, most work first.
func (k *copier) outlines(ctx context.Context, threads int) ([]outline, error) {
	outlines, order := make([]outline, k.count()), make([]*outline, k.count())
	for block := range outlines {
		members := k.members[k.first[block]:k.first[block+1]]
		var edges, arcs atomic.Int64
		parallel.SpreadWhole(threads, len(members), parallel.Interval, func(lo, hi int) {
			inside, either := int64(0), int64(0)
			for _, v := range members[lo:hi] {
				inside += int64(k.shadow.inner[v]>>1 + k.shadow.inner[v]&1)
				either += int64(k.out.inner[v]>>1 + k.in.inner[v]&1)
			}
			edges.Add(inside)
			arcs.Add(either)
		})
		outlines[block] = outline{block: uint32(block), size: len(members) + 1, edges: edges.Load(), arcs: arcs.Load()}
		order[block] = &outlines[block]
	}
	err := parallel.SortUntil(ctx, order, func(x, y *outline) int { // pointers share the code of other sorts
		return cmp.Or(cmp.Compare(y.work(), x.work()), cmp.Compare(x.block, y.block))
	})
	sorted := make([]outline, len(order))
	for i, e := range order {
		sorted[i] = *e
		sorted[i].place = i
	}
	return sorted, err
}

// measureBlocks counts the vertices and edges of the blocks.
func (r *reducer) measureBlocks(ctx context.Context, _ wholes.Forms) (err error) {
	if r.copier, err = newCopier(ctx, r.core, r.blocks, r.opts.Threads); err != nil {
		return err
	}
	if r.outlines, err = r.copier.outlines(ctx, r.opts.Threads); err != nil {
		return err
	}
	for _, e := range r.outlines {
		r.plan.LargestBlock = max(r.plan.LargestBlock, e.size)
	}
	return nil
}

// copyBlocks makes the plan's blocks of the remaining outlines.
func (r *reducer) copyBlocks(ctx context.Context, _ wholes.Forms) (err error) {
	if r.plan.Blocks == nil { // else all have been copied already, for their masses
		if !r.copier.isBlock(r.outlines) {
			if err = r.fits(r.held() + r.copying); err != nil {
				return err
			}
		}
		r.plan.Blocks, err = r.copier.copyAll(ctx, r.outlines, r.opts.Threads)
	} else {
		r.plan.Blocks = left(r.plan.Blocks, r.outlines)
	}
	if err != nil {
		return err
	}
	if err = r.copyLengths(ctx); err == nil {
		err = r.repeatArcs(ctx)
	}
	r.hang()
	r.core, r.blocks, r.copier, r.outlines = nil, nil, nil, nil
	return err
}

// left returns the blocks of the given outlines.
func left(blocks []Block, outlines []outline) []Block {
	out := make([]Block, len(outlines))
	for i, e := range outlines {
		out[i] = blocks[e.place]
	}
	return out
}

// isBlock reports whether the core is one block.
func (k *copier) isBlock(outlines []outline) bool {
	return len(outlines) == 1 && outlines[0].size == len(k.vertex)
}

// copyAll copies the blocks of the given outlines, the head first in each. A core
// that is one block is its graph already.
func (k *copier) copyAll(ctx context.Context, outlines []outline, threads int) ([]Block, error) {
	if k.isBlock(outlines) {
		b := Block{Graph: *k.arcs, names: names{vertices: make([]uint32, len(k.vertex))}}
		b.setMass(make([]float64, len(k.vertex)))
		if b.Directed() {
			b.To = make([]float64, len(k.vertex))
		}
		k.describe(&b, outlines[0].block, threads)
		return []Block{b}, nil
	}
	// All blocks share one array of each kind, so that a million small blocks are
	// cheap. rows numbers the rows of all blocks, one after the other.
	rows := make([]int, len(outlines)+1)
	for i, e := range outlines {
		rows[i+1] = rows[i] + e.size
	}
	total := rows[len(outlines)]
	mass := make([]float64, total)
	vertices := make([]uint32, total)
	out := make([]Block, len(outlines))
	graphs := k.emptyGraphs(outlines, k.out, k.in)
	var reverse []csr.Graph
	var targetMass []float64
	if k.arcs.Directed() {
		reverse, targetMass = k.emptyGraphs(outlines, k.in, k.out), make([]float64, total)
	}
	for i, s := range outlines {
		lo, hi := rows[i], rows[i+1]
		out[i] = Block{Graph: graphs[i], names: names{vertices: vertices[lo:hi:hi]}}
		out[i].setMass(mass[lo:hi:hi])
		if reverse != nil {
			out[i].In, out[i].To = &reverse[i], targetMass[lo:hi:hi]
		}
		k.describe(&out[i], s.block, threads)
	}
	err := parallel.Spread(ctx, threads, total, 1<<12, func(lo, hi int) {
		i, found := slices.BinarySearch(rows, lo)
		if !found {
			i--
		}
		for ; i < len(outlines) && rows[i] < hi; i++ {
			first, end := max(lo-rows[i], 1), min(hi, rows[i+1])-rows[i]
			k.copyRows(&out[i].Graph, k.out.Graph, outlines[i].block, first, end)
			if reverse != nil {
				k.copyRows(&reverse[i], k.in.Graph, outlines[i].block, first, end)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		copyHead(&out[i].Graph, out[i].Reverse())
		if reverse != nil {
			copyHead(&reverse[i], &out[i].Graph)
		}
	}
	return out, nil
}

// emptyGraphs makes room for the blocks' rows, which share one array of each kind. back
// has the same arcs the other way round.
func (k *copier) emptyGraphs(outlines []outline, m, back memberRows) []csr.Graph {
	edges, total := int64(0), 0
	for _, e := range outlines {
		edges += e.arcs
		total += e.size + 1
	}
	offsets, targets := make([]int64, total), make([]uint32, edges)
	graphs := make([]csr.Graph, len(outlines))
	for i, e := range outlines {
		graphs[i] = csr.Graph{Offsets: offsets[: e.size+1 : e.size+1], Targets: targets[:e.arcs:e.arcs]}
		offsets, targets = offsets[e.size+1:], targets[e.arcs:]
		k.countRows(&graphs[i], m, back, e.block)
	}
	return graphs
}

// setMass gives vertices equal masses as sources and as targets.
func (b *Block) setMass(mass []float64) { b.From, b.To = mass, mass }

// describe fills in the vertices of the block and their weights. The masses of a
// directed graph are set by spreadMasses.
func (k *copier) describe(out *Block, block uint32, threads int) {
	out.vertices[0] = k.vertex[k.head[block]]
	out.From[0] = float64(k.headWeight(block))
	members := k.members[k.first[block]:k.first[block+1]]
	parallel.SpreadWhole(threads, len(members), parallel.Interval, func(lo, hi int) {
		for i, v := range members[lo:hi] {
			out.vertices[lo+i+1] = k.vertex[v]
			out.From[lo+i+1] = float64(k.beyond[v])
		}
	})
}

// countRows makes the offsets. The head's row has an entry for every member whose row
// in back has the head.
func (k *copier) countRows(out *csr.Graph, m, back memberRows, block uint32) {
	degree := int64(0) // of the head
	for i, v := range k.members[k.first[block]:k.first[block+1]] {
		out.Offsets[i+2] = int64(m.inner[v] >> 1)
		degree += int64(back.inner[v] & 1)
	}
	out.Offsets[1] = degree
	for v := range out.Vertices() {
		out.Offsets[v+1] += out.Offsets[v]
	}
}

// headWeight is the weight that the members of the block leave to its head.
func (k *copier) headWeight(block uint32) uint32 {
	component, found := slices.BinarySearch(k.roots, k.head[block])
	if !found {
		component--
	}
	return k.size[component] - k.inside[block]
}

// copyRows copies the rows lo..hi-1 of the block from those of the core; none is the
// head's. They stay in order, since members are numbered in the core's order.
func (k *copier) copyRows(out, core *csr.Graph, block uint32, lo, hi int) {
	members := k.members[k.first[block]:]
	for i := lo; i < hi; i++ {
		v := members[i-1]
		from, to := core.Neighbours(v), out.Neighbours(uint32(i))
		if len(from) > 0 && from[0] == k.head[block] {
			to[0] = 0
			from, to = from[1:], to[1:]
		}
		at := 0
		for _, u := range from {
			if !k.heads[v] || k.of[u] == block {
				to[at] = k.local[u]
				at++
			}
		}
	}
}

// copyHead writes the head's row: the vertices whose row, the other way round, begins
// with the head.
func copyHead(g *csr.Graph, back *csr.Graph) {
	row := g.Targets[:0]
	for v := 1; v < g.Vertices(); v++ {
		if from := back.Neighbours(uint32(v)); len(from) > 0 && from[0] == 0 {
			row = append(row, uint32(v))
		}
	}
}
