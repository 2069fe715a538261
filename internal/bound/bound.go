package bound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"bcstage/internal/parallel"
)

// ErrOptions says that an option of a bound is out of its limits; ErrStage says that a
// stage cannot belong to its population.
var (
	ErrOptions = errors.New("bound: option out of its limits")
	ErrStage   = errors.New("bound: not a stage of this population")
)

// Options of a bound. All but Threads are required.
type Options struct {
	Vertices int     // number of vertices with a T
	Risk     float64 // probability that any interval at any stage misses; 1e-12 to 0.5. It is 1 - confidence for one population
	Range    float64 // upper bound of x; above 0
	Longest  float64 // upper bound of lengths: D - 1; 0 if every T is 0
	Threads  int     // number of goroutines; 0: as many as there are cores. It changes no result
	Signed   bool    // x is in [-Range, Range]: see package comment
}

// Stage is the result of one stage. Sums run over the drawn members, each as often as
// it was drawn, so they do not depend on any order. For equal bits they must be exact
// up to one rounding. Slices are read during Add only.
type Stage struct {
	Draws   int64     // k, at least 1
	Left    float64   // share of the population not settled after the stage; 1 for pairs; exactly 0 at the end
	Settled []float64 // by vertex: the sum of x over all settled members so far, over N; nil: nothing is ever settled
	Sum     []float64 // by vertex: sum of x over the draws. If Options.Signed, of max(x, 0), then by vertex of max(-x, 0)
	Squares []float64 // likewise, of squares

	// Length is the same for the draws' lengths. The length of a member is the sum of
	// its x over all vertices. For a pair it is d(s,t) - 1, and 0 without a path. For
	// a source it is the mean of that over all members t, the right side of the
	// self-check over N.
	Length Length
}

// Length holds Settled, Sum and Squares of the lengths of a stage.
type Length struct{ Settled, Sum, Squares float64 }

// Shares of the risk. Upper ends have most of it, since they are farther away: they
// know only the range of x, while lower ends know that x is not below 0. The total
// length is bounded above only.
const (
	upperShare  = 0.65
	lowerShare  = 0.33
	lengthShare = 0.02
	evenly      = 0.15 // part of each side's risk that all vertices share equally; the rest is proportional to T
)

// Bound is the state of one population. It is not safe for concurrent use.
type Bound struct {
	Options
	stages int
	draws  int64
	left   float64 // W
	weight float64 // G

	sum      []float64 // A
	variance []float64 // V, about the means of earlier stages
	settled  []float64 // S; nil: zeros
	offset   []float64 // H; nil: zeros

	// The first stage sets the scale c of the test of lower ends. The test therefore
	// begins after it.
	first struct {
		sum, variance []float64
		draws         int64
		weight        float64
	}

	length       *Bound // of the total length, as if it were one more vertex; nil: it is 0
	above, below risks  // of upper and lower ends
}

// New returns the state before the first stage: every interval is [0, Range].
func New(o Options) (*Bound, error) {
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	switch {
	case o.Vertices < 1:
		return nil, fmt.Errorf("%w: %d vertices", ErrOptions, o.Vertices)
	case !(o.Risk >= 1e-12 && o.Risk <= 0.5):
		return nil, fmt.Errorf("%w: risk %v", ErrOptions, o.Risk)
	case !(o.Range > 0) || math.IsInf(o.Range, 0):
		return nil, fmt.Errorf("%w: range %v", ErrOptions, o.Range)
	case !(o.Longest >= 0) || math.IsInf(o.Longest, 0):
		return nil, fmt.Errorf("%w: longest %v", ErrOptions, o.Longest)
	case o.Threads < 1:
		return nil, fmt.Errorf("%w: %d threads", ErrOptions, o.Threads)
	}
	if o.Signed {
		o.Vertices *= 2 // from here on: the positive parts, then the negative ones
	}
	b := newBound(o)
	if o.Longest > 0 {
		b.length = newBound(Options{Vertices: 1, Range: o.Longest, Threads: 1})
		b.length.above = risks{floor: float64(lengthShare * o.Risk)}
		b.length.below = b.length.above // that end is never used
	}
	b.setRisks()
	return b, nil
}

func newBound(o Options) *Bound {
	b := &Bound{Options: o, left: 1}
	columns := parallel.Lists[float64](o.Threads, 4, o.Vertices)
	b.sum, b.variance, b.first.sum, b.first.variance = columns[0], columns[1], columns[2], columns[3]
	return b
}

// setRisks gives every vertex its risk, from the known bound of the total length.
func (b *Bound) setRisks() {
	side := func(share float64) risks {
		r := risks{floor: float64(float64(b.Risk*share)*evenly) / float64(b.Vertices), most: b.Length()}
		if r.most > 0 {
			r.slope = float64(float64(b.Risk*share)*(1-evenly)) / r.most
		}
		return r
	}
	b.above, b.below = side(upperShare), side(lowerShare)
}

// Draws returns the number of members drawn so far.
func (b *Bound) Draws() int64 { return b.draws }

// Left returns the share of the population that is not settled yet.
func (b *Bound) Left() float64 { return b.left }

// Length returns an upper bound of the sum of T over all vertices.
func (b *Bound) Length() float64 {
	if b.length == nil {
		return 0
	}
	return b.length.At(0).Upper
}

// Add adds a stage, in O(vertices). The number of its draws may depend on everything
// before it, and so may whether there is a next stage. After an error, a context's
// included, the bound cannot be used any more.
func (b *Bound) Add(ctx context.Context, s Stage) error {
	if err := b.check(s); err != nil {
		return err
	}
	if b.length != nil {
		l := Stage{Draws: s.Draws, Left: s.Left, Sum: []float64{s.Length.Sum}, Squares: []float64{s.Length.Squares}}
		if s.Settled != nil {
			l.Settled = []float64{s.Length.Settled}
		}
		if err := b.length.add(ctx, l); err != nil {
			return err
		}
	}
	if err := b.add(ctx, s); err != nil {
		return err
	}
	b.setRisks()
	return nil
}

func (b *Bound) check(s Stage) error {
	switch {
	case b.left == 0:
		return fmt.Errorf("%w: all is settled", ErrStage)
	case s.Draws < 1:
		return fmt.Errorf("%w: %d draws", ErrStage, s.Draws)
	case !(s.Left >= 0 && s.Left <= b.left) || s.Settled == nil && s.Left != 1:
		return fmt.Errorf("%w: a share of %v is left, %v was", ErrStage, s.Left, b.left)
	case len(s.Sum) != b.Vertices, len(s.Squares) != b.Vertices:
		return fmt.Errorf("%w: sums of %d and squares of %d vertices, not %d", ErrStage, len(s.Sum), len(s.Squares), b.Vertices)
	case s.Settled != nil && len(s.Settled) != b.Vertices:
		return fmt.Errorf("%w: settled parts of %d vertices, not %d", ErrStage, len(s.Settled), b.Vertices)
	}
	return nil
}

// spread calls work on ranges that cover all vertices, a few milliseconds each at most, from Threads goroutines.
func (b *Bound) spread(ctx context.Context, work func(from, to int)) error {
	return parallel.Spread(ctx, b.Threads, b.Vertices, 4096, work)
}
