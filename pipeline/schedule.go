package pipeline

import (
	"math"
	"sync"
	"time"

	"bcstage/pipeline/engine"
	"bcstage/preprocess"
)

// schedule holds the batches of a run and collects their results; sharing.go
// says who gets which. A batch whose engine failed goes back, and one that a
// device has a copy of counts by the device's result: so every batch counts
// exactly once.
type schedule struct {
	plan *preprocess.Plan

	mu          sync.Mutex
	changed     *sync.Cond      // something that a client may wait for
	todo        []int           // batches of this run, in plan order: most work first
	front, back int             // outside todo[front:back] everything has been handed out
	handed      []bool          // by batch: has been handed out
	open        float64         // cost of what has not been handed out
	orphan      int             // before it in todo, live devices accept everything
	returned    []int           // handed out once, given back by a failed engine
	finished    []bool          // by batch: need not be computed any more
	summed      []bool          // by batch: is in sums
	copied      map[int]*client // the device that has a copy of a core's batch
	clients     []*client
	expecting   bool // devices may still come up
	began       time.Time
	choices     []DeviceChoice
	sums        *sums
	aside       [countOfMeans][]asideBatch // finished, to be computed by other means
	patience    int                        // see overflow
	trusted     []bool                     // by block: some result can be
	overflowed  map[int]int                // by block: batches whose path counts passed the range
	done        int
	onComplete  func() // called once, when the last batch is finished
	doneCost    float64
	totalCost   float64
	share       float64 // that it is of the cost of the whole plan
	check       SelfCheck
	verifier    *verifier // nil: nothing to verify
	engines     []string  // of the partial that is resumed
	shard       Shard     // with that of the partial that is resumed
	precision   Precision
	timeline    timeline
	work        preprocess.Work
	workVertex  float64 // vertices traversed, summed over batches
	workEdge    float64 // edges traversed, summed over batches whose row loads are known
}

// newSchedule is for the batches of a shard that resumed, which may be nil,
// does not have yet.
func newSchedule(plan *preprocess.Plan, opts Options, resumed *partial) *schedule {
	s := &schedule{
		plan:      plan,
		handed:    make([]bool, len(plan.Batches)),
		finished:  make([]bool, len(plan.Batches)),
		copied:    make(map[int]*client),
		summed:    make([]bool, len(plan.Batches)),
		trusted:   make([]bool, len(plan.Blocks)),
		sums:      newSums(plan.Vertices),
		precision: opts.Precision,
		patience:  patience,
		shard:     opts.Shard,
	}
	if resumed != nil {
		s.shard = s.shard.with(resumed.shard)
		copy(s.finished, resumed.done)
		copy(s.summed, resumed.done)
		s.sums = resumed.sums
		s.check = resumed.check
		s.engines = resumed.engines
	}
	for _, index := range opts.Shard.batches(plan) {
		if !s.finished[index] {
			s.todo = append(s.todo, index)
			s.totalCost += plan.Cost(plan.Batches[index])
		}
	}
	all := 0.0
	for _, batch := range plan.Batches {
		all += plan.Cost(batch)
	}
	s.share = 1
	if all > 0 {
		s.share = s.totalCost / all
	}
	if opts.Verify > 0 {
		s.verifier = newVerifier(plan, opts.Shard.batches(plan), opts.Verify)
	}
	s.changed = sync.NewCond(&s.mu)
	s.began = time.Now()
	s.back = len(s.todo)
	s.open = s.totalCost
	return s
}

// completed tells who waits for the last batch. The caller holds the lock.
func (s *schedule) completed() {
	if s.done == len(s.todo) {
		s.onComplete()
		s.changed.Broadcast()
	}
}

