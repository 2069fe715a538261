package sharing

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"bcstage/internal/engine"
)

// How engines share a run. Batches lie in a row, most work first. Without a device, cores take from
// the front, so that the last batches are small. With devices, these take chunks from the front.
// Cores take the batches that no device accepts, and then single batches from the back: they meet.
//
// A device is so much faster than a core that a batch which a core takes too late would make the
// whole run wait. On four H200 and 64 cores, the first batch of every core took longer than all the
// rest on the devices, mostly to allocate its memory. So a core takes a batch only if both speeds
// so far say that it will finish before the devices finish everything. Otherwise it waits, in case
// a device is slow or fails. If a core is late all the same, or will take much longer than a device would, a device with
// nothing else to do gets a copy, and the core's result is dropped.

// Client is one engine's view of the sharing: its batches and its results. The exported fields are
// set before Add and then read only; the mutex of Sharing guards all others.
type Client struct {
	Name     string
	Device   bool                 // takes chunks from the front, and copies at the end
	FromBack bool                 // takes single batches from the back
	Workers  int                  // goroutines that take
	Accepts  func(block int) bool // nil: every block

	sharing  *Sharing
	held     map[int]time.Time // batches in work, and since when
	heldCost float64
	cursor   int       // of a device: it cannot take any batch of todo before this
	live     bool      // its engine has not ended
	idle     bool      // it holds nothing, and found nothing at its last look
	began    time.Time // when its engine took its first batch
	batches  int
	cost     float64         // of the results that counted
	speeds   map[int]speed   // by block
	refused  bool            // a device that was refused a batch since it last took one
	rates    map[int]float64 // of a device, by block: cost per second of its fastest result
	failed   string          // why its engine ended early
}

// Add registers a client.
func (s *Sharing) Add(c *Client) *Client {
	c.sharing = s
	c.held = make(map[int]time.Time)
	c.speeds = make(map[int]speed)
	c.rates = make(map[int]float64)
	c.live = true
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = append(s.clients, c)
	s.orphan = 0
	return c
}

// Take returns up to most (at least 1) consecutive batches of one block. While waiting is better,
// it waits. It returns none when nothing is left for this client, or the context ends.
func (c *Client) Take(ctx context.Context, most int) []engine.Batch {
	s := c.sharing
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil {
		taken, again := c.choose(most)
		if len(taken) > 0 {
			c.hold(taken)
			return taken
		}
		if len(c.held) == 0 && !c.idle {
			c.idle = true
			s.changed.Broadcast()
		}
		if again == never {
			return nil
		}
		s.wait(ctx, again)
	}
	return nil
}

// When to look again for work.
const (
	never       time.Duration = 0
	whenChanged time.Duration = math.MaxInt64 // when the sharing has changed
)

// The weights of cores and devices. In simulations (see the tests) other values between 0.5 and 1.5
// change little.
const (
	earlierThan  = 0.7  // a core's batch must end in this part of the devices' time
	lateBy       = 1.2  // a core is late after so many times its average
	muchSooner   = 2    // a device that needs so many times less than a core still will need not wait until it is late
	inFlightLeft = 0.5  // average part left of the batches that devices have begun
	leastHelp    = 0.05 // least speed of all cores together, as a part of the devices'
)

// wait sleeps until something changes, the context ends or the time is over.
// The caller holds the lock.
func (s *Sharing) wait(ctx context.Context, most time.Duration) {
	wake := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	}
	defer context.AfterFunc(ctx, wake)()
	if most != whenChanged {
		defer time.AfterFunc(most, wake).Stop()
	}
	s.changed.Wait()
}

// choose is Take without waiting: it returns batches, or when to look again.
func (c *Client) choose(most int) (taken []engine.Batch, again time.Duration) {
	s := c.sharing
	if last := len(s.returned) - 1; last >= 0 {
		batch := s.plan.Batches[s.returned[last]]
		if c.Accepts == nil || c.Accepts(batch.Block) {
			s.returned = s.returned[:last]
			return []engine.Batch{batch}, never
		}
	}
	for s.front < s.back && s.handed[s.todo[s.front]] {
		s.front++
	}
	for s.front < s.back && s.handed[s.todo[s.back-1]] {
		s.back--
	}
	if c.Device {
		taken, refused := c.chunk(most)
		switch {
		case len(taken) > 0:
			return taken, never
		case refused:
			if !c.refused {
				c.refused = true
				s.changed.Broadcast() // cores need not wait for it
			}
			return nil, whenChanged
		}
		return c.copies(most)
	}
	return c.single()
}

// chunk returns batches of the first block that a device accepts, and reports whether the device
// was refused some.
func (c *Client) chunk(most int) (taken []engine.Batch, refused bool) {
	s := c.sharing
	c.cursor = max(c.cursor, s.front)
	for c.cursor < s.back && (s.handed[s.todo[c.cursor]] || !c.Accepts(s.plan.Batches[s.todo[c.cursor]].Block)) {
		c.cursor++
	}
	budget := 0.0 // cost that it may take
	for i := c.cursor; i < s.back && len(taken) < most; i++ {
		batch := s.plan.Batches[s.todo[i]]
		open := !s.handed[batch.Index] && c.Accepts(batch.Block)
		if len(taken) > 0 {
			if !open || batch.Block != taken[0].Block {
				break
			}
		} else if !open {
			continue
		} else if s.plan.Blocks[batch.Block].Kind().Chained() {
			budget = c.allowed(batch)
		} else {
			budget, most = math.Inf(1), c.part(batch, most)
		}
		if budget -= s.plan.Cost(batch); budget < 0 {
			return taken, len(taken) == 0
		}
		taken = append(taken, batch)
	}
	return taken, false
}

