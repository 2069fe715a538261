package preprocess

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/parallel"
)

// hungBlock is more than the vertices of any block that folds: neighbours are bits of a word.
const hungBlock = 64

// foldBlocks goes on with folding where leaves have folded. A block of at most so many vertices, one of which alone is in
// other blocks, folds into that vertex. The largest block of each component stays. The members of a block follow each other
// in the order.
//
// By place in the order, joins has bits for the member's neighbours in its block. Bit 0 is the vertex that the block folds
// into, and bit i the i-th member from behind. sizes has the number of members at the last one, and 0 at the others.
func (f *folding) foldBlocks(ctx context.Context, c *core, b *blocks, most int, joins []uint64, sizes []uint8) ([]uint64, []uint8, error) {
	size := func(block uint32) int { return int(b.first[block+1]-b.first[block]) + 1 }
	each := func(block uint32, do func(v uint32)) {
		do(b.head[block])
		for _, v := range b.members[b.first[block]:b.first[block+1]] {
			do(v)
		}
	}
	largest := make([]uint32, len(c.roots)+1) // by component, from 1 on: its largest block, plus 1
	// By vertex: how many blocks it is in, and their numbers, one XOR the other. By block: how many vertices others share.
	uses, sum, shared := make([]uint32, len(c.vertex)), make([]uint32, len(c.vertex)), make([]int, b.count())
	for block := range parallel.Until(ctx, uint32(b.count())) {
		each(block, func(v uint32) { uses[v], sum[v] = uses[v]+1, sum[v]^block })
		if at, _ := slices.BinarySearch(c.roots, b.head[block]+1); largest[at] == 0 || size(block) > size(largest[at]-1) {
			largest[at] = block + 1
		}
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	for _, block := range largest[1:] {
		shared[block-1] = 2
	}
	var queue []uint32
	for block := range parallel.Until(ctx, uint32(b.count())) {
		if each(block, func(v uint32) { shared[block] += int(min(uses[v]-1, 1)) }); shared[block] < 2 {
			queue = append(queue, block)
		}
	}
	bit, on, members := make([]uint8, len(c.vertex)), uint32(0), []uint32(nil) // in the current block: bits, plus 1
	for i := 0; i < len(queue); i++ {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		block := queue[i]
		if size(block) > most {
			continue
		}
		members = members[:0]
		each(block, func(v uint32) {
			if uses[v] > 1 {
				on, bit[v] = v, 1
			} else {
				members = append(members, v)
				bit[v] = uint8(len(members)) + 1
			}
		})
		into := c.vertex[on]
		for _, u := range slices.Backward(members) {
			near := uint64(0)
			for _, v := range c.graph.Neighbours(u) {
				near |= 1 << bit[v] >> 1
			}
			v := c.vertex[u]
			f.order, f.into = append(f.order, v), append(f.into, into)
			joins, sizes = append(joins, near), append(sizes, 0)
			f.degree[v] = 0
			f.degree[into] -= uint32(near & 1)
			f.weight[into] += f.weight[v]
		}
		sizes[len(sizes)-1] = uint8(len(members))
		each(block, func(v uint32) { bit[v] = 0 })
		uses[on], sum[on] = uses[on]-1, sum[on]^block
		if other := sum[on]; uses[on] == 1 {
			if shared[other]--; shared[other] == 1 {
				queue = append(queue, other)
			}
		}
	}
	return joins, sizes, ctx.Err()
}

// foldHung is foldBlocks for the folding of the graph, where it holds: each edge once. Without it, each vertex of
// the order has folded alone.
func (r *reducer) foldHung(ctx context.Context) (joins []uint64, sizes []uint8, err error) {
	f := r.folding
	joins, sizes = make([]uint64, len(f.order)), make([]uint8, len(f.order))
	for i, u := range parallel.Over(ctx, f.order) {
		if u != f.into[i] {
			joins[i], sizes[i] = 1, 1
		}
	}
	if r.opts.Copies != nil || len(f.order) == len(f.degree) {
		return joins, sizes, ctx.Err()
	}
	if err := r.fits(r.held() + r.coreBytes(f, coreEdgeBytes)); err != nil {
		return nil, nil, err
	}
	c, err := findCore(ctx, r.graph, r.shadow, f, false, nil, r.opts.Threads)
	if err != nil {
		return nil, nil, err
	}
	b, err := findBlocks(ctx, c, r.opts.Threads)
	if err != nil {
		return nil, nil, err
	}
	return f.foldBlocks(ctx, c, b, hungBlock-1, joins, sizes)
}

// search searches a block that hangs on a vertex, from each of its vertices: place 0 is the vertex that it hangs on, place i
// its i-th branch. It adds to arrives what each gets of the masses from. It calls add with the flows to the masses to,
// each times the share of the distance, that pass a vertex.
func (h *hanging) search(block []branch, from, to, arrives []float64, add func(place int, value float64)) {
	if len(block) == 1 {
		arrives[0] += float64(block[0].share * from[1])
		arrives[1] += float64(block[0].share * from[0])
		return
	}
	near := nearby(block)
	var lengths [hungBlock][]int64 // by place: of the arcs to its neighbours
	for place, all := 0, h.lengths[block[0].lengths:]; h.lengths != nil && place <= len(block); place++ {
		lengths[place], all = all[:bits.OnesCount64(near[place])], all[bits.OnesCount64(near[place]):]
	}
	for s := range from {
		if from[s] == 0 {
			continue
		}
		var distance [hungBlock]int64
		var paths, c [hungBlock]float64
		var order [hungBlock]int
		waiting, met, count := uint64(1)<<s, uint64(1)<<s, 0
		for paths[s] = 1; waiting != 0; count++ {
			v := bits.TrailingZeros64(waiting) // the nearest
			for left := waiting & (waiting - 1); left != 0; left &= left - 1 {
				if u := bits.TrailingZeros64(left); distance[u] < distance[v] {
					v = u
				}
			}
			waiting &^= 1 << v
			if order[count] = v; count > 0 {
				arrives[v] += float64(from[s] * h.decay.Share(distance[v]))
			}
			for left, i := near[v], 0; left != 0; left, i = left&(left-1), i+1 {
				u, d := bits.TrailingZeros64(left), distance[v]+lengthAt(lengths[v], i)
				switch bit := uint64(1) << u; {
				case met&bit == 0 || d < distance[u]:
					distance[u], paths[u] = d, paths[v]
					met, waiting = met|bit, waiting|bit
				case d == distance[u]:
					paths[u] += paths[v]
				}
			}
		}
		for _, v := range slices.Backward(order[1:count]) {
			passes := 0.0
			for left, i := near[v], 0; left != 0; left, i = left&(left-1), i+1 {
				if u := bits.TrailingZeros64(left); distance[u] == distance[v]+lengthAt(lengths[v], i) {
					passes += c[u]
				}
			}
			passes *= paths[v]
			c[v] = (float64(to[v]*h.decay.Share(distance[v])) + passes) / paths[v]
			if passes > 0 && add != nil {
				add(v, from[s]*passes)
			}
		}
	}
}

// nearby returns the neighbours of each place of a block, as bits.
func nearby(block []branch) (near [hungBlock]uint64) {
	for i, x := range block {
		near[i+1] = x.joins
		near[0] |= x.joins & 1 << (i + 1)
	}
	return near
}

// lengthAt returns one of the lengths, or 1 where there are none.
func lengthAt(lengths []int64, i int) int64 {
	if lengths == nil {
		return 1
	}
	return lengths[i]
}
