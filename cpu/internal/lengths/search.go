package lengths

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search computes batches of blocks whose arcs have lengths. It keeps its state from
// batch to batch, and is for one goroutine at a time.
type Search struct {
	frame
	kernels kernels
	reach
	separate

	block  *preprocess.Block
	marked []uint64 // a bit for every rank that is to be visited
	met    []uint64 // a bit for every rank that some lane has reached
	sweeping
	peeling
	work  int               // arcs until the next look at the context
	found []engine.Found    // of RunDistances
	long  *preprocess.Block // 16 bits do not hold its distances

	hierarchy *hierarchy // of the block
	longest   int64      // longest arc of the block, for RunDistances
	gots      [engine.MaxLanes]float64
	wants     [engine.MaxLanes]float64
	visits    int64
	flows     flows

	wanting  wanting
	seeds    seeds
	inside   *Inside // chains that arcs of the block pass; nil: none
	crossing crossing
	sometimes
}

// sometimes is memory that some blocks need.
type sometimes struct {
	drawnMemory, squareMemory []float64 // of frame.drawn and squares, if a block has Draws
	arrives                   []float64 // by vertex, where the block has Hung
	noWeight                  []float64 // frame.weight of a block with seeds
}

// sweeping is where a sweep is.
type sweeping struct {
	down bool // from high ranks to low ones
	word int  // place of the word that is visited
	back int  // least place of a word that was marked after its visit
}

// reach is how far the group of a search looks.
type reach struct {
	limit  int64 // longest path that counts: Block.Cutoff
	far    int64 // more than any distance: farNarrow or farWide
	beyond int64 // far while distances are searched, or limit plus one if that is less
	near   settler
	depth  int64 // distance of the farthest vertex from the settled source, or unreached
	window int64 // largest distance of the group's sources from the settled one
}

// separate is the memory of the separate pass in dense blocks.
type separate struct {
	dense  bool     // the block has many arcs: a separate pass counts paths at vertices without links after them
	within []uint16 // by rank: lanes that have links after it
	inner  links    // links after a rank, in the lanes within of their end
}

// New makes a Search. With portableOnly it uses only kernels in Go; the results are the same.
func New(portableOnly bool) *Search {
	s := &Search{kernels: kernelSets()[0]}
	if portableOnly {
		s.kernels = portable()
	}
	return s
}

// Run computes a batch. The only errors are the context's and, with invariants.On,
// a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	if err := s.prepare(ctx, b); err != nil {
		return engine.Result{}, err
	}
	sources := b.Sources[batch.First : batch.First+batch.Count]
	if err := s.settle(ctx, sources[0]); err != nil {
		return engine.Result{}, err
	}
	for first := 0; first < len(sources); first += lanes {
		if err := s.group(ctx, sources[first:min(first+lanes, len(sources))], first); err != nil {
			return engine.Result{}, err
		}
	}
	result := engine.Result{
		Batch:  batch,
		Scores: s.scores,
		Got:    s.gots[:batch.Count],
		Want:   s.wants[:batch.Count],
		Work:   engine.Work{FrontierEntries: s.visits, RowLoads: s.rowLoads},

		Drawn:   s.drawn,
		Squares: s.squares,
		Flows:   s.flows.over, FlowGot: s.flows.got, FlowWant: s.flows.want,
		Access: s.seeds.all,
	}
	if b.Sees {
		result.Sees, result.Arrives = result.Want, s.arrives
	}
	return result, nil
}

