package cpu

import (
	"context"
	"math"

	"bcstage/preprocess"
)

// chainSearch computes batches of a block by its junctions and chains: see
// preprocess.Chains. It searches from junctions only, over chains as edges of
// their length, and never walks along a chain.
//
// Let y be at position i of a chain from u to v, of the given length. A
// shortest path from y to a vertex t outside leaves the chain by u or by v:
//
//	d(y,t) = min(i + d(u,t), length-i + d(v,t))
//
// and goes on as a shortest path from u or from v. (A shortest path from u to t
// may lead through the chain itself; but then v is nearer to t by the whole
// length, and y goes by v.) Dependencies are linear in the weights of the
// targets. So what all sources inside all chains at u send by way of u, and
// what u sends as a source, is one pass back to u with the weight of t times
// the mass of t, the weight of the sources that come to t by way of u; a source
// that goes both ways at once counts by its shares of the paths. Whichever way
// a source goes, is decided by d(u,t)-d(v,t) alone: see fan. What targets inside
// a chain send to its ends has a closed form too: see load.
//
// A search and a fan take time O(chains). A block takes O(junctions*chains +
// chains^2), and, for two chains that lie opposite each other, so that not all
// pairs of their vertices go the same way, the length of one. State: 20 bytes per
// junction for each root, of which a batch has about a tenth as many as sources
// on road networks; 80 bytes per vertex; 130 per chain.
//
// M. Bentert, A. Dittmann, L. Kellerhals, A. Nichterlein, R. Niedermeier, "An
// adaptive version of Brandes' algorithm for betweenness centrality", JGAA 24
// (2020), treat chains in pairs, in time O(k*n) for k = m-n+1.
//
// The self-check is one pair of numbers for the whole batch: Got is the sum of
// its Scores, which is the sum over its sources s of From(s) times the sum over v
// of D_s(v); Want is the same sum of From(s) times the right side of the check.
type chainSearch struct {
	block *preprocess.Block
	*skeleton
	tally   tally
	queue   buckets
	load    load
	fan     fan
	sources []float64 // by slot: weight of the batch's source there
	opened  []bool    // by chain: sources are in it
	rootOf  []*root   // by junction: nil if it is none
	roots   []*root   // of the batch
	spare   []*root

	scores    []float64
	got, want [1]float64
	work      preprocess.Work
}

// run computes the batch of a block that has chains.
func (s *chainSearch) run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	if s.block != b {
		*s = *newChainSearch(b)
	}
	s.begin(b.Sources[batch.First : batch.First+batch.Count])
	inRange := true
	for _, r := range s.roots {
		ok, err := r.search(ctx, s.skeleton, &s.queue)
		if err != nil {
			return preprocess.Result{}, err
		}
		inRange = inRange && ok
	}
	for _, r := range s.roots {
		if err := s.send(ctx, r); err != nil {
			return preprocess.Result{}, err
		}
	}
	s.got[0] = s.tally.sum(s.skeleton, s.scores)
	if !inRange {
		s.got[0] = math.NaN()
	}
	return preprocess.Result{Batch: batch, Scores: s.scores, Got: s.got[:], Want: s.want[:], Work: s.work, Together: true}, nil
}

func newChainSearch(b *preprocess.Block) *chainSearch {
	k := newSkeleton(b)
	return &chainSearch{
		block: b, skeleton: k,
		tally:   newTally(k),
		queue:   newBuckets(k.longest),
		load:    newLoad(k),
		fan:     newFan(k),
		sources: make([]float64, len(k.upTo)),
		opened:  make([]bool, len(k.Ends)),
		rootOf:  make([]*root, len(k.Junctions)),
		scores:  make([]float64, b.Vertices()),
	}
}

// begin a batch: find its roots, which are the junctions among its sources and
// the ends of the chains that hold sources.
func (s *chainSearch) begin(sources []uint32) {
	s.tally.clear()
	clear(s.sources)
	clear(s.opened)
	clear(s.rootOf)
	s.spare = append(s.spare, s.roots...)
	s.roots = s.roots[:0]
	s.want[0], s.work = 0, preprocess.Work{}
	for _, v := range sources {
		at := s.places[v]
		if at.position == 0 {
			s.root(at.index).weight = s.block.From[v]
			continue
		}
		s.sources[s.slot[at.index]+at.position] = s.block.From[v]
		s.opened[at.index] = true
		for _, end := range s.Ends[at.index] {
			s.root(end)
		}
	}
}

// root at junction j, made when first asked for.
func (s *chainSearch) root(j uint32) *root {
	if r := s.rootOf[j]; r != nil {
		return r
	}
	var r *root
	if last := len(s.spare) - 1; last >= 0 {
		r, s.spare = s.spare[last], s.spare[:last]
	} else {
		r = newRoot(s.skeleton)
	}
	r.from, r.weight = j, 0
	s.rootOf[j] = r
	s.roots = append(s.roots, r)
	return r
}

// send what goes by way of a root.
func (s *chainSearch) send(ctx context.Context, u *root) error {
	s.load.reset(u.weight)
	near := u.weight // weight of the sources whose distances are told from here
	for _, arm := range s.arms[s.first[u.from]:s.first[u.from+1]] {
		if !s.opened[arm.chain] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.fan.open(s.skeleton, arm.chain, u, s.rootOf[arm.to], s.sources)
		s.fan.send(&s.load, &s.tally)
		if u.from < arm.to { // once for both ends
			near += s.fan.sources[len(s.fan.sources)-1]
			s.want[0] += s.fan.want()
		}
		s.work.RowLoads += int64(len(s.Junctions) + len(s.hollow))
	}
	far, err := s.load.pass(ctx, s.skeleton, u, &s.tally)
	s.want[0] += near*far - u.weight*(s.total-s.weight[u.from])
	s.work.FrontierEntries += int64(len(u.order))
	s.work.RowLoads += int64(2 * len(s.arms))
	return err
}
