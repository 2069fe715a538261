package meshes

import (
	"context"

	"bcstage/cpu/internal/pages"
	"bcstage/preprocess"
)

// Search computes batches of meshes. It keeps its state from batch to batch, and is for
// one goroutine at a time.
type Search[T float32 | float64] struct {
	frame
	kernels     kernels[T]
	width       int      // how many lanes are searched together once levels are known: numbers in a row
	rows        []T      // by rank, lane: S, later c
	memory      []T      // rows, and up to a cache line before them
	levelMemory []uint16 // levels of all lanes, likewise
	block       *preprocess.Block

	sources  []uint32      // ranks
	start    [lanes]uint16 // level of each source
	farthest int           // of the sources: in which breadth-first level it is
	ends     []uint32      // where each breadth-first level ends
	rankOf   []uint32      // by vertex: its rank and 1; 0: none yet
	inOrder  []uint32      // all ranks
	heavy    []uint32      // vertices whose target mass is not 1
	mass     float64       // target mass of all

	changed, dirty []uint32 // room for ranks
	marked         []uint8  // by rank, all 0 between steps
	turns          []uint32 // ranks, by the sum of their levels
	groups         []uint32 // where ranks of about one level end in turns
	places         []uint32 // by sum of levels, less the least: where ranks go in turns
	late           []uint32
	waits          []uint8  // by rank: 1 where its turn has come and lanes are left
	waiting        int      // how many do
	slotOf         []uint32 // by rank; 0: none
	want           [lanes]float64
}

// far is the level of what has not been reached.
const far = 1<<15 - 1

// segment is how many ranks a kernel gets at a time: less than a millisecond of work, so
// that a cancelled context is noticed.
const segment = 1 << 10

// margin is how many ranks there are to be read at least before and after a list of visits.
const margin = 1 << 10

// New makes a Search. Portable: with kernels in Go alone; the results are the same.
func New[T float32 | float64](portableOnly bool) *Search[T] {
	s := &Search[T]{kernels: kernelSets[T]()[0], width: lanes}
	if portableOnly {
		s.kernels = portable[T]()
	}
	return s
}

// Run computes a batch; of the check of its flows, one side. The only errors are the context's and, with preprocess.Invariants,
// a broken one.
func (s *Search[T]) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	s.prepare(b)
	sources := b.Sources[batch.First : batch.First+batch.Count]
	if err := s.run(ctx, sources, s.flood, s.seat, s.settle, s.begin, s.sort, s.countPaths, s.check, s.retreat); err != nil {
		return preprocess.Result{}, err
	}
	return preprocess.Result{
		Batch:  batch,
		Scores: s.scores,
		Got:    s.got[:batch.Count],
		Want:   s.want[:batch.Count],
		Work:   preprocess.Work{FrontierEntries: int64(s.visits - margin), RowLoads: s.rowLoads},

		Flows:    s.flows,
		FlowWant: s.flowWant(sources),
	}, nil
}

