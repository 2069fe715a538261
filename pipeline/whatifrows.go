package pipeline

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/change"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// flows are those of a graph with masses at its vertices.
type flows struct {
	through   []float64 // by vertex
	routed    float64   // sum over the pairs with a path of what begins at the one times what ends at the other
	distances float64   // the same sum times the distance of each pair, in units of the graph's lengths
	bytes     int64     // that one thread takes to compute them
}

// flow searches a graph on cores. Masses that are nil are 1 at each vertex.
func (w *whatIf) flow(ctx context.Context, g *csr.Graph, ends change.Ends, threads int) (*flows, error) {
	for _, masses := range []*[]int64{&ends.Origins, &ends.Destinations} {
		if *masses == nil {
			*masses = slices.Repeat([]int64{1}, g.Vertices())
		}
	}
	asked := question.Question{
		Directed: w.opts.Question.Directed, Lengths: w.opts.Question.Lengths,
		Edges: g.HasLengths(), // flows of edges times their lengths sum to distances
	}
	asked.Lengths.Unit = w.scale.Unit
	reduce := flowing(asked, ends.Origins, ends.Destinations)
	reduce.Divisor, reduce.Threads, reduce.Lanes = w.scale.Divisor, threads, w.opts.Lanes
	reduce.Fits = func(bytes int64) error { return w.need(w.held()+bytes, "reduce it") }
	plan, err := preprocess.Reduce(ctx, g, reduce)
	if err != nil {
		return nil, err
	}
	opts, _, err := w.plan.fitting().threads(plan, w.held())
	if err != nil {
		return nil, err
	}
	opts.Threads = min(opts.Threads, threads)
	books := ledger.New(plan, ledger.Names{}, Float64, ledger.Shard{}, nil, nil, 1)
	c := &computation{plan: plan, opts: opts, sharing: sharing.New(plan, books.Todo(ledger.Shard{})), ledger: books}
	if err := c.run(ctx, nil); err != nil {
		return nil, err
	}
	w.note(c)
	sums := books.Close()
	f := &flows{through: sums.Sums(measures.Betweenness), routed: plan.Routed.Float(), bytes: demandOf(plan, 0, opts).with(1)}
	if !g.HasLengths() { // a path has one edge more than vertices inside
		for _, x := range f.through {
			f.distances += x
		}
		f.distances += f.routed
		return f, nil
	}
	for edge, x := range sums.Sums(measures.EdgeBetweenness) {
		f.distances += x * float64(g.Length(plan.EdgeEnds[0][edge], plan.EdgeEnds[1][edge]))
	}
	return f, nil
}

// note adds a computation to the statistics.
func (w *whatIf) note(c *computation) {
	w.noting.Lock()
	defer w.noting.Unlock()
	var one Stats
	c.describe(&one)
	check := &w.stats.SelfCheck
	check.Sources += one.SelfCheck.Sources
	check.LargestRelative = max(check.LargestRelative, one.SelfCheck.LargestRelative)
	check.Recomputed += one.SelfCheck.Recomputed
	for _, engine := range one.Engines {
		w.stats.Engines[0].Batches += engine.Batches
	}
}

// held is the memory of what all rows share.
func (w *whatIf) held() int64 {
	return graphBytes(w.graph) + w.names.held() + w.removals.Held() + 12*int64(len(w.scores))
}

// rows computes the figures of the graph without each of the sets.
func (w *whatIf) rows(ctx context.Context, sets [][]change.Removal) ([]figures, error) {
	w.computing.Store(int64(time.Since(w.began)))
	w.advance.rows[1].Store(int64(1 + len(sets)))
	all, err := w.flow(ctx, w.graph, w.ends, w.opts.Threads)
	if err != nil {
		return nil, err
	}
	w.advance.rows[0].Add(1)
	w.before, w.scores = w.figures(all), all.through
	w.ranked = csr.Ascending(len(w.scores))
	slices.SortFunc(w.ranked, func(u, v uint32) int { return cmp.Compare(w.scores[v], w.scores[u]) })
	n := int64(len(w.scores))
	if !w.graph.Directed() {
		const finding = 64 // bytes a vertex
		if err := w.need(w.held()+finding*n, "find its blocks"); err != nil {
			return nil, err
		}
		blocks, err := change.FindBlocks(ctx, w.graph)
		if err != nil {
			return nil, err
		}
		w.removals = change.NewRemovals(blocks, w.ends.Origins, w.ends.Destinations)
	}
	found := make([]figures, len(sets))
	group, ctx := errgroup.WithContext(ctx)
	each := all.bytes + preprocess.ReduceBytes(len(w.scores), w.graph.Edges()) + graphBytes(w.graph) + int64(len(w.graph.Targets)) + 12*n + 1
	workers := int(max(1, min(int64(w.opts.Threads), int64(len(sets)), (w.memory-w.held())/each)))
	next := parallel.HandOut(ctx, group, csr.Ascending(len(sets)))
	for range workers {
		group.Go(func() error {
			s := &rowSearch{whatIf: w, threads: max(1, w.opts.Threads/workers), local: slices.Repeat([]uint32{csr.None}, int(n)), changes: make([]float64, n)}
			for i := range next {
				f, err := s.without(ctx, sets[i])
				if err != nil {
					return err
				}
				found[i] = f
				w.advance.rows[0].Add(1)
			}
			return nil
		})
	}
	return found, group.Wait()
}

