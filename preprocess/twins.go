package preprocess

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/splitmix"
	"bcstage/internal/wholes"
)

// Twins are vertices with the same neighbours. False twins, N(u) = N(v), are not neighbours of
// each other; true twins, N(u) and u = N(v) and v, are. The result of a search for one holds
// for the others, so a block is searched with one vertex per class of twins
// (Block.Multiplicity). No vertex is in a class of both kinds.
//
// This leaves out pairs within a class. True twins have nothing between them. The shortest
// paths between false twins lead through their D common neighbours (each counts as often as paths lead
// through it, see between), which share the weight of the pairs,
//
//	sum over x != y in the class of From(x)*To(y)
//		= sum of From * sum of To - sum of From(x)*To(x)
//
// in ordered pairs (Block.within, Block.Each).
//
// Where arcs have lengths, false twins are equally far from each common neighbour, and only
// the nearest of these lie between them (Block.between). True twins are not merged: a path
// around their arc may be as short as the arc.
//
// For a question about edges, twins have equal masses, too, so that all edges between the
// members of two classes have equal flows: see edges_twins.go.
//
// A.E. Sariyuce, E. Saule, K. Kaya, U.V. Catalyurek, "Shattering and
// compressing networks for betweenness centrality", SDM 2013 (identical and
// side vertices).

// twinShare: twins must save at least one in twinShare of a block's vertices to justify
// multiplying by their number in every step of a search.
const twinShare = 50

// flowTwinShare is likewise for a question about edges, where each number of Flows then needs
// a list.
const flowTwinShare = 20

// twinFinder finds the twins of one block after another in the same memory.
type twinFinder struct {
	equal  bool       // twins have equal masses, too
	keys   []uint64   // by vertex: a hash of its neighbours
	like   []uint32   // by vertex: the smallest vertex of its class
	tables [][]uint32 // by share of the keys, open addressing: the smallest vertex of a class, or none
}

// find returns, by vertex, the smallest vertex of its class, and the number of vertices that
// are not the smallest. The slice is reused by the next call.
func (f *twinFinder) find(ctx context.Context, b *Block, threads int) ([]uint32, int, error) {
	n := b.Vertices()
	f.keys = slices.Grow(f.keys[:0], n)[:n]
	f.like = slices.Grow(f.like[:0], n)[:n]
	err := parallel.SpreadRows(ctx, threads, b.Offsets, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			sum := uint64(0)
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				x := splitmix.Nth(uint64(b.Targets[e]))
				if b.HasLengths() {
					x = splitmix.Mix(x + uint64(b.Lengths[e]))
				}
				sum += x
			}
			if b.Directed() {
				for _, u := range b.In.Neighbours(uint32(v)) {
					sum += splitmix.Nth(uint64(^u))
				}
			}
			if f.equal { // else many vertices of one key would differ
				sum += splitmix.Nth(math.Float64bits(b.From[v])) ^ splitmix.Nth(math.Float64bits(b.To[v])+1)
			}
			f.keys[v] = sum
			f.like[v] = uint32(v)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	if b.Directed() {
		return f.like, f.classify(ctx, threads, b.directedTwins), ctx.Err()
	}
	falseTwins, trueTwins := b.falseTwins, b.trueTwins
	if f.equal {
		equal := func(u, v uint32) bool { return b.From[u] == b.From[v] && b.To[u] == b.To[v] }
		falseTwins = func(u, v uint32) bool { return equal(u, v) && b.falseTwins(u, v) }
		trueTwins = func(u, v uint32) bool { return equal(u, v) && b.trueTwins(u, v) }
	}
	saved := f.classify(ctx, threads, falseTwins)
	if b.HasLengths() {
		return f.like, saved, ctx.Err()
	}
	for v := range f.keys {
		f.keys[v] += splitmix.Nth(uint64(v))
	}
	return f.like, saved + f.classify(ctx, threads, trueTwins), ctx.Err()
}

// classify joins vertices of equal keys that are twins, and counts the vertices joined to a
// smaller one. Each of the threads takes a share of the keys.
func (f *twinFinder) classify(ctx context.Context, threads int, twins func(u, v uint32) bool) int {
	for len(f.tables) < threads {
		f.tables = append(f.tables, nil)
	}
	saved := make([]int, threads)
	_ = parallel.Each(ctx, threads, threads, func(_, part int) {
		saved[part] = f.classifyPart(ctx, uint64(part), uint64(threads), twins)
	})
	total := 0
	for _, count := range saved {
		total += count
	}
	return total
}

