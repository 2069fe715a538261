package bound

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// At the end everything is settled: intervals have no width, and the result is exact.
func TestEndsExact(t *testing.T) {
	for _, p := range populations() {
		var last Columns
		run(t, p, p.options(0.1), 1, func(b *Bound, c Columns, s *Stage) {
			for v := range p.truth {
				if low, high := s.Settled[v], s.Settled[v]+p.bound*s.Left; c.Lower[v] < low || c.Upper[v] > high+slack {
					t.Fatalf("%s: [%v, %v] of vertex %d passes what is certain, [%v, %v]", p.name, c.Lower[v], c.Upper[v], v, low, high)
				}
			}
			last = c
		})
		for v, truth := range p.truth {
			if e := last.Estimate[v]; math.Abs(e-truth) > slack || last.Lower[v] != e || last.Upper[v] != e {
				t.Errorf("%s: vertex %d ends as %v in [%v, %v], not %v", p.name, v, e, last.Lower[v], last.Upper[v], truth)
			}
		}
	}
}

// Eps is the maximum over all intervals, though it looks at few of them.
func TestEps(t *testing.T) {
	for _, p := range populations() {
		run(t, p, p.options(0.1), 2, func(b *Bound, c Columns, s *Stage) {
			want := 0.0
			for v := range p.truth {
				if c.Lower[v] > c.Estimate[v] || c.Estimate[v] > c.Upper[v] {
					t.Fatalf("%s: estimate %v in [%v, %v]", p.name, c.Estimate[v], c.Lower[v], c.Upper[v])
				}
				want = max(want, c.Upper[v]-c.Estimate[v], c.Estimate[v]-c.Lower[v])
			}
			if got, err := b.Eps(context.Background()); got != want || err != nil {
				t.Fatalf("%s: eps is %v after %d draws, not %v (%v)", p.name, got, b.Draws(), want, err)
			}
		})
	}
}

// Every end is where the process exceeds its level: a hypothesis just outside is refused,
// and one a little further in is not.
func TestEndsAreTight(t *testing.T) {
	ends, lowEnds := 0, 0
	for _, p := range populations() {
		run(t, p, p.options(0.1), 4, func(b *Bound, c Columns, s *Stage) {
			if s.Left == 0 {
				return
			}
			for v := range p.truth {
				refused := func(hypothesis float64) bool {
					damp := newDamping(upperGrid, b.variance[v]/(b.Range*b.Range))
					m, _ := damp.mixture((hypothesis*b.weight - b.sum[v] - b.offset[v]) / b.Range)
					return m*b.above.at(hypothesis) >= float64(damp.rungs)
				}
				if low := c.Lower[v]; low > s.Settled[v] {
					scale, got, weight := b.scale(v), b.sum[v]-b.first.sum[v]+b.offset[v], b.weight-b.first.weight
					refused := func(hypothesis float64) bool {
						damp := newDamping(lowerGrid, (b.variance[v]-b.first.variance[v])/(scale*scale))
						m, _ := damp.mixture((got - hypothesis*weight) / scale)
						return m*b.below.at(hypothesis) >= float64(damp.rungs)
					}
					lowEnds++
					if half := c.Estimate[v] - low; !refused(low-1e-9*half) || refused(low+2e-2*half) {
						t.Fatalf("stage of %d draws: the lower end %v of vertex %d, estimate %v, is not where hypotheses are refused", b.Draws(), low, v, c.Estimate[v])
					}
				}
				high, half := c.Upper[v], c.Upper[v]-c.Estimate[v]
				if high >= s.Settled[v]+b.Range*s.Left {
					continue
				}
				ends++
				if !refused(high+1e-9*half) || refused(high-1e-5*half) {
					t.Fatalf("stage of %d draws: the upper end %v of vertex %d, estimate %v, is not where hypotheses are refused", b.Draws(), high, v, c.Estimate[v])
				}
			}
		})
	}
	if ends < 1000 || lowEnds < 100 {
		t.Errorf("only %d upper and %d lower ends were looked at", ends, lowEnds)
	}
}

// So they are where the first stage, of a thousand draws, never met a vertex: the scale of
// its lower end is then as small as possible.
func TestManyDrawsAfterNone(t *testing.T) {
	r := risks{floor: 1e-8}
	for _, mean := range []float64{1e-4, 1e-3, 1e-2} {
		for k := 1e6; k <= 1e9; k *= 10 {
			y := newTally(lowerGrid, mean*k, k, mean*(1-mean)*k, 2.0/1000)
			usual := math.Sqrt(2 * mean * (1 - mean) * r.level(0) / k)
			if ratio := (mean - y.lower(r, 0)) / usual; !(ratio > 1 && ratio < 1.25) {
				t.Errorf("%v draws of mean %v: the lower end is %v times as far as a normal one", k, mean, ratio)
			}
		}
	}
}

