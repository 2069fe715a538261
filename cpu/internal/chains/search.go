package chains

import (
	"context"
	"math"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Search computes batches of blocks with chains. The zero value is ready. A
// Search keeps its state from batch to batch, and is for one goroutine at a time.
//
// The self-check is one pair of numbers for the whole batch. Got is the sum over its
// sources s of From(s)*D_s(s): flow that arrives at the roots, and pairs joined inside chains.
// Want is the sum of From(s) times the weight of all other vertices.
type Search struct {
	block *preprocess.Block
	*skeleton
	tally   tally
	queue   queue
	load    load
	fan     fan
	sources []float64 // by slot: mass of the batch's source there
	opened  []bool    // by chain: sources are inside
	anchors []anchor  // of the batch
	number  []int32   // by junction: its anchor, or none
	roots   []*root   // of the anchors, then spare ones of other batches

	scores    []float64
	got, want [1]float64
	work      engine.Work
}

// anchor is a junction that sources of the batch hang on: a source, or an
// end of a chain that holds sources.
type anchor struct {
	junction uint32
	mass     float64 // as a source of the batch, or 0
}

// none is the number of junctions without an anchor.
const none = -1

// Run computes a batch. The slices of the result belong to the Search. The only
// errors are the context's and, with invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	if s.block != b {
		*s = *newSearch(b)
	}
	found, err := s.hang(b.Sources[batch.First : batch.First+batch.Count]).search(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	sent, err := found.send(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	return sent.result(batch), nil
}

func newSearch(b *preprocess.Block) *Search {
	k := newSkeleton(b)
	return &Search{
		block: b, skeleton: k,
		tally:   newTally(k),
		queue:   newQueue(k),
		load:    newLoad(k),
		fan:     newFan(k),
		sources: make([]float64, len(k.upTo)),
		opened:  make([]bool, len(k.Ends)),
		number:  make([]int32, len(k.Junctions)),
		scores:  make([]float64, b.Vertices()),
	}
}

// hung is a batch whose anchors are known.
type hung struct{ *Search }

// hang finds the anchors of a batch's sources.
func (s *Search) hang(sources []uint32) hung {
	s.tally.clear()
	clear(s.sources)
	clear(s.opened)
	for j := range s.number {
		s.number[j] = none
	}
	s.anchors = s.anchors[:0]
	s.got[0], s.want[0], s.work = 0, 0, engine.Work{}
	for _, v := range sources {
		s.want[0] += s.block.From[v] * (s.total - s.block.To[v])
		at := s.places[v]
		if at.at == 0 {
			s.anchor(at.index).mass = s.block.From[v]
			continue
		}
		s.sources[s.slot[at.index]+at.at] = s.block.From[v]
		s.opened[at.index] = true
		for _, end := range s.Ends[at.index] {
			s.anchor(end)
		}
	}
	return hung{s}
}

// anchor returns the anchor at junction j. The first call makes it.
func (s *Search) anchor(j uint32) *anchor {
	if s.number[j] == none {
		s.number[j] = int32(len(s.anchors))
		s.anchors = append(s.anchors, anchor{junction: j})
	}
	return &s.anchors[s.number[j]]
}

// found is a batch whose anchors are roots.
type found struct {
	*Search
	inRange bool // no path count passed engine.MostPaths
}

// search searches from all anchors.
func (s hung) search(ctx context.Context) (found, error) {
	inRange := true
	for i, a := range s.anchors {
		if i == len(s.roots) {
			s.roots = append(s.roots, newRoot(s.skeleton))
		}
		ok, err := s.roots[i].search(ctx, s.skeleton, &s.queue, a)
		if err != nil {
			return found{}, err
		}
		inRange = inRange && ok
	}
	return found{s.Search, inRange}, nil
}

// sent is a batch with a complete tally.
type sent struct{ found }

// send sends the masses of all roots.
func (s found) send(ctx context.Context) (sent, error) {
	for _, u := range s.roots[:len(s.anchors)] {
		if err := s.sendBy(ctx, u); err != nil {
			return sent{}, err
		}
	}
	return sent{s}, nil
}

// sendBy sends the masses that paths take through root u.
func (s found) sendBy(ctx context.Context, u *root) error {
	out := s.load.begin(u)
	for _, arm := range s.arms[s.first[u.from]:s.first[u.from+1]] {
		if !s.opened[arm.chain] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.got[0] += s.fan.open(arm.chain, u, s.roots[s.number[arm.to]], s.sources).
			toJunctions(out).
			toChains(out, &s.tally).
			outward().
			toOwn(out, &s.tally)
		s.work.RowLoads += int64(len(s.Junctions) + len(s.hollow))
	}
	arrived, err := out.pass(ctx, s.skeleton, &s.tally)
	s.got[0] += arrived
	s.work.FrontierEntries += int64(len(u.order))
	s.work.RowLoads += int64(2 * len(s.arms))
	return err
}

// result returns the result of the batch.
func (s sent) result(batch engine.Batch) engine.Result {
	s.tally.sum(s.skeleton, s.scores)
	if !s.inRange {
		s.got[0] = math.NaN()
	}
	return engine.Result{Batch: batch, Scores: s.scores, Got: s.got[:], Want: s.want[:], Work: s.work, Together: true}
}
