package pipeline

import (
	"maps"
	"math"
	"slices"
	"sync"

	"bcstage/preprocess"
)

// schedule hands out the batches of a plan and collects their results.
//
// Batches lie in a row, most work first. Without a device, CPU workers take
// from the front, so that what is left at the end is small. With one, drivers
// take chunks from the front and CPU workers single batches from the back:
// the device gets the large blocks, the cores the small ones, and they meet.
//
// At the very end a device is handed copies of what the cores still hold, so
// that a slow core never makes a run wait; from then on the core's result of
// such a batch is dropped. A batch whose engine failed goes back. So every
// batch counts exactly once.
type schedule struct {
	plan *preprocess.Plan

	mu          sync.Mutex
	todo        []int           // batches of this run, in plan order
	front, back int             // todo[front:back] has not been handed out
	returned    []int           // handed out once, given back by a failed engine
	finished    []bool          // by batch: need not be computed any more
	summed      []bool          // by batch: is in sums
	copied      map[int]*client // the device that has a copy of a core's batch
	clients     []*client
	choices     []DeviceChoice
	sums        *sums
	rescue      []preprocess.Batch // finished, but the result cannot be trusted
	trusted     []bool             // by block: some result can be
	overflowed  map[int]int        // by block: batches whose path counts passed the range
	done        int
	onComplete  func() // called once, when the last batch is finished
	doneCost    float64
	totalCost   float64
	check       SelfCheck
	verifier    *verifier // nil: nothing to verify
	engines     []string  // of the partial that is resumed
	tolerance   float64
	work        preprocess.Work
	workVertex  float64 // vertices traversed, summed over batches
	workEdge    float64 // edges traversed, summed over batches
}

// newSchedule is for the batches of a shard that resumed, which may be nil,
// does not have yet.
func newSchedule(plan *preprocess.Plan, opts Options, resumed *partial) *schedule {
	s := &schedule{
		plan:      plan,
		finished:  make([]bool, len(plan.Batches)),
		copied:    make(map[int]*client),
		summed:    make([]bool, len(plan.Batches)),
		trusted:   make([]bool, len(plan.Blocks)),
		sums:      newSums(plan.Vertices),
		tolerance: checkTolerance(opts.Precision),
	}
	if resumed != nil {
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
	if opts.Verify > 0 {
		s.verifier = newVerifier(plan, opts.Shard.batches(plan), opts.Verify)
	}
	s.back = len(s.todo)
	return s
}

// completed tells who waits for the last batch. The caller holds the lock.
func (s *schedule) completed() {
	if s.done == len(s.todo) {
		s.onComplete()
	}
}

// checkTolerance is how far the two sides of the self-check may lie apart,
// relative to the larger: far above what rounding does over any depth, far
// below what one wrong path count does.
func checkTolerance(precision Precision) float64 {
	if precision == Float32 {
		return 1e-3
	}
	return 1e-9
}

// client is one engine's view of the schedule: what it holds and has done.
type client struct {
	schedule *schedule
	name     string
	device   bool                 // takes chunks from the front, and copies at the end
	fromBack bool                 // takes single batches from the back
	accepts  func(block int) bool // nil: every block
	held     map[int]bool
	batches  int
	cost     float64
	failed   string // why its engine ended early
}

// add registers a client.
func (s *schedule) add(c *client) *client {
	c.schedule = s
	c.held = make(map[int]bool)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = append(s.clients, c)
	return c
}

// take returns up to most (at least 1) consecutive batches of one block, none
// when nothing is left for this client.
func (c *client) take(most int) []preprocess.Batch {
	s := c.schedule
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.returned) > 0 {
		last := len(s.returned) - 1
		batch := s.plan.Batches[s.returned[last]]
		if c.accepts == nil || c.accepts(batch.Block) {
			s.returned = s.returned[:last]
			return c.hold([]preprocess.Batch{batch})
		}
	}
	if s.front >= s.back {
		return c.copies(most)
	}
	if c.fromBack {
		batch := s.plan.Batches[s.todo[s.back-1]]
		if c.accepts != nil && !c.accepts(batch.Block) {
			return nil
		}
		s.back--
		return c.hold([]preprocess.Batch{batch})
	}
	first := s.plan.Batches[s.todo[s.front]]
	if c.accepts != nil && !c.accepts(first.Block) {
		return nil
	}
	var taken []preprocess.Batch
	for s.front < s.back && len(taken) < most && s.plan.Batches[s.todo[s.front]].Block == first.Block {
		taken = append(taken, s.plan.Batches[s.todo[s.front]])
		s.front++
	}
	return c.hold(taken)
}