// With very many draws the ends are nearly those of a normal distribution, a little
// farther out because a rate is chosen.
func TestManyDraws(t *testing.T) {
	r := risks{floor: 1e-6}
	for _, k := range []float64{1e4, 1e6, 1e8, 1e9} {
		const mean = 0.1
		y := newTally(upperGrid, mean*k, k, mean*(1-mean)*k, 1)
		z := newTally(lowerGrid, mean*k, k, mean*(1-mean)*k, 2*mean)
		usual := math.Sqrt(2 * mean * (1 - mean) * r.level(0) / k)
		for side, half := range map[string]float64{"upper": y.upper(r, 0, 1) - mean, "lower": mean - z.lower(r, 0)} {
			if ratio := half / usual; !(ratio > 1 && ratio < 1.25) {
				t.Errorf("%v draws: the %s end is %v away, %v times as far as a normal one", k, side, half, ratio)
			}
		}
	}
}

// One member in 3 000 carries everything. Until it is met, no draw shows it, but the upper
// end must still allow for it.
func TestSpikeNotMetYet(t *testing.T) {
	p := spikes(3000, 200)
	unmet := 0
	for seed := range uint64(20) {
		met := make([]bool, len(p.truth))
		run(t, p, p.options(0.1), seed, func(b *Bound, c Columns, s *Stage) {
			for v, truth := range p.truth {
				met[v] = met[v] || s.Sum[v] > 0
				if met[v] {
					continue
				}
				unmet++
				if c.Upper[v] < truth {
					t.Errorf("seed %d: vertex %d was not met, and its upper end is %v, not %v", seed, v, c.Upper[v], truth)
				}
			}
		})
	}
	if unmet == 0 {
		t.Fatal("no vertex was unmet at any stage")
	}
}

// A caller may look after every stage and stop at the luckiest moment, when the interval
// of a vertex is narrower than it should be. This must gain nothing. The usual normal
// interval of one vertex does not survive that: its width is an estimate, too, and is
// smallest when it is wrong.
func TestStoppedAtTheLuckiestMoment(t *testing.T) {
	const risk, seeds = 0.1, 100
	z := math.Sqrt2 * math.Erfinv(1-risk)
	p := sources("deep", testgraphs.Random(rand.New(rand.NewPCG(3, 1)), 500, 10, 60), nil)
	missed, control, intervals := 0, 0, 0
	for seed := range uint64(seeds) {
		type chosen struct {
			luck float64
			miss bool
		}
		n := len(p.truth)
		ours, normal := slices.Repeat([]chosen{{luck: math.Inf(1)}}, n), slices.Repeat([]chosen{{luck: math.Inf(1)}}, n)
		sum, squares := make([]float64, n), make([]float64, n)
		run(t, p, p.options(risk), seed, func(b *Bound, c Columns, s *Stage) {
			k := float64(b.Draws())
			for v, truth := range p.truth {
				sum[v], squares[v] = sum[v]+s.Sum[v], squares[v]+s.Squares[v]
				if s.Left < 0.3 {
					continue
				}
				if luck := (c.Upper[v] - c.Lower[v]) * math.Sqrt(k); luck < ours[v].luck {
					ours[v] = chosen{luck, truth < c.Lower[v] || truth > c.Upper[v]}
				}
				mean := sum[v] / k
				half := z * math.Sqrt(max(squares[v]/k-mean*mean, 0)/k)
				if luck := half * math.Sqrt(k); luck < normal[v].luck {
					normal[v] = chosen{luck, math.Abs(mean-truth) > half+slack}
				}
			}
		})
		missing := false
		for v := range p.truth {
			missing = missing || ours[v].miss
			intervals++
			if normal[v].miss {
				control++
			}
		}
		if missing {
			missed++
		}
	}
	if float64(missed) > risk*seeds {
		t.Errorf("some interval missed in %d of %d runs", missed, seeds)
	}
	if share := float64(control) / float64(intervals); share < 2*risk {
		t.Errorf("the control missed in a share of %.3f only: this test would not notice", share)
	}
}

