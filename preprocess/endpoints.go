package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// countEndpoints adds to the closed forms the score of every vertex as an end, if the question
// asks for endpoints. That is its source mass times the target mass that it reaches, plus its
// target mass times the source mass that reaches it. Of a table, it is the number of trips that begin or end there and have a
// path.
func (r *reducer) countEndpoints(ctx context.Context, closed wholes.Forms) error {
	q := r.plan.Question
	if !q.Endpoints {
		return nil
	}
	if q.HasTrips() {
		within, err := r.tripsWithin(ctx)
		for i, x := range r.opts.Trips {
			if within == nil || within[i] {
				closed.Add(x.Source, x.Count, 1)
				closed.Add(x.Target, x.Count, 1)
			}
		}
		return err
	}
	n := r.plan.Vertices
	begin, end := r.opts.begin(n), r.opts.end(n)
	if q.EndsInPart() {
		return r.countSharedEndpoints(ctx, begin, end, closed)
	}
	if r.cutoff != noCutoff {
		return r.countEndpointsWithin(ctx, begin, end, closed)
	}
	of, sources, targets, err := reachedOf(ctx, r.graph, begin, end, r.opts.Threads)
	if err != nil {
		return err
	}
	for v, c := range of {
		closed.Add(uint32(v), begin[v], targets[c]-end[v])
		closed.Add(uint32(v), end[v], sources[c]-begin[v])
	}
	return nil
}

// sumDemand sums, where vertices have masses, the demand with a path and without one.
func (r *reducer) sumDemand(ctx context.Context, _ wholes.Forms) error {
	p := r.plan
	if p.Question.HasTrips() {
		return r.routeTrips(ctx)
	}
	if !p.Question.HasMasses() || r.opts.Unsummed || !r.graph.Directed() && !r.opts.twoMasses() {
		return nil // or see sumCounts
	}
	begin, end := r.opts.begin(p.Vertices), r.opts.end(p.Vertices)
	of, _, targets, err := reachedOf(ctx, r.graph, nil, end, r.opts.Threads)
	if err != nil {
		return err
	}
	all := int64(0)
	for _, mass := range end {
		all += mass
	}
	for v, c := range of {
		if p.Question.Gravity != (question.Gravity{}) {
			if targets[c] > end[v] {
				p.Routed = p.Routed.Plus(begin[v], 1)
			} else {
				p.NoPath = p.NoPath.Plus(begin[v], 1)
			}
			continue
		}
		p.Self = p.Self.Plus(begin[v], end[v])
		p.Routed = p.Routed.Plus(begin[v], targets[c]-end[v])
		p.NoPath = p.NoPath.Plus(begin[v], all-targets[c])
	}
	return nil
}

// sumCounts is sumDemand for masses of 1, in an undirected graph: a vertex reaches its component.
func (r *reducer) sumCounts(context.Context, wholes.Forms) error {
	p, n := r.plan, int64(r.plan.Vertices)
	if !p.Question.HasMasses() || r.opts.Unsummed || r.graph.Directed() || r.opts.twoMasses() {
		return nil
	}
	reached := int64(0)
	for _, size := range r.size {
		reached += int64(size)
	}
	p.Self, p.Routed, p.NoPath = p.Self.Plus(n, 1), p.Routed.Plus(reached-n, 1), p.NoPath.Plus(n, n).Minus(reached, 1)
	return nil
}

// countEndpointsWithin is countEndpoints for a cutoff. It searches from every source, and
// against the arcs from every target, without counting paths.
func (r *reducer) countEndpointsWithin(ctx context.Context, begin, end []int64, closed wholes.Forms) error {
	threads, err := r.threadsFor(r.held(), withinVertexBytes*int64(r.plan.Vertices))
	if err != nil {
		return err
	}
	in, err := reachedWithin(ctx, r.graph, begin, r.cutoff, threads)
	if err != nil {
		return err
	}
	out := in
	if r.graph.Directed() || r.opts.twoMasses() {
		if out, err = reachedWithin(ctx, r.graph.Reverse(), end, r.cutoff, threads); err != nil {
			return err
		}
	}
	for v := range begin {
		closed.Add(uint32(v), begin[v], out[v])
		closed.Add(uint32(v), end[v], in[v])
	}
	return nil
}

// tripsWithin reports by trip whether a path within the cutoff leads to its target; nil: paths have no cutoff.
func (r *reducer) tripsWithin(ctx context.Context) (within []bool, err error) {
	if r.cutoff == noCutoff {
		return nil, nil
	}
	trips := r.opts.Trips
	threads, err := r.threadsFor(r.held(), withinVertexBytes*int64(r.plan.Vertices))
	if err != nil {
		return nil, err
	}
	var from []uint32
	var first []int // trip of each source
	for i, x := range trips {
		if i == 0 || x.Source != trips[i-1].Source {
			from, first = append(from, x.Source), append(first, i)
		}
	}
	within = make([]bool, len(trips))
	return within, eachBall(ctx, r.graph, from, r.cutoff, threads, func(_, item int, ball *reacher) {
		for i := first[item]; i < len(trips) && trips[i].Source == from[item]; i++ {
			within[i] = ball.distance[trips[i].Target] != unreached
		}
	})
}