func (c *client) hold(batches []preprocess.Batch) []preprocess.Batch {
	for _, batch := range batches {
		c.held[batch.Index] = true
	}
	return batches
}

// copies hands a device what cores have begun and not finished.
func (c *client) copies(most int) []preprocess.Batch {
	if !c.device {
		return nil
	}
	s := c.schedule
	var taken []preprocess.Batch
	for _, other := range s.clients {
		if other.device {
			continue
		}
		for _, index := range slices.Sorted(maps.Keys(other.held)) {
			batch := s.plan.Batches[index]
			usable := !s.finished[index] && s.copied[index] == nil && (c.accepts == nil || c.accepts(batch.Block))
			if usable && len(taken) < most && (len(taken) == 0 || taken[0].Block == batch.Block) {
				s.copied[index] = c
				taken = append(taken, batch)
			}
		}
	}
	return c.hold(taken)
}

// giveBack returns what the client holds, after its engine ended.
func (c *client) giveBack() int {
	s := c.schedule
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for index := range c.held {
		if !s.finished[index] {
			s.returned = append(s.returned, index)
			delete(s.copied, index)
			count++
		}
	}
	clear(c.held)
	return count
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
	late := false
	for _, batch := range covered {
		delete(c.held, batch.Index)
		late = late || s.finished[batch.Index] || (s.copied[batch.Index] != nil && s.copied[batch.Index] != c)
	}
	if late {
		for _, batch := range covered {
			if !s.finished[batch.Index] && s.copied[batch.Index] == nil {
				s.returned = append(s.returned, batch.Index)
			}
		}
		return nil
	}
	for _, batch := range covered {
		s.finished[batch.Index] = true
		cost := s.plan.Cost(batch)
		c.batches++
		c.cost += cost
		s.doneCost += cost
		s.workVertex += float64(block.Vertices())
		s.workEdge += float64(block.Edges())
	}
	s.done += len(covered)
	defer s.completed()
	s.work.FrontierEntries += result.Work.FrontierEntries
	s.work.RowLoads += result.Work.RowLoads
	if !(difference <= s.tolerance) {
		s.rescue = append(s.rescue, covered...)
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
func (s *schedule) covered(engine string, result preprocess.Result) ([]preprocess.Batch, error) {
	batch := result.Batch
	if result.More < 0 || batch.Index+result.More >= len(s.plan.Batches) {
		return nil, contract("%s: batch %d: result covers %d more", engine, batch.Index, result.More)
	}
	list := s.plan.Batches[batch.Index : batch.Index+result.More+1]
	sources := 0
	for _, b := range list {
		if b.Block != batch.Block {
			return nil, contract("%s: batch %d: result covers batch %d of another block", engine, batch.Index, b.Index)
		}
		sources += b.Count
	}
	if result.Together {
		sources = 1
	}
	vertices := s.plan.Blocks[batch.Block].Vertices()
	if len(result.Scores) != vertices || len(result.Got) != sources || len(result.Want) != sources {
		return nil, contract("%s: batch %d: result has %d scores, %d and %d sums for %d vertices, %d sources", engine, batch.Index, len(result.Scores), len(result.Got), len(result.Want), vertices, sources)
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