// pair is what an ordered pair counts in scores.
func (w *whatIf) pair() float64 {
	if w.graph.Directed() || w.opts.Question.HasMasses() {
		return 1
	}
	return .5
}

// figures turns the flows into scores.
func (w *whatIf) figures(f *flows) figures {
	of := figures{reach: f.routed, distances: f.distances}
	for v := range f.through {
		f.through[v] *= w.pair()
		of.total += f.through[v]
		of.largest = max(of.largest, f.through[v])
	}
	return w.rounded(of)
}

// rounded takes the errors of adding up from figures of hops, which are whole numbers and halves of them.
func (w *whatIf) rounded(f figures) figures {
	if w.graph.HasLengths() || f.distances >= 1<<48 {
		return f
	}
	f.distances = math.Round(f.distances)
	f.total = w.pair() * (f.distances - f.reach)
	return f
}

// rowSearch computes rows, one after the other.
type rowSearch struct {
	*whatIf
	threads int
	local   []uint32  // by vertex: csr.None
	changes []float64 // by vertex: of its score; 0 between rows
	changed []uint32  // where they may be others
}

// without computes the figures of the graph without a set.
func (s *rowSearch) without(ctx context.Context, set []change.Removal) (figures, error) {
	if len(set) == 0 {
		return s.before, nil
	}
	if one, ok := joined(set); ok && s.removals != nil {
		region, err := s.removals.Region(ctx, one, s.local)
		if err != nil {
			return figures{}, err
		}
		if region != nil && region.Fits(building.MostMass) {
			s.byBlock.Add(1)
			return s.update(ctx, region, one.Vertex)
		}
	}
	left, err := s.left(ctx, set)
	if err != nil {
		return figures{}, err
	}
	f, err := s.flow(ctx, left, s.ends, s.threads)
	if err != nil {
		return figures{}, err
	}
	return s.figures(f), nil
}

// joined is a set of edges, or of one vertex, as one removal.
func joined(set []change.Removal) (one change.Removal, ok bool) {
	if len(set) == 1 {
		return set[0], true
	}
	one.Vertex = csr.None
	for _, removal := range set {
		if removal.Vertex != csr.None {
			return one, false
		}
		one.Edges = append(one.Edges, removal.Edges...)
	}
	return one, true
}

// arcs calls arc for the ends of each arc that goes with a set, some more than once.
func (w *whatIf) arcs(set []change.Removal, arc func(u, v uint32)) {
	both := func(u, v uint32) {
		if arc(u, v); !w.graph.Directed() {
			arc(v, u)
		}
	}
	for _, removal := range set {
		for _, e := range removal.Edges {
			both(e[0], e[1])
		}
		if x := removal.Vertex; x != csr.None {
			for _, v := range w.graph.Neighbours(x) {
				both(x, v)
			}
			if w.graph.Directed() {
				for _, v := range w.graph.In.Neighbours(x) {
					arc(v, x)
				}
			}
		}
	}
}

// left copies the graph without a set.
func (s *rowSearch) left(ctx context.Context, set []change.Removal) (*csr.Graph, error) {
	g := s.graph
	gone := make([]bool, len(g.Targets))
	s.arcs(set, func(u, v uint32) { gone[g.ArcTo(u, v)] = true })
	left, err := g.Without(ctx, gone, s.threads)
	if err != nil || !g.Directed() {
		return left, err
	}
	clear(gone)
	s.arcs(set, func(u, v uint32) { gone[g.In.ArcTo(v, u)] = true })
	left.In, err = g.In.Without(ctx, gone, s.threads)
	return left, err
}

// update computes the figures of the graph after a removal from its region.
func (s *rowSearch) update(ctx context.Context, r *change.Region, x uint32) (figures, error) {
	f, pair := s.before, s.pair()
	f.reach -= r.Lost
	add := func(v uint32, by float64) {
		if by != 0 {
			s.changes[v] += by
			s.changed = append(s.changed, v)
		}
	}
	search := func(g *csr.Graph, ends []change.Ends, sign float64, at func(v int) uint32) error {
		for _, some := range ends {
			found, err := s.flow(ctx, g, some, s.threads)
			if err != nil {
				return err
			}
			f.distances += sign * found.distances
			for v, through := range found.through {
				add(at(v), sign*pair*through)
			}
		}
		return nil
	}
	inside := func(v int) uint32 { return r.At[v] }
	if err := search(r.After, r.Inside(), 1, inside); err != nil {
		return f, err
	}
	if err := search(r.Before, r.Inside(), -1, inside); err != nil {
		return f, err
	}
	outside, lost, err := r.Outside(ctx, s.graph, s.threads)
	if err == nil && outside != nil {
		err = search(outside, lost, -1, func(v int) uint32 { return uint32(v) })
	}
	if err != nil {
		return f, err
	}
	for v, at := range r.At {
		add(at, -pair*r.Over(v))
	}
	if x != csr.None {
		add(x, -s.scores[x]-s.changes[x])
	}
	f.largest = 0
	for _, v := range s.ranked {
		if s.changes[v] == 0 { // and all behind it are lower, but for those that changed
			f.largest = s.scores[v]
			break
		}
	}
	for _, v := range s.changed {
		if s.changes[v] == 0 { // here once more
			continue
		}
		f.largest = max(f.largest, s.scores[v]+s.changes[v])
		f.total += s.changes[v]
		s.changes[v] = 0
	}
	s.changed = s.changed[:0]
	return s.rounded(f), nil
}
