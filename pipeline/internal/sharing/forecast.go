package sharing

import (
	"slices"
	"time"

	"bcstage/internal/engine"
)

// How long clients will take, by their past speed, and who should then take a batch.

// devices returns the devices at work.
func (s *Sharing) devices() (list []*Client) {
	for _, c := range s.clients {
		if c.Device && c.live {
			list = append(list, c)
		}
	}
	return list
}

// declined is the place in todo of the first batch that none of the devices accepts, at least s.back if there is
// none or there are no devices.
func (s *Sharing) declined(devices []*Client) int {
	accepted := func(block int) bool {
		return slices.ContainsFunc(devices, func(d *Client) bool { return d.Accepts(block) })
	}
	if len(devices) == 0 {
		return s.back
	}
	s.orphan = max(s.orphan, s.front)
	for s.orphan < s.back && (s.handed[s.todo[s.orphan]] || accepted(s.plan.Batches[s.todo[s.orphan]].Block)) {
		s.orphan++
	}
	return s.orphan
}

// early reports whether a core should take a batch beside devices: it will finish the batch before they finish
// everything, and cores together are fast enough to be worth their memory. Of every block, one core tries a
// batch first.
func (c *Client) early(batch engine.Batch, devices []*Client) (yes bool, again time.Duration) {
	own := c.seconds(batch)
	if own == 0 {
		for index := range c.held {
			if c.sharing.plan.Batches[index].Block == batch.Block {
				return false, whenChanged
			}
		}
		return true, never
	}
	if !slices.ContainsFunc(devices, func(d *Client) bool { return !d.refused }) {
		return true, never // no device takes it
	}
	left, rate := c.sharing.left(devices)
	all := float64(c.Workers) * c.sharing.plan.Cost(batch) / own
	if own <= earlierThan*left && all >= leastHelp*rate {
		return true, never
	}
	// Devices without results until then are slow.
	return false, max(time.Duration(own*float64(time.Second)), 10*time.Millisecond)
}

// left is the time in seconds that the devices still need for everything, and the known part of their speed. A
// device without results may be about to deliver. A device that has not started may start, and finish
// everything, after as long again.
func (s *Sharing) left(devices []*Client) (seconds, known float64) {
	cost, fastest := s.open, 0.0
	for _, d := range devices {
		if d.began.IsZero() {
			continue
		}
		worked := time.Since(d.began).Seconds()
		cost += inFlightLeft * d.heldCost
		known += d.cost / worked
		fastest += max(d.cost, d.heldCost) / worked
	}
	if fastest == 0 {
		return time.Since(s.began).Seconds(), 0
	}
	return cost / fastest, known
}

// forecast is the reference point of Forecast: when the cores became warm, and the cost finished by then.
type forecast struct {
	since time.Time
	cost  float64
}

// coldFor is the time after which the speed of cores counts even before they are warm.
const coldFor = 200 * time.Millisecond

// Forecast is the time from now on that cores need for the batches of some blocks that nobody has begun. It uses
// their speed after everyone's first batch, which includes allocating memory; if the first batches last longer
// than coldFor, their speed from then on. Before that it is 0. by selects the blocks, by number.
func (s *Sharing) Forecast(now time.Time, by []bool) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	open, held, workers := 0.0, 0.0, 0
	var began time.Time
	for _, c := range s.clients {
		if !c.Device && !c.began.IsZero() {
			began, held, workers = c.began, held+c.heldCost, workers+c.Workers
		}
	}
	warm := s.warm
	if warm.since.IsZero() && workers > 0 && s.done >= workers {
		s.warm = forecast{now, s.doneCost}
		return 0
	}
	if warm.since.IsZero() {
		if began.IsZero() || now.Sub(began) < coldFor {
			return 0
		}
		warm.since = began
	}
	for _, index := range s.todo[s.front:s.back] {
		if batch := s.plan.Batches[index]; !s.handed[index] && by[batch.Block] {
			open += s.plan.Cost(batch)
		}
	}
	done := s.doneCost - warm.cost + inFlightLeft*held
	if done <= 0 {
		return 0
	}
	return time.Duration(float64(now.Sub(warm.since)) * open / done)
}

// speed is a client's record for a block: seconds, summed over batches, and their cost.
type speed struct{ busy, cost float64 }

// seconds is the client's time for a batch, from its finished batches of the block; 0 if there are none.
func (c *Client) seconds(batch engine.Batch) float64 {
	of := c.speeds[batch.Block]
	if of.cost == 0 {
		return 0
	}
	return c.sharing.plan.Cost(batch) * of.busy / of.cost
}

// atLeast is seconds or, while no batch is finished, the time so far of a batch of the block.
func (c *Client) atLeast(batch engine.Batch) float64 {
	own := c.seconds(batch)
	if own == 0 {
		for index, since := range c.held {
			if c.sharing.plan.Batches[index].Block == batch.Block {
				own = max(own, time.Since(since).Seconds())
			}
		}
	}
	return own
}
