package sharing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// site is a machine that only sleeps, in the time of synctest: a batch takes its cost divided by a speed.
type site struct {
	cores   int
	core    float64       // cost per second of each
	devices []float64     // cost per second of each
	wave    int           // batches that a device takes at once
	latency time.Duration // of a wave, however small
	start   time.Duration // after which the devices are ready
	jitter  float64       // relative, of every batch of a core
	fails   int           // wave at which the first device fails, 0: never
	whole   bool          // a wave is one result
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
func (m site) run(t *testing.T, plan *preprocess.Plan, random *rand.Rand) (seconds float64, s *Sharing) {
	counted := make([]atomic.Int32, len(plan.Batches))
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		s = New(plan, everything(plan))
		s.Begin(len(m.devices) > 0, stop)
		began := time.Now()
		var group sync.WaitGroup
		if m.cores > 0 {
			cores := s.Add(&Client{Name: "cpu", FromBack: len(m.devices) > 0, Workers: m.cores})
			seed := random.Uint64()
			for range m.cores {
				group.Go(func() {
					for batches := cores.Take(ctx, 1); len(batches) > 0; batches = cores.Take(ctx, 1) {
						// The batch determines it, so it does not matter which worker wakes first.
						uneven := rand.New(rand.NewPCG(seed, uint64(batches[0].Index)))
						slower := 1 + m.jitter*uneven.Float64()
						if sleepFor(ctx, plan.Cost(batches[0])*slower/m.core) == nil {
							finish(cores, batches, counted)
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
				device := s.Add(&Client{Name: fmt.Sprint("device ", i), Device: true, Accepts: func(int) bool { return true }})
				defer device.End()
				s.DevicesKnown()
				for wave := 1; ; wave++ {
					batches := device.Take(ctx, m.wave)
					if len(batches) == 0 || i == 0 && wave == m.fails {
						return
					}
					cost := 0.0
					for _, batch := range batches {
						cost += plan.Cost(batch)
					}
					// A wave in flight ends before anything else is done.
					time.Sleep(m.latency + time.Duration(cost/speed*float64(time.Second)))
					if m.whole {
						if device.Finish(batches, engine.Work{}) {
							for _, batch := range batches {
								counted[batch.Index].Add(1)
							}
						}
						continue
					}
					finish(device, batches, counted)
				}
			})
		}
		group.Wait()
		seconds = time.Since(began).Seconds()
	})
	if s.done != len(s.todo) {
		t.Fatalf("%+v: %d of %d batches done", m, s.done, len(s.todo))
	}
	for index := range counted {
		if n := counted[index].Load(); n != 1 {
			t.Fatalf("%+v: batch %d counts %d times", m, index, n)
		}
	}
	return seconds, s
}

// finish returns batches one by one.
func finish(c *Client, batches []engine.Batch, counted []atomic.Int32) {
	for i := range batches {
		if c.Finish(batches[i:i+1], engine.Work{}) {
			counted[batches[i].Index].Add(1)
		}
	}
}

// everything lists all batches.
func everything(plan *preprocess.Plan) (todo []int) {
	for i := range plan.Batches {
		todo = append(todo, i)
	}
	return todo
}

// sitePlan returns a plan with a block of so many batches for each number.
func sitePlan(t *testing.T, batches ...int) (*preprocess.Plan, float64) {
	var src, dst building.Keys
	join := func(u, v int) { src.Ints, dst.Ints = append(src.Ints, uint64(u)), append(dst.Ints, uint64(v)) }
	first := 0
	for _, count := range batches {
		n := 2 * count
		for v := range n {
			join(first+v, first+(v+1)%n)
		}
		for v := range n / 3 {
			join(first+v, first+n-1-v)
		}
		first += n
	}
	input := building.NewBuilder(1)
	if err := input.AddEdges(src, dst); err != nil {
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

// Cores beside a device never make a run noticeably longer than on the device alone, and make it shorter where
// they can. The worst runs last hardly longer than one batch on a core.
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

// Devices of equal speed end at about the same time, for any number of waves: within half a wave. Without
// smaller waves at the end, one would work for a whole wave alone.
func TestDevicesEndTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for range 100 {
		plan, cost := sitePlan(t, 100+random.IntN(400))
		count := 2 + random.IntN(3)
		m := site{wave: 8 + random.IntN(len(plan.Batches)/(4*count)), devices: make([]float64, count)}
		for i := range m.devices {
			m.devices[i] = cost / float64(count) // a second for all
		}
		seconds, _ := m.run(t, plan, random)
		wave := float64(m.wave*count) / float64(len(plan.Batches)) // seconds, at least
		if seconds > 1+wave/2 {
			t.Errorf("%d devices, %d batches, waves of %d: %.3f s, that is %.2f of a wave too much", count, len(plan.Batches), m.wave, seconds, (seconds-1)/wave)
		}
	}
}

// Cores that wait for a device continue when it fails.
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

// Batches that no device accepts are the cores' first work, and do not keep devices from the others.
func TestDeclinedBatchesComeFirst(t *testing.T) {
	plan, _ := sitePlan(t, 20, 10)
	s := New(plan, everything(plan))
	large := plan.Batches[0].Block
	device := s.Add(&Client{Name: "device", Device: true, Accepts: func(block int) bool { return block != large }})
	cores := s.Add(&Client{Name: "cpu", FromBack: true, Workers: 4})
	for want := range 3 {
		if taken := cores.Take(t.Context(), 1); len(taken) != 1 || taken[0].Index != want {
			t.Errorf("cores took %v, want batch %d", taken, want)
		}
	}
	taken := device.Take(t.Context(), 5)
	if len(taken) != 5 || taken[0].Block == large {
		t.Errorf("device took %v", taken)
	}
}

// A device without other work copies a batch of a core that it will finish much sooner. Otherwise it waits until the core is
// late.
func TestDevicesCopyWhatCoresTakeLongFor(t *testing.T) {
	for _, c := range []struct{ device, want time.Duration }{{100 * time.Millisecond, 0}, {400 * time.Millisecond, 200 * time.Millisecond}} {
		synctest.Test(t, func(t *testing.T) {
			plan, _ := sitePlan(t, 3)
			s := New(plan, everything(plan))
			device := s.Add(&Client{Name: "device", Device: true, Accepts: func(int) bool { return true }})
			cores := s.Add(&Client{Name: "cpu", FromBack: true, Workers: 1})
			first, own := cores.Take(t.Context(), 1), device.Take(t.Context(), 1)
			time.Sleep(c.device)
			device.Finish(own, engine.Work{})
			time.Sleep(time.Second - c.device)
			cores.Finish(first, engine.Work{}) // a second for a batch
			s.DevicesKnown()
			late := s.plan.Batches[s.todo[1]]
			cores.hold([]engine.Batch{late})
			time.Sleep(time.Second)
			began := time.Now()
			if c.want == 0 { // the core has most of its time left
				cores.held[late.Index] = began
			}
			taken := device.Take(t.Context(), 1)
			if got := time.Since(began).Round(time.Millisecond); len(taken) != 1 || taken[0].Index != late.Index || got != c.want {
				t.Errorf("a device of %v took %v after %v, want batch %d after %v", c.device, taken, got, late.Index, c.want)
			}
		})
	}
}

// With chains a device takes only as much as it is fast enough for. If it is slower than the cores, it takes one
// batch as a trial, and delays the run by no more than that batch. If it is faster, it does nearly all.
func TestDevicesOfChains(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		plan, cost := sitePlan(t, 60+random.IntN(400))
		plan.Blocks[0].Chains = new(csr.Chains)
		for i := range plan.Batches {
			plan.Batches[i].Roots = 1 + random.IntN(3)
		}
		plan.Blocks[0].Chains.Junctions = make([]uint32, 100)
		cost = 0
		largest := 0.0
		for _, batch := range plan.Batches {
			cost += plan.Cost(batch)
			largest = max(largest, plan.Cost(batch))
		}
		m := site{
			cores: 1 + random.IntN(16), jitter: random.Float64() / 2, whole: true,
			wave: 1 + random.IntN(len(plan.Batches)/4), start: time.Duration(random.Float64() * 0.2 * float64(time.Second)),
		}
		m.core = cost / float64(m.cores) // a second for all
		alone, _ := m.run(t, plan, random)
		speed := 1 / 30.0
		if random.IntN(2) == 0 {
			speed = 10
		}
		m.devices = []float64{cost * speed}
		m.latency = time.Duration(random.Float64() / speed / float64(len(plan.Batches)) * float64(time.Second))
		both, s := m.run(t, plan, random)
		first := (m.start + m.latency).Seconds() + largest/m.devices[0] // until the device has done a batch
		if speed < 1 && both > max(1.3*alone, first) {
			t.Errorf("%.3f s with a slow device, %.3f s without, %.3f s for its largest batch: %+v", both, alone, first, m)
		}
		if device := s.clients[1]; speed > 1 && device.cost < 0.4*cost && m.start < 100*time.Millisecond {
			t.Errorf("a fast device did %.2f of it, in %.3f s: %+v", device.cost/cost, both, m)
		}
	}
}

// The forecast for some blocks is their cost over the speed of the cores since they were warm.
func TestForecast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan, _ := sitePlan(t, 10)
		s := New(plan, everything(plan))
		cores := s.Add(&Client{Name: "cpu", Workers: 2})
		expect := func(when string, want time.Duration) {
			t.Helper()
			if got := s.Forecast(time.Now(), []bool{true}); got != want {
				t.Errorf("%s: %v, want %v", when, got, want)
			}
			if got := s.Forecast(time.Now(), []bool{false}); got != 0 {
				t.Errorf("%s, of no block: %v", when, got)
			}
		}
		next := func() []engine.Batch { return cores.Take(t.Context(), 1) }
		expect("nothing has begun", 0)
		first, second := next(), next()
		time.Sleep(coldFor / 2)
		expect("cold", 0)
		time.Sleep(time.Second - coldFor/2)
		expect("two that may be half done, and eight", 8*time.Second)
		cores.Finish(first, engine.Work{})
		cores.Finish(second, engine.Work{})
		expect("warm", 0)
		first, second = next(), next()
		time.Sleep(time.Second / 2)
		cores.Finish(first, engine.Work{})
		cores.Finish(second, engine.Work{})
		expect("two done, and six", 3*time.Second/2)
	})
}