// classifyPart joins the twins whose keys are in one of the parts. Equal keys are not enough.
// It stops early if the context ends.
func (f *twinFinder) classifyPart(ctx context.Context, part, parts uint64, twins func(u, v uint32) bool) (saved int) {
	mine := func(v uint32) bool { return f.keys[v]>>32*parts>>32 == part && f.like[v] == v }
	count := 0
	for v := range uint32(len(f.keys)) {
		if mine(v) {
			count++
		}
	}
	size := 4
	for size < 2*count {
		size *= 2
	}
	table := slices.Grow(f.tables[part][:0], size)[:size]
	f.tables[part] = table
	for i := range table {
		table[i] = csr.None
	}
	for v := range uint32(len(f.keys)) {
		if v%parallel.Interval == 0 && ctx.Err() != nil {
			return saved
		}
		if !mine(v) {
			continue
		}
		key := f.keys[v]
		for at := int(key) & (size - 1); ; at = (at + 1) & (size - 1) {
			u := table[at]
			if u == csr.None {
				table[at] = v
				break
			}
			if f.keys[u] == key && twins(u, v) {
				f.like[v] = u
				saved++
				break
			}
		}
	}
	return saved
}

func (b *Block) falseTwins(u, v uint32) bool {
	return slices.Equal(b.Neighbours(u), b.Neighbours(v)) &&
		(!b.HasLengths() || slices.Equal(b.Lengths[b.Offsets[u]:b.Offsets[u+1]], b.Lengths[b.Offsets[v]:b.Offsets[v+1]]))
}

func (b *Block) trueTwins(u, v uint32) bool {
	x, y := b.Neighbours(u), b.Neighbours(v)
	if _, joined := slices.BinarySearch(x, v); !joined || len(x) != len(y) {
		return false
	}
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] == v:
			x = x[1:]
		case y[0] == u:
			y = y[1:]
		case x[0] != y[0]:
			return false
		default:
			x, y = x[1:], y[1:]
		}
	}
	return true // u and v aside, all have been compared
}

// mergeTwins is the step "twins". It finds and merges the twins of all blocks that have enough
// of them, and settles the blocks that then have a closed form.
func (r *reducer) mergeTwins(ctx context.Context, closed wholes.Forms) error {
	p := r.plan
	merged := make([]bool, len(p.Blocks))
	err := r.eachTwins(ctx, false, func(i int, like []uint32) {
		r.joinedEdges(&p.Blocks[i], like)
		p.Blocks[i].merge(like)
		merged[i] = true
	})
	if err != nil {
		return err
	}
	settled := func(b *Block) bool {
		if r.edges != nil {
			return b.Vertices() == 1 // one class has only edges within
		}
		return b.settle(closed)
	}
	p.keepBlocks(func(i int, b *Block) bool { return !merged[i] || !settled(b) })
	return nil
}

// keepBlocks drops the blocks for which keep is false.
func (p *Plan) keepBlocks(keep func(i int, b *Block) bool) {
	left := p.Blocks[:0]
	for i := range p.Blocks {
		if b := &p.Blocks[i]; keep(i, b) {
			left = append(left, *b)
		}
	}
	clear(p.Blocks[len(left):])
	p.Blocks = left
}

// eachTwins finds the twins of all blocks that are directed, or are not, counts those of blocks that have enough of them,
// and has these merged, on several goroutines at once.
func (r *reducer) eachTwins(ctx context.Context, directed bool, merge func(block int, like []uint32)) error {
	p, threads := r.plan, r.opts.Threads
	saved := make([]int, len(p.Blocks))
	finders := make([]twinFinder, threads)
	try := func(finder *twinFinder, i, threads int) {
		b := &p.Blocks[i]
		if b.Directed() != directed || b.Kind().Chained() || b.HasFlows() || r.edges != nil && b.HasLengths() || b.Repeats() && (r.edges != nil || directed) {
			return // formulas are for vertices that stand for themselves
		}
		if b.Decay.spreading() && (r.edges != nil || r.opts.Drawn) {
			return // each member sends another mass
		}
		share := twinShare
		if finder.equal = r.edges != nil; finder.equal {
			share = flowTwinShare
		}
		like, count, err := finder.find(ctx, b, threads)
		if err == nil && count*share >= b.Vertices() {
			merge(i, like)
			saved[i] = count
		}
	}
	// Large blocks come first. Each uses all threads; the others share them.
	large := 0
	for large < len(p.Blocks) && len(p.Blocks[large].Targets) >= 1<<18 {
		try(&finders[0], large, threads)
		large++
	}
	finders[0] = twinFinder{} // its memory suits the largest block
	const grain = 256
	err := parallel.Each(ctx, threads, (len(p.Blocks)-large+grain-1)/grain, func(worker, item int) {
		for i := large + item*grain; i < min(large+(item+1)*grain, len(p.Blocks)); i++ {
			try(&finders[worker], i, 1)
		}
	})
	for _, count := range saved {
		p.Twins += count
	}
	return err
}