// run takes the steps one after the other, unless one fails.
func (s *Search[T]) run(ctx context.Context, sources []uint32, steps ...func(context.Context, []uint32) error) error {
	for _, step := range steps {
		if err := step(ctx, sources); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes room for a batch of a block.
func (s *Search[T]) prepare(b *preprocess.Block) {
	n := b.Vertices()
	s.visits, s.rowLoads, s.got = margin, 0, [lanes]float64{}
	s.scores, s.rankOf, s.done, s.slotOf = cleared(s.scores, n), cleared(s.rankOf, n), cleared(s.done, n), cleared(s.slotOf, n)
	clear(s.flows)
	if s.block == b {
		return
	}
	s.block, s.weight, s.multiplicity = b, b.To, b.Multiplicity
	s.memory, s.rows = pages.Aligned(s.memory, n*s.width)
	s.levelMemory, s.levels = pages.Aligned(s.levelMemory, n*lanes)
	s.order, s.offsets, s.targets = resize(s.order, n+1), resize(s.offsets, n+1), resize(s.targets, len(b.Targets))
	s.sums, s.turns, s.late, s.changed = resize(s.sums, n), cleared(s.turns, n+margin), cleared(s.late, n+margin), resize(s.changed, n)
	s.dirty, s.marked, s.waits = cleared(s.dirty, n+1+margin), cleared(s.marked, n), cleared(s.waits, n)
	s.list, s.listMask = resize(s.list, int(b.LargestDegree())+1), resize(s.listMask, int(b.LargestDegree())+1)
	s.prepareFlows(b)
	s.inOrder = resize(s.inOrder, n)
	s.makeRoom(visitShare * n)
	if s.width == lanes {
		s.slot = resize(s.slot, len(s.rank))
		s.sent = resize(s.sent, max(cap(s.sent), n/slotShare*lanes))
	}
	s.heavy, s.mass = reserve(s.heavy, n), 0
	for v, to := range b.To {
		s.inOrder[v] = uint32(v)
		s.mass += to
		if to != 1 {
			s.heavy = append(s.heavy, uint32(v))
		}
	}
}

// flood ranks the vertices breadth first from the first source, and writes the block
// down by ranks: whose neighbours have all got one when its own turn comes.
func (s *Search[T]) flood(ctx context.Context, sources []uint32) error {
	rankOf, order, targets := s.rankOf, s.order, s.targets
	first := sources[0]
	order[0], rankOf[first] = first, 1
	found, arcs := uint32(1), uint32(0)
	s.ends = append(s.ends[:0], 1)
	for r := range uint32(len(rankOf)) {
		if r%segment == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if r == s.ends[len(s.ends)-1] {
			s.ends = append(s.ends, found)
		}
		s.offsets[r] = arcs
		for _, u := range s.block.Neighbours(order[r]) {
			x := rankOf[u]
			fresh := (x - 1) &^ x >> 31 // 1 if x is 0: not predictable
			x |= (found + 1) & -fresh
			rankOf[u], order[found] = x, u
			found += fresh
			targets[arcs] = x - 1
			arcs++
		}
		s.layFlows(r)
	}
	s.offsets[len(rankOf)] = arcs
	return nil
}

// seat gives each source its lane.
func (s *Search[T]) seat(_ context.Context, sources []uint32) error {
	b, latest := s.block, uint16(0)
	s.farthest = 0
	if b.Farness != nil {
		for _, v := range sources {
			latest = max(latest, b.Farness[v])
		}
	}
	last := uint32(0)
	for _, v := range sources {
		last = max(last, s.rankOf[v]-1)
	}
	for s.ends[s.farthest] <= last {
		s.farthest++
	}
	s.blank(0, s.ends[s.farthest])
	for i := range lanes {
		v := sources[0]
		if i < len(sources) {
			v = sources[i]
		}
		if s.start[i] = 0; b.Farness != nil {
			s.start[i] = latest - b.Farness[v]
		}
		s.levelsOf(s.rankOf[v] - 1)[s.place(i)] = s.start[i]
	}
	s.ahead = min(len(s.order)*5/(4*len(s.ends)), margin)
	s.buckets = resize(s.buckets, len(s.ends)+s.farthest+int(latest)+1)
	return nil
}

// begin starts some sources, in as many lanes from the first on.
func (s *Search[T]) begin(_ context.Context, sources []uint32) error {
	s.everyLane = ^uint64(0) >> (lanes - len(sources))
	s.sources = s.sources[:0]
	if s.waiting > 0 { // a context ended
		clear(s.waits)
		s.waiting = 0
	}
	for i, v := range sources {
		r := s.rankOf[v] - 1
		s.source[i] = s.block.From[v]
		s.rows[int(r)*s.width+i] = 1
		s.done[r] |= 1 << i
		s.sources = append(s.sources, r)
	}
	return nil
}

// place is where a row of levels has a lane.
func (s *Search[T]) place(lane int) int {
	if s.width < lanes {
		return lane
	}
	return place(lane)
}
