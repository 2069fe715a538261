// Package sharing says which engine computes which batch of a run, so that all
// end at about the same time. It sees what batches cost, never what they score:
// that is package ledger's. A batch whose engine failed goes back, and one that a
// device has a copy of counts by the device's result, so that every batch is
// finished exactly once.
//
//	New                what is to be done
//	Sharing.Add        a Client for every device, and one for all cores
//	Client.Take        hands out, waits, copies: an engine.Take
//	Client.Finish      takes note of a result, and says whether it counts
//	Client.End         takes back what an engine has left
//	Sharing.Withdraw   takes out what engines need not try
//
// One mutex guards everything that changes. It is held for short, whatever the
// size of the graph.
package sharing

import (
	"slices"
	"sync"
	"time"

	"bcstage/preprocess"
)

// Sharing holds the batches of a run.
type Sharing struct {
	plan     *preprocess.Plan // read only
	all      float64          // cost of the plan; read only
	began    time.Time        // read only
	complete func()           // called when everything is finished; set by Begin, then read only

	mu        sync.Mutex      // guards what follows, and the clients
	changed   *sync.Cond      // something that a client may wait for
	finished  []bool          // by batch: need not be computed any more
	done      int             // of todo
	doneCost  float64         // of those
	copied    map[int]*Client // the device that has a copy of a core's batch
	clients   []*Client       // in the order of Add
	expecting bool            // devices may still come up
	warm      forecast        // see Forecast
	row
	figures
}

// row is what is to be done, and what of it has been handed out.
type row struct {
	todo        []int   // batches of this run, in plan order: most work first
	total       float64 // their cost
	front, back int     // outside todo[front:back] everything has been handed out
	handed      []bool  // by batch: has been handed out
	open        float64 // cost of what has not been handed out
	orphan      int     // before it in todo, live devices accept everything
	returned    []int   // handed out once, given back by a failed engine
}

// figures are what the run has cost so far.
type figures struct {
	timeline   timeline        // of the clients' costs
	work       preprocess.Work // summed over results
	workVertex float64         // vertices traversed, summed over batches
	workEdge   float64         // edges traversed, summed over batches whose row loads are known
}

// New shares the batches of a plan that are still to do, in the plan's order.
func New(plan *preprocess.Plan, todo []int) *Sharing {
	s := &Sharing{
		plan:     plan,
		complete: func() {},
		row:      row{todo: todo, back: len(todo), handed: make([]bool, len(plan.Batches))},
		finished: make([]bool, len(plan.Batches)),
		copied:   make(map[int]*Client),
		began:    time.Now(),
	}
	s.changed = sync.NewCond(&s.mu)
	for index := range s.finished {
		s.finished[index] = true // nobody has asked for it
		s.all += plan.Cost(plan.Batches[index])
	}
	for _, index := range todo {
		s.finished[index] = false
		s.total += plan.Cost(plan.Batches[index])
	}
	s.open = s.total
	return s
}

// Extend adds batches of the plan, none of which were to do so far, when all of
// those before are finished: the engines go on with them.
func (s *Sharing) Extend(todo []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added := 0.0
	for _, index := range todo {
		s.finished[index] = false
		added += s.plan.Cost(s.plan.Batches[index])
	}
	s.total += added
	s.open += added
	s.todo = append(slices.Clip(s.todo), todo...)
	s.back = len(s.todo)
	s.orphan = 0
	for _, c := range s.clients {
		c.live, c.idle = c.failed == "", false
	}
}

// Begin says, before anything is taken, whether devices may come up and what is to
// be called when everything is finished.
func (s *Sharing) Begin(expectDevices bool, complete func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expecting, s.complete = expectDevices, complete
}

// ExpectDevices says that devices may come up, after all.
func (s *Sharing) ExpectDevices() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expecting = true
}

// DevicesKnown says that no more devices come up than have been added.
func (s *Sharing) DevicesKnown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expecting = false
	s.changed.Broadcast()
}

// Complete says whether everything is finished.
func (s *Sharing) Complete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done == len(s.todo)
}

// Part is which share of the plan's cost is to be done; 0 if there is nothing to search.
func (s *Sharing) Part() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == 0 {
		return 0
	}
	return s.total / s.all
}

// Finish takes note that a client has a result for batches of one block, and says
// whether it counts. A result that covers a batch which another engine has
// finished does not: its sums cannot be taken apart.
func (c *Client) Finish(covered []preprocess.Batch, work preprocess.Work) bool {
	s := c.sharing
	block := &s.plan.Blocks[covered[0].Block]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expecting || len(s.devices()) > 0 {
		defer s.changed.Broadcast() // what is worth waiting for has changed
	}
	late := false
	if since, ok := c.held[covered[0].Index]; ok && c.Device && block.Kind().Chained() {
		cost := 0.0
		for _, batch := range covered {
			cost += s.plan.Cost(batch)
		}
		c.rates[covered[0].Block] = max(c.rates[covered[0].Block], cost/time.Since(since).Seconds())
	}
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
		return false
	}
	for _, batch := range covered {
		cost := s.finish(batch)
		c.batches++
		c.cost += cost
		if block.Kind().Reach() {
			continue // rows of bits are counted in no figure
		}
		s.workVertex += float64(block.Vertices())
		if work.RowLoads > 0 { // not all strategies of devices count them
			s.workEdge += float64(block.Edges())
		}
	}
	s.work.FrontierEntries += work.FrontierEntries
	s.work.RowLoads += work.RowLoads
	s.timeline.add(time.Since(s.began).Seconds(), s.clients)
	s.completed()
	return true
}

// Withdraw takes out what has not been handed out of a block, or was given back.
// It is finished for the engines.
func (s *Sharing) Withdraw(block int) (batches []preprocess.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	take := func(index int) bool {
		batch := s.plan.Batches[index]
		if batch.Block != block {
			return false
		}
		s.finish(batch)
		batches = append(batches, batch)
		return true
	}
	for _, index := range s.todo[s.front:s.back] {
		if !s.handed[index] && take(index) {
			s.handOut(index)
		}
	}
	s.returned = slices.DeleteFunc(s.returned, take)
	if len(batches) > 0 {
		s.completed()
	}
	return batches
}

// finish marks a batch, and returns its cost. The caller holds the lock.
func (s *Sharing) finish(batch preprocess.Batch) (cost float64) {
	s.finished[batch.Index] = true
	cost = s.plan.Cost(batch)
	s.done++
	s.doneCost += cost
	return cost
}

// completed tells who waits for the last batch. The caller holds the lock.
func (s *Sharing) completed() {
	if s.done == len(s.todo) {
		s.complete()
		s.changed.Broadcast()
	}
}