// finish adds a result to the sums, or sets its batches aside to be computed
// again when the self-check does not hold. A result that covers a batch which
// another engine has finished is dropped: its sums cannot be taken apart.
func (c *client) finish(result preprocess.Result) error {
	s := c.schedule
	covered, err := s.covered(c.name, result)
	if err != nil {
		return err
	}
	block := &s.plan.Blocks[result.Batch.Block]
	difference := selfCheck(result)

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expecting || len(s.devices()) > 0 {
		defer s.changed.Broadcast() // what is worth waiting for has changed
	}
	late := false
	for _, batch := range covered {
		c.letGo(batch)
		late = late || s.finished[batch.Index] || (s.copied[batch.Index] != nil && s.copied[batch.Index] != c)
	}
	if late {
		for _, batch := range covered {
			if !s.finished[batch.Index] && s.copied[batch.Index] == nil {
				s.returned = append(s.returned, batch.Index)
			}
		}
		s.changed.Broadcast()
		return nil
	}
	for _, batch := range covered {
		s.finished[batch.Index] = true
		cost := s.plan.Cost(batch)
		c.batches++
		c.cost += cost
		s.doneCost += cost
		s.workVertex += float64(block.Vertices())
		if result.Work.RowLoads > 0 { // devices do not count them
			s.workEdge += float64(block.Edges())
		}
	}
	s.timeline.add(time.Since(s.began).Seconds(), s.clients)
	s.done += len(covered)
	defer s.completed()
	s.work.FrontierEntries += result.Work.FrontierEntries
	s.work.RowLoads += result.Work.RowLoads
	if !(difference <= s.precision.Tolerance()) {
		by := byCore
		if !c.device {
			by = by.after(s.precision)
		}
		s.setAside(by, true, covered...)
		if math.IsNaN(difference) || math.IsInf(difference, 0) {
			s.overflow(result.Batch.Block, len(covered))
		}
		return nil
	}
	s.trusted[result.Batch.Block] = true
	s.count(covered, result.Scores, difference)
	if s.verifier != nil && !result.Together {
		s.verifier.see(covered, result.Got)
	}
	return nil
}

// count adds the scores of batches that can be trusted. The caller holds the lock.
func (s *schedule) count(batches []preprocess.Batch, scores []float64, difference float64) {
	for _, batch := range batches {
		s.summed[batch.Index] = true
		s.check.Sources += batch.Count
	}
	s.check.LargestRelative = max(s.check.LargestRelative, difference)
	s.plan.Blocks[batches[0].Block].Each(batches, scores, s.sums.add)
}

// covered are the batches that a result speaks of, or what is wrong with it.
func (s *schedule) covered(name string, result preprocess.Result) ([]preprocess.Batch, error) {
	batch := result.Batch
	if result.More < 0 || batch.Index+result.More >= len(s.plan.Batches) {
		return nil, engine.Broken("%s: batch %d: result covers %d more", name, batch.Index, result.More)
	}
	list := s.plan.Batches[batch.Index : batch.Index+result.More+1]
	sources := 0
	for _, b := range list {
		if b.Block != batch.Block {
			return nil, engine.Broken("%s: batch %d: result covers batch %d of another block", name, batch.Index, b.Index)
		}
		sources += b.Count
	}
	if result.Together {
		sources = 1
	}
	vertices := s.plan.Blocks[batch.Block].Vertices()
	if len(result.Scores) != vertices || len(result.Got) != sources || len(result.Want) != sources {
		return nil, engine.Broken("%s: batch %d: result has %d scores, %d and %d sums for %d vertices, %d sources", name, batch.Index, len(result.Scores), len(result.Got), len(result.Want), vertices, sources)
	}
	return list, nil
}

// selfCheck is the largest relative difference between the two sides of the
// check over the sources of a result; NaN when any number is not finite or a
// score is negative.
func selfCheck(result preprocess.Result) float64 {
	largest := 0.0
	for i, got := range result.Got {
		want := result.Want[i]
		if got == want {
			continue
		}
		largest = larger(largest, math.Abs(got-want)/max(math.Abs(want), math.SmallestNonzeroFloat64))
	}
	for _, score := range result.Scores {
		if !(score >= 0 && score <= math.MaxFloat64) {
			return math.NaN()
		}
	}
	return largest
}
