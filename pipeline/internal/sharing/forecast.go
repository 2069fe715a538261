package sharing

import (
	"slices"
	"time"

	"bcstage/preprocess"
)

// How long clients will take, by what they have done, and who should take a batch then.

// devices are those at work.
func (s *Sharing) devices() (list []*Client) {
	for _, c := range s.clients {
		if c.Device && c.live {
			list = append(list, c)
		}
	}
	return list
}

// declined is the place in todo of the first batch that none of the devices
// accepts, at least s.back if there is none or there are no devices.
func (s *Sharing) declined(devices []*Client) int {
	accepted := func(block int) bool {
		for _, d := range devices {
			if d.Accepts(block) {
				return true
			}
		}
		return false
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

// early says whether a core should take a batch beside devices: it will be through
// with it before they are with everything, and cores are worth their memory. Of
// every block, one core tries a batch first.
func (c *Client) early(batch preprocess.Batch, devices []*Client) (yes bool, again time.Duration) {
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
		return true, never // none of them takes it
	}
	left, rate := c.sharing.left(devices)
	all := float64(c.Workers) * c.sharing.plan.Cost(batch) / own
	if own <= earlierThan*left && all >= leastHelp*rate {
		return true, never
	}
	// Devices that show nothing until then are slow.
	return false, max(time.Duration(own*float64(time.Second)), 10*time.Millisecond)
}

// left is how many seconds the devices will still need for everything, and the
// part of their speed that is known. A device that has shown nothing so far may
// be so fast that it is just about to, and one that is not up yet may be so, and
// everything with it, after as long again.
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

// forecast is what Forecast goes by: from when on the cores are warm, and what had been done then.
type forecast struct {
	since time.Time
	cost  float64
}

// coldFor is after how long a speed counts that cores have shown before they were warm.
const coldFor = 200 * time.Millisecond

// Forecast is how long, from now on, cores will take for what nobody has begun of some blocks, at the speed that
// they have shown so far: after everyone's first batch, for which they also take their memory, or where this
// lasts, after coldFor. Before that it is 0. by says which blocks, by number.
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

// speed is what a client has done of a block: seconds, summed over batches, and
// their cost.
type speed struct{ busy, cost float64 }

// seconds that the client needs for a batch, by those of its block that it has
// finished; 0 as long as there are none.
func (c *Client) seconds(batch preprocess.Batch) float64 {
	of := c.speeds[batch.Block]
	if of.cost == 0 {
		return 0
	}
	return c.sharing.plan.Cost(batch) * of.busy / of.cost
}

// atLeast is seconds, or, as long as there are none, those that a batch of its block has
// taken so far.
func (c *Client) atLeast(batch preprocess.Batch) float64 {
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