// The number of threads does not matter, and equal stages give equal bits on every
// machine. The hash is pinned, over values whose sums need no rounding.
func TestBits(t *testing.T) {
	hash := func(threads int) uint64 {
		p := spikes(4096, 9000)
		o := p.options(0.1)
		o.Threads = threads
		h := fnv.New64a()
		b, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		draws := newSampler(p, 3)
		for range 4 {
			if err := b.Add(context.Background(), *draws.stage(512)); err != nil {
				t.Fatal(err)
			}
		}
		c, errOfColumns := b.Intervals(context.Background())
		eps, errOfEps := b.Eps(context.Background())
		if err := errors.Join(errOfColumns, errOfEps); err != nil {
			t.Fatal(err)
		}
		for _, column := range [][]float64{c.Lower, c.Estimate, c.Upper, {eps}} {
			for _, x := range column {
				fmt.Fprintf(h, "%x ", math.Float64bits(x))
			}
		}
		return h.Sum64()
	}
	one := hash(1)
	if many := hash(7); many != one {
		t.Errorf("7 threads give other bits than one: %#x, %#x", many, one)
	}
	const pinned uint64 = 0x55e3b11945e9e4d9
	if one != pinned {
		t.Errorf("bits are %#x, not %#x", one, pinned)
	}
}

func TestElementary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		x := 1300*r.Float64() - 650
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 2e-15*(1+math.Abs(x)/100)*want {
			t.Fatalf("exp(%v) = %v, not %v", x, got, want)
		}
		if got := log(math.Exp(x)); math.Abs(got-x) > 4e-16*math.Abs(x)+1e-16 {
			t.Fatalf("log(exp(%v)) = %v", x, got)
		}
		y := 0.5 + r.Float64()
		if got, want := log(y), math.Log(y); math.Abs(got-want) > 1e-15 {
			t.Fatalf("log(%v) = %v, not %v", y, got, want)
		}
	}
	if exp(-701) != 0 || exp(0) != 1 || log(1) != 0 {
		t.Error("exp(-701), exp(0) or log(1)")
	}
	for _, g := range []grid{upperGrid, lowerGrid} {
		if e := math.Log(float64(g.rungs)); g.log < e || g.log > e+1e-12 {
			t.Errorf("the logarithm of %d is %v, not %v", g.rungs, g.log, e)
		}
	}
}

func TestRefusals(t *testing.T) {
	good := Options{Vertices: 2, Risk: 0.1, Range: 1, Longest: 3}
	for name, change := range map[string]func(*Options){
		"vertices": func(o *Options) { o.Vertices = 0 },
		"no risk":  func(o *Options) { o.Risk = 0 },
		"all risk": func(o *Options) { o.Risk = 0.6 },
		"NaN":      func(o *Options) { o.Risk = math.NaN() },
		"range":    func(o *Options) { o.Range = 0 },
		"infinite": func(o *Options) { o.Range = math.Inf(1) },
		"longest":  func(o *Options) { o.Longest = -1 },
		"threads":  func(o *Options) { o.Threads = -1 },
	} {
		o := good
		change(&o)
		if _, err := New(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	stage := Stage{Draws: 5, Left: 0.5, Settled: make([]float64, 2), Sum: make([]float64, 2), Squares: make([]float64, 2)}
	for name, change := range map[string]func(*Stage){
		"draws":         func(s *Stage) { s.Draws = 0 },
		"left":          func(s *Stage) { s.Left = 1.5 },
		"NaN":           func(s *Stage) { s.Left = math.NaN() },
		"sums":          func(s *Stage) { s.Sum = nil },
		"squares":       func(s *Stage) { s.Squares = make([]float64, 3) },
		"settled":       func(s *Stage) { s.Settled = make([]float64, 1) },
		"settled pairs": func(s *Stage) { s.Settled = nil },
	} {
		s := stage
		change(&s)
		b, _ := New(good)
		if err := b.Add(context.Background(), s); !errors.Is(err, ErrStage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b, _ := New(good)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := b.Add(ctx, stage); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	b, _ = New(good)
	stage.Left = 0
	if err := errors.Join(b.Add(context.Background(), stage), b.Add(context.Background(), stage)); !errors.Is(err, ErrStage) {
		t.Errorf("a stage after the end: %v", err)
	}
}

// All scores are 0 where no path has an inner vertex.
func TestNothingBetween(t *testing.T) {
	b, err := New(Options{Vertices: 3, Risk: 0.1, Range: 1, Longest: 0})
	if err != nil {
		t.Fatal(err)
	}
	zero := make([]float64, 3)
	if err := b.Add(context.Background(), Stage{Draws: 2, Left: 1.0 / 3, Settled: zero, Sum: zero, Squares: zero}); err != nil {
		t.Fatal(err)
	}
	if i := b.At(0); i.Lower != 0 || i.Upper > 1.0/3 || b.Length() != 0 {
		t.Errorf("[%v, %v], length %v", i.Lower, i.Upper, b.Length())
	}
}