// prepare makes room for a block.
func (s *Search) prepare(ctx context.Context, b *preprocess.Block) error {
	n := b.Vertices()
	s.scores, s.rowLoads, s.visits = pages.Cleared(s.scores, n), 0, 0
	s.arrives = pages.Cleared(s.arrives, len(b.Hung))
	s.drawn, s.squares = nil, nil
	if b.HasDraws() {
		s.drawnMemory, s.squareMemory = pages.Cleared(s.drawnMemory, n), pages.Cleared(s.squareMemory, n)
		s.drawn, s.squares = s.drawnMemory, s.squareMemory
	}
	s.seeds.all = s.seeds.all[:0]
	s.prepareFlows(b)
	if s.block == b {
		return nil
	}
	if err := s.prepareDistances(ctx, b, false); err != nil {
		return err
	}
	s.weight, s.multiplicity = b.To, b.Multiplicity
	s.sown, s.sownRows = make([]float64, lanes), 0
	if s.shares = nil; s.wide == nil && inKernels(b) {
		s.shares, _ = b.Decay.Near()
	} else if seeded(b) {
		s.noWeight = pages.Cleared(s.noWeight, n)
		s.weight = s.noWeight
		s.seeds.rows = pages.Resize(s.seeds.rows, n*lanes)
		s.sown, s.sownRows = s.seeds.rows, math.MaxUint64
	}
	s.prepareWanted(b)
	s.start, s.counted, s.passed = pages.Resize(s.start, n), pages.Resize(s.counted, n), pages.Resize(s.passed, n)
	s.rows = pages.Resize(s.rows, n*lanes)
	room := len(b.Targets) + 1 + s.prepareInside(n)
	sides := []*links{&s.before, &s.after}
	if s.dense = s.inside == nil && dense(b); s.dense {
		s.within, sides = pages.Resize(s.within, n), append(sides, &s.inner)
	}
	for _, l := range sides {
		l.first = pages.Resize(l.first, n+1)
		l.rank, l.mask = pages.Resize(l.rank, room), pages.Resize(l.mask, room)
	}
	return nil
}

// prepareDistances makes room for distances, in 16 bits if short.
func (s *Search) prepareDistances(ctx context.Context, b *preprocess.Block, short bool) error {
	n, in := b.Vertices(), b.Reverse()
	s.block = nil // until there is room
	s.limit = math.MaxInt64
	if b.Cutoff > 0 {
		s.limit = int64(b.Cutoff)
	}
	s.out, s.in = arcs{b.Offsets, b.Targets, b.Lengths}, arcs{in.Offsets, in.Targets, in.Lengths}
	s.rank, s.marked, s.met = pages.Resize(s.rank, n), pages.Resize(s.marked, n/64+1), pages.Resize(s.met, n/64+1)
	s.changed = pages.Resize(s.changed, int(b.LargestDegree())+1)
	far, err := s.farthest(ctx, b)
	if err != nil {
		return err
	}
	s.far = far
	s.beyond = s.end(nil)
	switch {
	case short:
		s.short, s.narrow, s.wide = pages.Resize(s.short, n*shortLanes), nil, nil
	case far == farNarrow:
		s.short, s.narrow, s.wide = nil, pages.Resize(s.narrow, n*lanes), nil
	default:
		s.short, s.narrow, s.wide = nil, nil, pages.Resize(s.wide, n*lanes)
	}
	s.hierarchy = &hierarchy{up: s.out}
	if contracts(b) {
		limit := far
		if short {
			limit = farShort
		}
		if s.hierarchy, err = contract(ctx, &b.Graph, limit); err != nil {
			return err
		}
		s.changed = pages.Resize(s.changed, int(max(s.hierarchy.up.largest(), s.hierarchy.down.largest()))+1)
	}
	s.block = b
	return nil
}

// group searches from up to lanes sources, the sources first, first+1, ... of
// the batch.
func (s *Search) group(ctx context.Context, sources []uint32, first int) error {
	clear(s.start)
	clear(s.counted)
	clear(s.passed[:len(s.order)])
	s.reached, s.most, s.got = [lanes]float64{}, [lanes]float64{}, [lanes]float64{}
	for _, step := range []func(context.Context, []uint32) error{s.seat, s.relax, s.center, s.want, s.link, s.peel, s.count, s.check, s.keepCounts, s.seed, s.enter, s.depend, s.leave, s.flow} {
		if err := step(ctx, sources); err != nil {
			return err
		}
	}
	missed := s.shares != nil && !slices.Equal(s.counted, s.passed) // reached is then the mass of what has passed
	for i, v := range sources {
		s.gots[first+i], s.wants[first+i] = s.got[i], s.reached[i]
		switch {
		case s.shares == nil:
			s.wants[first+i] -= s.weight[v]
		case s.block.Decay.Spreads():
			s.wants[first+i] = s.seeds.seen[i]
		}
		if missed || !(s.most[i] <= engine.MostPaths) || s.block.Decay != nil && s.most[i] > engine.MostDecayed {
			s.gots[first+i] = math.NaN()
		}
	}
	return nil
}

