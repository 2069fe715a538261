package gpu

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// attempt opens a session over the simulator with counters c, runs the plan and closes
// everything. Whatever happens, nothing may stay alive.
func attempt(t *testing.T, c *counters, options Options, p *preprocess.Plan, o interface{ add(engine.Result) error }, ctx context.Context) error {
	t.Helper()
	options, err := options.check()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if n := c.live.Load(); n != 0 {
			t.Errorf("%d things were not released", n)
		}
	}()
	s, err := openAll(ctx, []driver.Device{simulatedDevice()}, options, func(driver.Device) (driver.Driver, error) {
		if err := c.call("open"); err != nil {
			return nil, err
		}
		c.live.Add(1)
		return &counting{&simulator{}, c}, nil
	})
	if err != nil {
		return err
	}
	defer s.Close()
	engines, err := s.Engines(ctx, p, nil)
	if err != nil {
		return err
	}
	return engines[0].Run(ctx, taker(p), o.add)
}

var errPulled = fmt.Errorf("%w: pulled out", driver.ErrDevice)

// For every k, the k-th call to the device and all later ones fail. The run ends with
// that error; results handed on before are right and whole.
func TestDeviceFailsAtEveryCall(t *testing.T) {
	plan := testblocks.Plan(stars(60, 2, 8), grid(5, 9, 16))
	want := reference(t, plan)
	for _, strategy := range methods.Strategies()[1:] {
		options := Options{Strategy: strategy, MinBlock: 1, Packs: 1}
		for k := int64(1); ; k++ {
			c := &counters{fail: func(call int64, what string) error {
				if call >= k {
					return errPulled
				}
				return nil
			}}
			o := newOutcome(plan)
			err := attempt(t, c, options, plan, o, context.Background())
			if err == nil {
				compare(t, fmt.Sprint(strategy, " without a fault"), o, want, 1e-12)
				if k < 50 {
					t.Errorf("%s: only %d calls", strategy, k)
				}
				break
			}
			if !errors.Is(err, errPulled) || !errors.Is(err, driver.ErrDevice) {
				t.Fatalf("%s: call %d fails: error %v", strategy, k, err)
			}
			for i, times := range o.covered {
				if times > 1 {
					t.Fatalf("%s: call %d fails: batch %d covered %d times", strategy, k, i, times)
				}
			}
			o.checkSums(t, fmt.Sprintf("%s: call %d fails", strategy, k), want, 1e-12)
		}
	}
}

// A single failing call must be reported too, with two streams or with one.
func TestOneFailingCallIsReported(t *testing.T) {
	plan := testblocks.Plan(grid(6, 9, 8))
	for _, streams := range []int{1, 2} {
		for k := int64(1); ; k++ {
			failed := ""
			c := &counters{fail: func(call int64, what string) error {
				if call == k {
					failed = what
					return errPulled
				}
				return nil
			}}
			err := attempt(t, c, Options{Strategy: methods.Levels, MinBlock: 1, Packs: 1, Streams: streams}, plan, newOutcome(plan), context.Background())
			if failed == "" {
				break
			}
			// The finish before the release of buffers only waits; its error may be
			// lost.
			if err == nil && failed != "finish" {
				t.Fatalf("%d streams: call %d, %s, failed and no error", streams, k, failed)
			}
		}
	}
}

// For every k, the k-th allocation finds no memory. The engine makes do with less, or
// gives up with ErrMemory; results it hands on are right and whole.
func TestEveryAllocationFails(t *testing.T) {
	plan := testblocks.Plan(grid(10, 21, 64), stars(150, 3, 32))
	want := reference(t, plan)
	for _, strategy := range methods.Strategies()[1:] {
		for _, packs := range []int{1, 4} {
			succeeded, failed := 0, 0
			for k := int64(1); ; k++ {
				allocations := atomic.Int64{}
				c := &counters{fail: func(_ int64, what string) error {
					if what == "allocate" && allocations.Add(1) == k {
						return fmt.Errorf("%w: %w", driver.ErrDevice, driver.ErrMemory)
					}
					return nil
				}}
				o := newOutcome(plan)
				err := attempt(t, c, Options{Strategy: strategy, MinBlock: 1, Packs: packs, Streams: 1}, plan, o, context.Background())
				if allocations.Load() < k {
					break
				}
				name := fmt.Sprintf("%s, %d packs, allocation %d", strategy, packs, k)
				switch {
				case err == nil:
					succeeded++
					compare(t, name, o, want, 1e-12)
				case errors.Is(err, driver.ErrMemory):
					failed++
					for i, times := range o.covered {
						if times > 1 {
							t.Fatalf("%s: batch %d covered %d times", name, i, times)
						}
					}
					o.checkSums(t, name, want, 1e-12)
				default:
					t.Fatalf("%s: %v", name, err)
				}
			}
			t.Logf("%s, %d packs: %d allocations failed, after %d of them the run went on with less", strategy, packs, succeeded+failed, succeeded)
			if failed == 0 || (succeeded == 0) != (packs == 1) {
				t.Errorf("%s, %d packs: %d runs succeeded, %d failed: no test", strategy, packs, succeeded, failed)
			}
		}
	}
}

