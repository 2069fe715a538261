package meshes

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search computes batches of meshes. It keeps its state from batch to batch, and is for
// one goroutine at a time.
type Search struct {
	leveller
	kernels kernels
	rows    []float64 // by rank, lane: S, later c
	memory  []float64 // rows, and up to a cache line before them
	sources []uint32  // ranks
	heavy   []uint32  // vertices whose target mass is not 1
	mass    float64   // target mass of all vertices

	turning
	slotOf  []uint32 // by rank; 0: none
	want    [lanes]float64
	reached [lanes]float64 // of each source: the target mass that it reaches, each with its share
	access  [lanes]engine.Access
	sees    [lanes]float64 // of each source of a relative block: reached, if what it sends depends on that
	gone    []goneLanes    // vertices that some sources do not reach, by rising rank
	waivers

	near    []float64        // by distance: the shares of a block with Decay
	tiny    bool             // some target mass of a relative block is below 1: see refuse
	arrives []float64        // by vertex, where the block has Hung
	masses  [][lanes]float64 // by level, lane: the target mass there
}

// turning is the order in which ranks have their turns.
type turning struct {
	turns   []uint32 // ranks, by the sum of their levels
	groups  []uint32 // where each group of ranks of about one level ends in turns
	places  []uint32 // by sum of levels minus the least: the next place of such a rank in turns
	late    []uint32
	waits   []uint8 // by rank: 1 after its turn, while lanes are left
	waiting int     // number of such ranks
}

// segment is how many ranks a kernel gets at a time: less than a millisecond of work, so
// that the search soon notices a cancelled context.
const segment = 1 << 10

// margin is how many ranks kernels may read before and after a list of visits.
const margin = 1 << 10

// New makes a Search with the kernels of an instruction set, in Go if the processor lacks it. Results are the same.
func New(set string) *Search {
	s := &Search{leveller: leveller{width: lanes}, kernels: portable()}
	for _, k := range kernelSets() {
		if k.name == set {
			s.kernels = k
		}
	}
	return s
}

// Run computes a batch. Of the check of flows it computes FlowWant only. The only errors are the context's and, with
// invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b)
	sources := b.Sources[batch.First : batch.First+batch.Count]
	if err := s.run(ctx, sources, s.flood, s.seat, s.settle, s.bound, s.begin, s.sort, s.meet, s.countPaths, s.check, s.refuse, s.retreat); err != nil {
		return engine.Result{}, err
	}
	return engine.Result{
		Batch:  batch,
		Scores: s.scores,
		Got:    s.got[:batch.Count],
		Want:   s.want[:batch.Count],
		Work:   engine.Work{FrontierEntries: int64(s.visits - margin), RowLoads: s.rowLoads},

		Flows:    s.flows,
		FlowWant: s.flowWant(sources),
		Access:   s.accesses(batch.Count),
		Sees:     s.seen(batch.Count),
		Arrives:  s.arrives,
	}, nil
}

// run runs the steps one after the other, until one fails.
func (s *Search) run(ctx context.Context, sources []uint32, steps ...func(context.Context, []uint32) error) error {
	for _, step := range steps {
		if err := step(ctx, sources); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes room for a batch of a block.
func (s *Search) prepare(b *preprocess.Block) {
	n := b.Vertices()
	s.visits, s.rowLoads, s.got = margin, 0, [lanes]float64{}
	s.scores, s.done, s.slotOf = pages.Cleared(s.scores, n), pages.Cleared(s.done, n), pages.Cleared(s.slotOf, n)
	s.arrives = pages.Cleared(s.arrives, len(b.Hung))
	clear(s.flows)
	if s.block == b {
		return
	}
	s.lay(b)
	s.byLevel, s.weight, s.multiplicity = s.kernels.levelKernels, b.To, b.Multiplicity
	s.memory, s.rows = pages.Aligned(s.memory, n*s.width)
	s.turns, s.late, s.waits = pages.Cleared(s.turns, n+margin), pages.Cleared(s.late, n+margin), pages.Cleared(s.waits, n)
	room := int(max(b.LargestDegree(), b.Reverse().LargestDegree())) + 1
	s.list, s.listMask = pages.Resize(s.list, room), pages.Resize(s.listMask, room)
	s.prepareFlows(b)
	s.prepareShares()
	s.makeRoom(visitShare * n)
	if s.width == lanes {
		s.slot = pages.Resize(s.slot, len(s.rank))
		s.sent = pages.Resize(s.sent, max(cap(s.sent), n/slotShare*lanes))
	}
	s.heavy, s.mass = pages.Reserve(s.heavy, n), 0
	for v, to := range b.To {
		s.mass += to
		if to != 1 {
			s.heavy = append(s.heavy, uint32(v))
		}
	}
}

// begin starts some sources, one in each lane from lane 0 on.
func (s *Search) begin(_ context.Context, sources []uint32) error {
	s.everyLane = ^uint64(0) >> (lanes - len(sources))
	s.ahead = min(len(s.order)*5/(4*len(s.ends)), margin)
	s.sources = s.sources[:0]
	if s.waiting > 0 { // a context ended an earlier search
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