// dense says whether a block has many arcs per vertex. In contracted road networks, peeling pays up to more of them.
func dense(b *preprocess.Block) bool {
	arcs := 4
	if b.HasFlows() && b.Flows.Inside != nil {
		arcs = 7
	}
	return len(b.Targets) >= arcs*b.Vertices()
}

// settle ranks the vertices by their distance from a source, for all groups of a
// batch. To settle each group would save few visits, and cost as much as all visits
// for distances. The vertices of a part are already in order, by their distance from the nearest source.
func (s *Search) settle(ctx context.Context, source uint32) error {
	if near := s.block.Near; near != nil {
		s.near.distance, s.order = append(s.near.distance[:0], near...), pages.Resize(s.near.order, len(near))
		for v := range s.order {
			s.order[v], s.rank[v] = uint32(v), uint32(v)
		}
		s.near.order, s.depth = s.order, near[len(near)-1]
		return nil
	}
	if err := s.near.search(ctx, &s.block.Graph, source, s.limit); err != nil {
		return err
	}
	s.order = s.near.order
	for r, v := range s.order {
		s.rank[v] = uint32(r)
	}
	if len(s.order) < len(s.rank) { // the others may be reached from other sources
		for v, d := range s.near.distance {
			if d == unreached {
				s.rank[v] = uint32(len(s.order))
				s.order = append(s.order, uint32(v))
			}
		}
	}
	s.depth = s.near.distance[s.order[len(s.order)-1]]
	return nil
}

// seat gives each source of a group its lane, and sets the window.
func (s *Search) seat(_ context.Context, sources []uint32) error {
	s.spread(sources)
	s.beyond = s.end(sources)
	for i, v := range sources {
		s.start[s.rank[v]] |= 1 << i
		s.source[i] = s.block.From[v]
		if s.block.HasDraws() {
			s.draws[i] = s.block.Draws[v]
		}
	}
	return nil
}

// end returns a number above all distances that count from some sources, far if that is unknown. The trips of a source end
// no farther than the way over the source that was settled.
func (s *Search) end(sources []uint32) int64 {
	end := s.far
	if s.limit < end {
		end = s.limit + 1
	}
	if s.block == nil || !s.block.HasTrips() || s.block.Directed() || s.block.Near != nil {
		return end
	}
	longest := int64(0)
	for _, v := range sources {
		for _, x := range s.block.WaivedBy(v) {
			there, back := s.near.distance[v], s.near.distance[x.Target]
			if there == unreached || back == unreached {
				return end
			}
			longest = max(longest, there+back)
		}
	}
	return min(end, longest+1)
}

// center ranks the vertices anew, by the sum of their distances from all sources of the
// group, if the sources are spread over a large part of the block. The distances from one
// source are then no good order for the others. Later groups use the new ranks from the start.
// A vertex of ca-CondMat is visited 14.0 times per group instead of 16.8, one of rome99
// 5.5 times instead of 6.4.
func (s *Search) center(ctx context.Context, sources []uint32) error {
	everywhere := !s.block.Directed() && s.beyond == s.far && s.depth != unreached
	if !everywhere || s.depth > farWide/(2*lanes) || centerShare*s.window < s.depth {
		return nil
	}
	for v := range s.near.distance {
		sum := int64(0)
		for lane := range sources {
			sum += s.distance(uint32(v), lane)
		}
		s.near.distance[v] = sum
	}
	if err := s.near.arrange(ctx); err != nil {
		return err
	}
	s.order = s.near.order
	for r, v := range s.order {
		s.rank[v] = uint32(r)
	}
	clear(s.start)
	return s.seat(ctx, sources)
}

// centerShare: sources are spread if some is at least 1/centerShare of the depth away from the
// settled one.
const centerShare = 4

// distance returns the distance of a vertex from the source of a lane.
func (s *Search) distance(v uint32, lane int) int64 {
	if s.wide != nil {
		return s.wide[int(v)*lanes+lane]
	}
	return int64(s.narrow[int(v)*lanes+lane])
}
