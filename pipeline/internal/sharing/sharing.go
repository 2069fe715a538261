// Package sharing decides which engine computes which batch of a run, so that all end at about the
// same time. It sees the costs of batches, never their scores, which are package ledger's. A batch
// whose engine failed is given back. If a device has a copy of a batch, the device's result counts,
// so every batch is finished exactly once.
//
//	New                what is to be done
//	Sharing.Add        a Client for every device, and one for all cores
//	Client.Take        hands out, waits, copies: an engine.Take
//	Client.Finish      takes note of a result, and says whether it counts
//	Client.End         takes back what an engine has left
//	Sharing.Withdraw   takes out what engines need not try
//
// One mutex guards everything that changes. It is held only briefly, whatever the size of the
// graph.
package sharing

import (
	"slices"
	"sync"
	"time"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Sharing holds the batches of a run.
type Sharing struct {
	plan     *preprocess.Plan // read only
	all      float64          // cost of the plan; read only
	began    time.Time        // read only
	complete func()           // called when everything is finished; set by Begin, then read only

	mu        sync.Mutex      // guards the fields below, and the clients
	changed   *sync.Cond      // signals every change that a client may wait for
	finished  []bool          // by batch: no longer needed
	done      int             // number of finished batches of todo
	doneCost  float64         // their cost
	copied    map[int]*Client // the device that has a copy of a core's batch
	clients   []*Client       // in the order of Add
	expecting bool            // devices may still start
	warm      forecast        // see Forecast
	row
	figures
}

// row holds the batches of a run, and which of them are taken.
type row struct {
	todo        []int   // batches of this run, in plan order: most work first
	total       float64 // their cost
	front, back int     // all batches outside todo[front:back] are taken
	handed      []bool  // by batch: taken
	open        float64 // cost of the batches that are not taken
	orphan      int     // live devices accept every batch of todo before this
	returned    []int   // taken once, and given back by a failed engine
}

// figures are the costs so far.
type figures struct {
	timeline   timeline    // of the clients' costs
	work       engine.Work // summed over results
	workVertex float64     // vertices traversed, summed over batches
	workEdge   float64     // edges traversed, summed over batches whose row loads are known
}

// New shares the unfinished batches of a plan, in the plan's order.
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
		s.finished[index] = true // not asked for
		s.all += plan.Cost(plan.Batches[index])
	}
	for _, index := range todo {
		s.finished[index] = false
		s.total += plan.Cost(plan.Batches[index])
	}
	s.open = s.total
	return s
}

// Extend adds batches of the plan when all earlier ones are finished. None of them may have been in
// todo. The engines continue with them.
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

// Begin sets, before any batch is taken, whether devices may start, and the function to call when
// everything is finished.
func (s *Sharing) Begin(expectDevices bool, complete func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expecting, s.complete = expectDevices, complete
}

// ExpectDevices records that devices may start after all.
func (s *Sharing) ExpectDevices() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expecting = true
}

// DevicesKnown records that no more devices will be added.
func (s *Sharing) DevicesKnown() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expecting = false
	s.changed.Broadcast()
}

// Complete reports whether everything is finished.
func (s *Sharing) Complete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done == len(s.todo)
}

// Part is the share of the plan's cost in this run; 0 if there is nothing to search.
func (s *Sharing) Part() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == 0 {
		return 0
	}
	return s.total / s.all
}

// Finish records a client's result for batches of one block, and reports whether it counts. It does
// not if it covers a batch that another engine has finished: its sums cannot be separated.
func (c *Client) Finish(covered []engine.Batch, work engine.Work) bool {
	s := c.sharing
	block := &s.plan.Blocks[covered[0].Block]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expecting || len(s.devices()) > 0 {
		defer s.changed.Broadcast() // the reasons to wait have changed
	}
	late := false
	if since, ok := c.held[covered[0].Index]; ok && c.Device {
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
			continue // no figure counts rows of bits
		}
		s.workVertex += float64(block.Vertices())
		if work.RowLoads > 0 { // some strategies of devices do not count them
			s.workEdge += float64(block.Edges())
		}
	}
	s.work.FrontierEntries += work.FrontierEntries
	s.work.RowLoads += work.RowLoads
	s.timeline.add(time.Since(s.began).Seconds(), s.clients)
	s.completed()
	return true
}

// Withdraw removes the batches of a block that are not taken, or were given back. For the engines
// they are finished.
func (s *Sharing) Withdraw(block int) (batches []engine.Batch) {
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
func (s *Sharing) finish(batch engine.Batch) (cost float64) {
	s.finished[batch.Index] = true
	cost = s.plan.Cost(batch)
	s.done++
	s.doneCost += cost
	return cost
}

// completed wakes everyone when the last batch is finished. The caller holds the lock.
func (s *Sharing) completed() {
	if s.done == len(s.todo) {
		s.complete()
		s.changed.Broadcast()
	}
}
