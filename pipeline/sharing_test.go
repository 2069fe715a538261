package pipeline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bcstage/preprocess"
)

// site is a machine that only sleeps, in the time of synctest: what a batch takes
// is its cost over a speed.
type site struct {
	cores   int
	core    float64       // cost per second of each
	devices []float64     // cost per second of each
	wave    int           // batches that a device takes at once
	latency time.Duration // of a wave, however small
	start   time.Duration // after which the devices are up
	jitter  float64       // relative, of every batch of a core
	fails   int           // wave at which the first device fails, 0: never
}

func sleepFor(ctx context.Context, seconds float64) error {
	select {
	case <-time.After(time.Duration(seconds * float64(time.Second))):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run computes the plan on the site and returns the seconds that it took.
func (m site) run(t *testing.T, plan *preprocess.Plan, random *rand.Rand) (seconds float64, s *schedule) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		s = newSchedule(plan, Options{}, nil)
		s.onComplete = stop
		s.expecting = len(m.devices) > 0
		began := time.Now()
		var group sync.WaitGroup
		if m.cores > 0 {
			cores := s.add(&client{name: "cpu", fromBack: len(m.devices) > 0, workers: m.cores})
			for range m.cores {
				uneven := rand.New(rand.NewPCG(random.Uint64(), 0))
				group.Go(func() {
					for batches := cores.take(ctx, 1); len(batches) > 0; batches = cores.take(ctx, 1) {
						slower := 1 + m.jitter*uneven.Float64()
						if sleepFor(ctx, plan.Cost(batches[0])*slower/m.core) == nil {
							m.finish(t, cores, batches)
						}
					}
				})
			}
		}
		for i, speed := range m.devices {
			group.Go(func() {
				if sleepFor(ctx, m.start.Seconds()) != nil {
					return
				}
				s.mu.Lock()
				s.expecting = false
				s.mu.Unlock()
				device := s.add(&client{name: fmt.Sprint("device ", i), device: true, accepts: func(int) bool { return true }})
				defer device.end()
				for wave := 1; ; wave++ {
					batches := device.take(ctx, m.wave)
					if len(batches) == 0 || i == 0 && wave == m.fails {
						return
					}
					cost := 0.0
					for _, batch := range batches {
						cost += plan.Cost(batch)
					}
					// A wave in flight ends before anything else is done.
					time.Sleep(m.latency + time.Duration(cost/speed*float64(time.Second)))
					m.finish(t, device, batches)
				}
			})
		}
		group.Wait()
		seconds = time.Since(began).Seconds()
	})
	if s.done != len(s.todo) {
		t.Fatalf("%+v: %d of %d batches done", m, s.done, len(s.todo))
	}
	for index, summed := range s.summed {
		if !summed {
			t.Fatalf("%+v: batch %d not counted", m, index)
		}
	}
	return seconds, s
}

// finish hands batches on one by one, with nothing in them.
func (m site) finish(t *testing.T, c *client, batches []preprocess.Batch) {
	for _, batch := range batches {
		err := c.finish(preprocess.Result{
			Batch:  batch,
			Scores: make([]float64, c.schedule.plan.Blocks[batch.Block].Vertices()),
			Got:    make([]float64, batch.Count),
			Want:   make([]float64, batch.Count),
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// sitePlan has a block of so many batches for each number.
func sitePlan(t *testing.T, batches ...int) (*preprocess.Plan, float64) {
	e, first := &edgeList{}, 0
	for _, count := range batches {
		n := 2 * count
		for v := range n {
			e.join(first+v, first+(v+1)%n)
		}
		for v := range n / 3 {
			e.join(first+v, first+n-1-v)
		}
		first += n
	}
	input := preprocess.NewBuilder(1)
	keys := func(ids []int64) (keys preprocess.Keys) {
		for _, id := range ids {
			keys.Ints = append(keys.Ints, uint64(id))
		}
		return keys
	}
	if err := input.AddEdges(keys(e.src), keys(e.dst)); err != nil {
		t.Fatal(err)
	}
	built, err := input.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := preprocess.Reduce(t.Context(), &built.Graph, preprocess.Options{Lanes: 2, Off: []string{"twins", "chains"}})
	if err != nil {
		t.Fatal(err)
	}
	cost := 0.0
	for _, batch := range plan.Batches {
		cost += plan.Cost(batch)
	}
	return plan, cost
}

// Cores beside a device never make a run noticeably longer than on the device
// alone, and make it shorter where they can. The worst are runs that last hardly
// longer than one batch on a core.
func TestCoresNeverHoldDevicesUp(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	worst, best, sum := 0.0, 1.0, 0.0
	const runs = 200
	for range runs {
		plan, cost := sitePlan(t, 40+random.IntN(400))
		alone := site{
			devices: []float64{cost}, // a second for all, but for latencies
			wave:    1 + random.IntN(len(plan.Batches)/4),
			start:   time.Duration(random.Float64() * 0.2 * float64(time.Second)),
			jitter:  random.Float64() / 2,
		}
		alone.latency = time.Duration(float64(alone.wave) / float64(len(plan.Batches)) * random.Float64() * float64(time.Second))
		if random.IntN(3) == 0 {
			alone.devices = []float64{cost / 2, cost / 2}
		}
		before, _ := alone.run(t, plan, random)
		shared := alone
		shared.cores = 1 + random.IntN(32)
		shared.core = cost * random.Float64() * random.Float64() / float64(shared.cores) // all together slower than the device
		after, _ := shared.run(t, plan, random)
		ratio := after / before
		worst, best, sum = max(worst, ratio), min(best, ratio), sum+ratio
		if ratio > 1.25 {
			t.Errorf("%.3f s with cores, %.3f s without: %d batches, %+v", after, before, len(plan.Batches), shared)
		}
	}
	t.Logf("time with cores over time without: %.2f to %.2f, %.3f on average", best, worst, sum/runs)
	if best > 0.6 || sum/runs > 0.92 {
		t.Errorf("cores save %.0f %% at best, %.0f %% on average", 100*(1-best), 100*(1-sum/runs))
	}
}

// Cores that wait because a device was expected to do the rest go on when it fails.
func TestWaitingCoresGoOnWhenDevicesFail(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	plan, cost := sitePlan(t, 200)
	for wave := 1; wave < 12; wave++ {
		m := site{cores: 4, core: cost / 100, devices: []float64{cost}, wave: 20, fails: wave}
		_, s := m.run(t, plan, random)
		if s.clients[0].batches == 0 {
			t.Errorf("failure at wave %d: nothing left to the cores", wave)
		}
	}
}

// What no device accepts is the cores' first work, and it does not keep devices
// from what they do accept.
func TestDeclinedBatchesComeFirst(t *testing.T) {
	plan, _ := sitePlan(t, 20, 10)
	s := newSchedule(plan, Options{}, nil)
	s.onComplete = func() {}
	large := plan.Batches[0].Block
	device := s.add(&client{name: "device", device: true, accepts: func(block int) bool { return block != large }})
	cores := s.add(&client{name: "cpu", fromBack: true, workers: 4})
	for want := range 3 {
		if taken := cores.take(t.Context(), 1); len(taken) != 1 || taken[0].Index != want {
			t.Errorf("cores took %v, want batch %d", taken, want)
		}
	}
	taken := device.take(t.Context(), 5)
	if len(taken) != 5 || taken[0].Block == large {
		t.Errorf("device took %v", taken)
	}
}