// countSharedEndpoints is countEndpoints where pairs count by their distance, or the mass of a source is spread over the
// targets that it reaches.
func (r *reducer) countSharedEndpoints(ctx context.Context, begin, end []int64, closed wholes.Forms) error {
	d, err := r.shares(ctx)
	if err != nil {
		return err
	}
	most := r.limit
	if r.cutoff != noCutoff {
		most = min(most, r.cutoff)
	}
	threads, err := r.threadsFor(r.held()+16*int64(len(begin)), withinVertexBytes*int64(len(begin)))
	if err != nil {
		return err
	}
	// seen sums, for the vertices with mass, the masses of all others from there, each times its share.
	seen := func(g *csr.Graph, mass []int64, of []float64) ([]float64, error) {
		sums, from := make([]float64, len(mass)), verticesOf(mass)
		return sums, eachBall(ctx, g, from, most, threads, func(_, item int, ball *reacher) {
			for _, v := range ball.order[1:] { // the first is the source itself
				sums[from[item]] += of[v] * d.Share(ball.distance[v])
			}
		})
	}
	masses := make([]float64, len(end))
	for v, mass := range end {
		masses[v] = float64(mass)
	}
	sees, err := seen(r.graph, begin, masses)
	if err != nil {
		return err
	}
	for v, mass := range begin {
		masses[v] = d.spread(float64(mass), sees[v])
		closed.AddPart(uint32(v), masses[v]*sees[v])
	}
	seers := sees
	if r.graph.Directed() || r.opts.twoMasses() {
		if seers, err = seen(r.graph.Reverse(), end, masses); err != nil {
			return err
		}
	}
	for v, mass := range end {
		closed.AddPart(uint32(v), float64(mass)*seers[v])
	}
	return nil
}

// eachBall calls visit, on several threads, with the search from each source, by its place, which ends at a distance of most.
// The only error is the context's.
func eachBall(ctx context.Context, g *csr.Graph, from []uint32, most int64, threads int, visit func(worker, item int, ball *reacher)) error {
	balls, b := make([]reacher, threads), &Block{Graph: *g, Cutoff: int(most)}
	return parallel.Each(ctx, threads, len(from), func(worker, item int) {
		if ball := &balls[worker]; ball.search(ctx, b, from[item:item+1]) == nil {
			visit(worker, item, ball)
		}
	})
}

// verticesOf lists the vertices that have mass.
func verticesOf(mass []int64) (list []uint32) {
	for v, x := range mass {
		if x > 0 {
			list = append(list, uint32(v))
		}
	}
	return list
}

// reachedOf returns the part of the graph that each vertex is in. By part, it returns the source
// mass that reaches its vertices, unless begin is nil, and the target mass that these reach,
// their own included. Parts are components; in a directed graph, strong components: see
// condensed.reach.
func reachedOf(ctx context.Context, g *csr.Graph, begin, end []int64, threads int) (of []uint32, sources, targets []int64, err error) {
	if !g.Directed() {
		of, count, err := components(ctx, g)
		sources, targets = make([]int64, count), make([]int64, count)
		for v, c := range of {
			if targets[c] += end[v]; begin != nil {
				sources[c] += begin[v]
			}
		}
		return of, sources, targets, err
	}
	var search strongSearch
	strong, err := search.find(ctx, g)
	if err != nil {
		return nil, nil, nil, err
	}
	there, err := condense(ctx, g, strong, end)
	if err != nil {
		return nil, nil, nil, err
	}
	if targets, err = there.reach(ctx, threads); err != nil {
		return nil, nil, nil, err
	}
	if begin == nil {
		return strong.of, nil, targets, nil
	}
	back, err := condense(ctx, g.In, strong.reversed(), begin)
	if err != nil {
		return nil, nil, nil, err
	}
	sources, err = back.reach(ctx, threads)
	slices.Reverse(sources)
	return strong.of, sources, targets, err
}

// components returns the component of each vertex of an undirected graph, by number, and the
// number of components.
func components(ctx context.Context, g *csr.Graph) (of []uint32, count int, err error) {
	n := g.Vertices()
	of, met := make([]uint32, n), make([]bool, n)
	var list []uint32
	for root := range uint32(n) {
		if met[root] {
			continue
		}
		met[root] = true
		if list, err = g.BreadthFirst(ctx, append(list[:0], root), met); err != nil {
			return nil, 0, err
		}
		for _, v := range list {
			of[v] = uint32(count)
		}
		count++
	}
	return of, count, nil
}
