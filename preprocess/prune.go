package preprocess

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// prune is the step "pruning". It removes arcs that are longer than the distance between their ends, which
// are on no shortest path. Distances, path counts and scores do not change, and the rest folds again. One
// edge in eight is left in a graph of hubs whose lengths are unrelated to its shape.
//
// A search from both ends of every undecided arc settles a limited number of vertices: 8, then 64 in the
// graph that is left, and so on. Only arcs proven needless are removed, so any limit is exact. A sample of the
// arcs tells before the first pass whether it pays, if arcs make cycles.
func (r *reducer) prune(ctx context.Context, _ wholes.Forms) error {
	g := r.graph
	if !g.HasLengths() {
		return nil
	}
	arcs, ways := int64(len(g.Targets)), int64(1)
	if g.Directed() {
		ways = 2
	}
	threads, err := r.threadsFor(ReduceBytes(g.Vertices(), g.Edges())+g.LengthBytes(g.Edges())+2*12*ways*arcs+3*arcs, 2*(8+1)*int64(g.Vertices()))
	if err != nil {
		return err
	}
	const first, more = 8, 8
	sources, steps := r.sources(), pruningSteps(g, arcs, first)
	if sources < leastPruned && steps > fewSteps {
		return nil
	}
	if pays, err := shorterThanSweeps(ctx, g, sweptShare*float64(arcs)*float64(sources), steps); err != nil || !pays {
		return err
	}
	known, open := make([]verdict, len(g.Targets)), arcs
	furthest := max(64, g.Vertices()/4)
	for budget := first; budget <= furthest; budget *= more {
		p, err := newPruner(ctx, g, known, budget, threads)
		if err != nil {
			return err
		}
		if budget == first {
			if err := p.search(ctx, sampleEvery); err != nil {
				return err
			}
			if pays, err := pruningPays(ctx, g, sources, open, budget, p.share()); err != nil || !pays {
				return err
			}
		}
		if err := p.search(ctx, 1); err != nil {
			return err
		}
		left, still, err := p.rest(ctx)
		if err != nil {
			return err
		}
		share := float64(len(known)-len(p.known)) / float64(open)
		g, known, open = left, p.known, still
		if pays, err := pruningPays(ctx, g, sources, open, budget*more, share); err != nil {
			return err
		} else if !pays {
			break
		}
	}
	r.plan.Pruned = r.graph.Edges() - g.Edges()
	r.graph = g
	return nil
}

const (
	// Searching all vertices by lengths costs, for each arc and source, the time of 1/searchesPerStep steps
	// of pruning. Sweeps over a graph without cycles cost 1/sweepsPerStep steps. Measured:
	// docs/decisions/020-searches-by-lengths.md.
	searchesPerStep, sweepsPerStep = 7, 140
	// rowSteps is the number of steps in whose time a pass sorts and copies an arc.
	rowSteps = 4
	// sweptShare is the share of arcs that must pay for the first pass over a graph without cycles. In facebook_combined the
	// pass removes .6 of them, and the process takes 1.5 of the time.
	sweptShare = 1. / 8
	// leastPruned is the number of sources from which searches are longer than a pass that removes most arcs.
	leastPruned = 128
	// sampleEvery is the number of pieces of work of which the sample has one.
	sampleEvery = 16
	// fewSteps is the number of steps up to which a pass is always made.
	fewSteps = 1 << 14
)

// pruningPays reports whether one more pass is shorter than the searches that it saves. A pass looks from
// both ends of every open arc at up to budget vertices. The guess is that it removes as large a share of the
// open arcs as the pass before, or of those of the sample.
func pruningPays(ctx context.Context, g *csr.Graph, sources int, open int64, budget int, share float64) (bool, error) {
	if open == 0 {
		return false, nil
	}
	steps, saved := pruningSteps(g, open, budget), share*float64(open)*float64(sources)
	if steps > fewSteps && saved < steps*searchesPerStep {
		return false, nil
	}
	return shorterThanSweeps(ctx, g, saved, steps)
}

// pruningSteps returns the steps of a pass.
func pruningSteps(g *csr.Graph, open int64, budget int) float64 {
	return float64(open)*float64(budget) + rowSteps*float64(len(g.Targets))
}

// shorterThanSweeps reports whether a pass of pruning is short, or shorter than sweeps over the saved arcs, each counted
// once for each source. Graphs with cycles are not searched by sweeps.
func shorterThanSweeps(ctx context.Context, g *csr.Graph, saved, steps float64) (bool, error) {
	if !g.Directed() || steps <= fewSteps || saved >= steps*sweepsPerStep {
		return true, nil
	}
	components, err := new(strongSearch).find(ctx, g)
	return components.count < g.Vertices(), err
}

// verdict is the result for an arc.
type verdict uint8

const (
	undecided verdict = iota // not known yet
	needed                   // it is as long as the distance between its ends
	needless                 // it is longer
)

// pruner is one pass over a graph.
type pruner struct {
	graph   *csr.Graph
	budget  int // vertices that a search settles at most
	threads int
	out, in *byLength // in is out if the graph is undirected
	known   []verdict // by arc of the graph
}