// With less and less memory the engine takes fewer packs at once, down to one,
// and then gives up with ErrMemory.
func TestMemoryRunsOut(t *testing.T) {
	plan := testblocks.Plan(grid(10, 21, 64), stars(150, 3, 32))
	want := reference(t, plan)
	for _, strategy := range methods.Strategies()[1:] {
		succeeded, failed := 0, 0
		for most := int64(4 << 20); most > 50_000; most = most * 4 / 5 {
			c := &counters{most: most}
			o := newOutcome(plan)
			err := attempt(t, c, Options{Strategy: strategy, MinBlock: 1, Streams: 1}, plan, o, context.Background())
			switch {
			case err == nil:
				succeeded++
				compare(t, fmt.Sprint(strategy, most), o, want, 1e-12)
			case errors.Is(err, driver.ErrMemory) && errors.Is(err, driver.ErrDevice):
				failed++
			default:
				t.Fatalf("%s with %d bytes: %v", strategy, most, err)
			}
		}
		if succeeded < 3 || failed < 3 {
			t.Errorf("%s: %d runs succeeded, %d failed: no test", strategy, succeeded, failed)
		}
	}
}

// A context that ends during any launch ends the run, with nothing left alive.
func TestCancelled(t *testing.T) {
	plan := testblocks.Plan(grid(7, 30, 16))
	for _, strategy := range methods.Strategies()[1:] {
		for k := int64(1); k < 200; k += 7 {
			ctx, cancel := context.WithCancel(context.Background())
			launches := atomic.Int64{}
			c := &counters{launched: func() {
				if launches.Add(1) == k {
					cancel()
				}
			}}
			err := attempt(t, c, Options{Strategy: strategy, MinBlock: 1, Packs: 1}, plan, newOutcome(plan), ctx)
			if launches.Load() >= k && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: cancelled at launch %d of %d: %v", strategy, k, launches.Load(), err)
			}
			if over := launches.Load() - k; over > 2*(2*methods.Ahead+10) {
				t.Errorf("%s: %d launches after the context had ended", strategy, over)
			}
			cancel()
		}
	}
}

func TestReceiverFails(t *testing.T) {
	plan := testblocks.Plan(grid(5, 9, 8))
	s := simulate(t, Options{MinBlock: 1, Packs: 1})
	full := errors.New("full")
	if err := engineOf(t, s, plan).Run(context.Background(), taker(plan), func(engine.Result) error { return full }); err != full {
		t.Errorf("error %v", err)
	}
}

// receiver takes results and counts how often each batch came; right fails unless all
// are right.
type receiver interface {
	add(engine.Result) error
	came() []int
	right(t *testing.T, what string)
}

// A failure during searches for distances, or along chains, ends the run or makes waves
// smaller. Results handed on are right and whole, and nothing stays alive.
func TestSummedFail(t *testing.T) {
	distances := alone(stars(300, 3, 256), grid(3, 30, 512))
	streets := roads(t, 20)
	for name, c := range map[string]struct {
		plan    *preprocess.Plan
		options Options
		new     func() receiver
	}{
		"distances": {distances, forDistances(Options{Packs: 2, Streams: 1}), func() receiver { return newMetBy(distances) }},
		"chains":    {streets, Options{MinBlock: 1, Packs: 2, Streams: 1}, func() receiver { return newScored(streets) }},
	} {
		for _, memory := range []bool{false, true} {
			succeeded, failed := 0, 0
			for k := int64(1); ; k++ {
				allocations := atomic.Int64{}
				reached := false
				counters := &counters{fail: func(call int64, what string) error {
					switch {
					case memory && what == "allocate" && allocations.Add(1) == k:
						reached = true
						return fmt.Errorf("%w: %w", driver.ErrDevice, driver.ErrMemory)
					case !memory && call >= k:
						reached = true
						return errPulled
					}
					return nil
				}}
				got := c.new()
				err := attempt(t, counters, c.options, c.plan, got, t.Context())
				if !reached {
					break
				}
				if err == nil {
					got.right(t, fmt.Sprintf("%s: call %d failed", name, k))
					if !memory {
						break // only the last call may, which waits before buffers are released
					}
					succeeded++
					continue
				}
				failed++
				if strings.Contains(err.Error(), "is not accepted") {
					continue // its trial failed, so the block went to cores
				}
				if !errors.Is(err, driver.ErrDevice) || errors.Is(err, driver.ErrMemory) != memory {
					t.Fatalf("%s: call %d fails: %v", name, k, err)
				}
				for i, times := range got.came() {
					if times > 1 {
						t.Fatalf("%s: call %d fails: batch %d came %d times", name, k, i, times)
					}
				}
				if !memory && k > 300 {
					k += 40
				}
			}
			if failed == 0 || (succeeded > 0) != memory {
				t.Errorf("%s, memory %v: %d runs succeeded, %d failed: no test", name, memory, succeeded, failed)
			}
		}
	}
}

// A context that ends while distances are searched for ends the run soon.
func TestDistancesCancelled(t *testing.T) {
	plan := alone(grid(2, 300, 512))
	for k := int64(1); k < 1300; k += 97 {
		ctx, cancel := context.WithCancel(t.Context())
		launches := atomic.Int64{}
		c := &counters{launched: func() {
			if launches.Add(1) == k {
				cancel()
			}
		}}
		err := attempt(t, c, forDistances(Options{Packs: 1}), plan, newMetBy(plan), ctx)
		if launches.Load() >= k && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at launch %d of %d: %v", k, launches.Load(), err)
		}
		if over := launches.Load() - k; over > 2*(2*methods.Ahead+10) {
			t.Errorf("%d launches after the context had ended", over)
		}
		cancel()
	}
}