// How several devices share the last batches. A wave takes longer than a fair share of these, so
// one device would wait for another. So each takes a part of the remaining batches: waves become
// smaller, but never much less than a device is efficient with (guided self-scheduling: C.
// Polychronopoulos, D. Kuck, IEEE Trans. Computers 36(12), 1987).
const (
	partLeft  = 4 // times the devices: a device computes two waves at once, and leaves as much again
	leastWave = 4 // the smallest wave is this part of a full one
)

// part is the number of batches, from this one on, that a device takes of the most that it asks
// for.
func (c *Client) part(batch engine.Batch, most int) int {
	s := c.sharing
	devices := 0
	for _, other := range s.devices() {
		if other.Accepts(batch.Block) {
			devices++
		}
	}
	if devices < 2 {
		return most
	}
	left := int(s.open / s.plan.Cost(batch))
	return min(most, max(left/(partLeft*devices), most/leastWave+1))
}

// allowed is the largest cost of the batches of a block with chains, from this one on, that a device takes at once. It may be
// slower than all cores together. It tries one batch first, and then takes as much as it will finish before the cores finish
// the rest.
func (c *Client) allowed(batch engine.Batch) float64 {
	s := c.sharing
	rest := 0.0 // seconds that cores need for the remaining batches: at least those of one core for one batch
	for _, other := range s.clients {
		if own := other.atLeast(batch); !other.Device && other.live && own > 0 {
			rest = max(own, own*s.open/s.plan.Cost(batch)/float64(other.Workers))
		}
	}
	if rest == 0 {
		return math.Inf(1) // no core has begun
	}
	rate := c.rates[batch.Block]
	if rate == 0 {
		for index := range c.held {
			if s.plan.Batches[index].Block == batch.Block {
				return 0 // the device is trying one
			}
		}
		return s.plan.Cost(batch)
	}
	return earlierThan * rest * rate
}

// single returns the batch that a core takes.
func (c *Client) single() (taken []engine.Batch, again time.Duration) {
	s := c.sharing
	devices := s.devices()
	at := s.front
	declined := false
	if c.FromBack {
		at = s.back - 1
		if i := s.declined(devices); i < s.back {
			at, declined = i, true
		}
	}
	if s.front < s.back {
		batch := s.plan.Batches[s.todo[at]]
		if declined || len(devices) == 0 && !s.expecting {
			return []engine.Batch{batch}, never
		}
		yes, again := c.early(batch, devices)
		if yes {
			return []engine.Batch{batch}, never
		}
		return nil, again
	}
	if len(devices) > 0 {
		return nil, whenChanged // a device may fail
	}
	return nil, never
}

// copies returns batches that cores have begun and should have finished, or that a device will finish much sooner, for
// the device.
func (c *Client) copies(most int) (taken []engine.Batch, again time.Duration) {
	s := c.sharing
	cost := 0.0 // of what it takes
	for _, other := range s.clients {
		if other == c || len(other.held) == 0 {
			continue
		}
		if again == never {
			again = whenChanged // the other may fail and give back
		}
		if other.Device {
			continue
		}
		for _, index := range slices.Sorted(maps.Keys(other.held)) {
			batch := s.plan.Batches[index]
			if s.finished[index] || s.copied[index] != nil || !c.Accepts(batch.Block) {
				continue
			}
			own, worked := other.seconds(batch), time.Since(other.held[index]).Seconds()
			sooner := muchSooner*(cost+s.plan.Cost(batch)) < (own-worked)*c.rates[batch.Block]
			switch late := lateBy*own - worked; {
			case late > 0 && !sooner:
				again = min(again, time.Duration(late*float64(time.Second))+1)
			case len(taken) < most && (len(taken) == 0 || taken[0].Block == batch.Block):
				s.copied[index] = c
				cost += s.plan.Cost(batch)
				taken = append(taken, batch)
			}
		}
	}
	return taken, again
}

func (c *Client) hold(batches []engine.Batch) {
	s, now := c.sharing, time.Now()
	if c.began.IsZero() {
		c.began = now
	}
	c.idle, c.refused = false, false
	for _, batch := range batches {
		c.held[batch.Index] = now
		c.heldCost += s.plan.Cost(batch)
		s.handOut(batch.Index)
	}
}

// handOut records that a batch has been taken.
func (s *Sharing) handOut(index int) {
	if !s.handed[index] {
		s.handed[index] = true
		s.open -= s.plan.Cost(s.plan.Batches[index])
	}
}

// letGo removes a finished batch from the client.
func (c *Client) letGo(batch engine.Batch) {
	since, holds := c.held[batch.Index]
	if !holds {
		return
	}
	cost := c.sharing.plan.Cost(batch)
	c.heldCost -= cost
	of := c.speeds[batch.Block]
	c.speeds[batch.Block] = speed{of.busy + time.Since(since).Seconds(), of.cost + cost}
	delete(c.held, batch.Index)
}

// End gives back the client's batches after its engine has ended.
func (c *Client) End() {
	s := c.sharing
	s.mu.Lock()
	defer s.mu.Unlock()
	for index := range c.held {
		if !s.finished[index] {
			s.returned = append(s.returned, index)
			delete(s.copied, index)
		}
	}
	clear(c.held)
	c.heldCost = 0
	c.live = false
	s.orphan = 0
	s.changed.Broadcast()
}

// DevicesDone waits for the devices. It returns true when none started, or all have ended or find
// no work, and false when everything is finished first.
func (s *Sharing) DevicesDone(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil && s.done < len(s.todo) {
		if !s.expecting && !slices.ContainsFunc(s.devices(), func(d *Client) bool { return !d.idle }) {
			return true
		}
		s.wait(ctx, whenChanged)
	}
	return false
}