// byLength has the arcs of a graph, each row by rising length.
type byLength struct {
	offsets []int64
	targets []uint32
	lengths []int64
	open    []bool // whether the arc is undecided; nil where nobody asks
}

func newPruner(ctx context.Context, g *csr.Graph, known []verdict, budget, threads int) (*pruner, error) {
	p := &pruner{graph: g, budget: budget, threads: threads, known: known}
	var err error
	if p.out, err = sortedByLength(ctx, g, known, threads); err != nil {
		return nil, err
	}
	if p.in = p.out; g.Directed() {
		p.in, err = sortedByLength(ctx, g.In, nil, threads)
	}
	return p, err
}

func sortedByLength(ctx context.Context, g *csr.Graph, known []verdict, threads int) (*byLength, error) {
	s := &byLength{offsets: g.Offsets, targets: make([]uint32, len(g.Targets)), lengths: make([]int64, len(g.Targets))}
	if known != nil {
		s.open = make([]bool, len(g.Targets))
	}
	keys := make([][]uint64, threads)
	return s, parallel.Each(ctx, threads, (g.Vertices()+pruneGrain-1)/pruneGrain, func(worker, item int) {
		for v := item * pruneGrain; v < min((item+1)*pruneGrain, g.Vertices()); v++ {
			first, row := g.Offsets[v], keys[worker][:0]
			width := bits.Len64(uint64(g.Offsets[v+1] - first)) // of a place in the row
			for i, length := range g.Lengths[first:g.Offsets[v+1]] {
				row = append(row, uint64(length)<<width|uint64(i)) // below 2^63: n-1 such arcs have at most 2^csr.LongestPath
			}
			slices.Sort(row)
			for i, key := range row {
				at, e := first+int64(i), first+int64(key&(1<<width-1))
				s.targets[at], s.lengths[at] = g.Targets[e], g.Lengths[e]
				if known != nil {
					s.open[at] = known[e] == undecided
				}
			}
			keys[worker] = row
		}
	})
}

// pruneGrain is the number of vertices in one piece of work.
const pruneGrain = 64

// sources returns the number of vertices that are searched, before any reduction.
func (r *reducer) sources() int {
	q, n := r.plan.Question, r.graph.Vertices()
	if !r.opts.twoMasses() || q.Searches(measures.Reached) {
		return n
	}
	return min(vertices(r.opts.begin(n)), vertices(r.opts.end(n)))
}

// share returns the share of needless arcs among those with a verdict.
func (p *pruner) share() float64 {
	var count [needless + 1]int
	for _, of := range p.known {
		count[of]++
	}
	return float64(count[needless]) / float64(max(count[needed]+count[needless], 1))
}

// search searches the undecided arcs of one in so many pieces of work. It records the verdict on each from either of its
// ends.
func (p *pruner) search(ctx context.Context, every int) error {
	searches := make([]*twoEnded, p.threads)
	found := make([]verdict, len(p.known))
	copy(found, p.known)
	err := parallel.Each(ctx, p.threads, (p.graph.Vertices()+every*pruneGrain-1)/(every*pruneGrain), func(worker, item int) {
		if searches[worker] == nil {
			searches[worker] = newTwoEnded(ctx, p, found)
		}
		item *= every
		for v := item * pruneGrain; v < min((item+1)*pruneGrain, p.graph.Vertices()); v++ {
			searches[worker].from(uint32(v))
		}
	})
	p.known = found
	return err
}

// rest returns the graph without needless arcs, and how many arcs are still open. p.known is then about the
// arcs of that graph. A verdict on one arc of an edge holds for both.
func (p *pruner) rest(ctx context.Context) (left *csr.Graph, open int64, err error) {
	g, back := p.graph, p.graph.Reverse()
	known := p.known
	if !g.Directed() {
		known = make([]verdict, len(p.known))
	}
	gone := make([]bool, len(back.Targets)) // of back
	err = parallel.SpreadRows(ctx, p.threads, back.Offsets, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for e := back.Offsets[u]; e < back.Offsets[u+1]; e++ {
				of := undecided
				if !g.Directed() {
					of = p.known[e]
				}
				if of == undecided {
					of = p.known[g.ArcTo(back.Targets[e], uint32(u))]
				}
				gone[e] = of == needless
				if !g.Directed() {
					known[e] = of
				}
			}
		}
	})
	if err != nil {
		return nil, 0, err
	}
	if left, err = back.Without(ctx, gone, p.threads); err != nil {
		return nil, 0, err
	}
	if g.Directed() {
		for e, of := range known {
			gone[e] = of == needless
		}
		in := left
		if left, err = g.Without(ctx, gone, p.threads); err != nil {
			return nil, 0, err
		}
		left.In = in
	}
	p.known = slices.DeleteFunc(known, func(of verdict) bool {
		if of == undecided {
			open++
		}
		return of == needless
	})
	return left, open, ctx.Err()
}
