package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"bcstage/arrowio"
	"bcstage/gpu"
	"bcstage/preprocess"
)

// ErrOptions says that an option has a value outside its documented range, or
// that two contradict each other.
var ErrOptions = errors.New("invalid options")

// Engine says which processors compute.
type Engine string

const (
	EngineAuto Engine = "auto" // every usable OpenCL device, and the CPU cores
	EngineCPU  Engine = "cpu"  // CPU cores only
	EngineGPU  Engine = "gpu"  // OpenCL devices; CPU cores take what no device accepts
)

// Precision of path counts and dependencies. Scores are float64 always.
type Precision string

const (
	Float64 Precision = "float64"
	Float32 Precision = "float32" // half the memory traffic, scores to about 1e-5 relative
)

// Order of the output rows.
type Order string

const (
	FirstSeen Order = "first-seen" // order in which the input names the vertices
	ByScore   Order = "score"      // highest score first, ties in first-seen order
)

// ComponentSize names the integer column that Options.ComponentSizes asks for:
// by vertex, how many vertices its connected component has.
const ComponentSize = "component_size"

// Source sends batches of edges and closes the channel when it returns.
// arrowio.Read and arrowio.FromRecords are sources.
type Source func(ctx context.Context, edges chan<- arrowio.Batch) (arrowio.Summary, error)

// Sink takes the finished table. It may keep it.
type Sink func(ctx context.Context, table arrowio.Table) error

// Options of a run. The zero value reads standard input's format from its
// bytes and computes in float64 on everything there is; only Sink (or Output)
// has no default.
type Options struct {
	Input  arrowio.Options // files to read, or one that Prepare made; unused when Source is set
	Source Source          // nil: arrowio.Read(Input)
	Sink   Sink            // receives the scores

	Engine    Engine    // "": EngineAuto
	Device    string    // OpenCL devices: "" or "all", "0,2" by number, "cpu" for none
	Strategy  string    // one of gpu.Strategies: how a device searches; "": "auto"
	Threads   int       // CPU goroutines of every stage: 0: GOMAXPROCS; at most 1024
	Lanes     int       // sources per batch: 0: chosen per block; at most 64
	Mdeg      int       // degree above which a whole work-group of a device shares a vertex; 0: from the degree histogram
	Precision Precision // "": Float64
	Memory    int64     // bytes that may be used: 0: what the machine and its control groups have left
	Sort      Order     // "": FirstSeen

	// ComponentSizes adds the column ComponentSize to the table of scores; Merge
	// does not know it.
	ComponentSizes bool

	// Verify is how many random sources are computed again with the textbook
	// algorithm when all is done; the largest difference goes into the
	// statistics, and more than rounding is ErrVerify.
	Verify int

	// Shard restricts the run to a share of the batches. Sink then receives a
	// partial result instead of scores, for Merge.
	Shard Shard
	// Resume, if set, is a partial result of the same graph and options; its
	// batches are not computed again.
	Resume *arrowio.Table
	// Save, if set, is called with a partial result of what is finished, every
	// SaveInterval (0: 30 s) while there is something new, and when computing
	// ends, be it cancelled. A failure becomes a note; the run goes on.
	Save         func(arrowio.Table) error
	SaveInterval time.Duration

	// Progress, if set, is called about every ProgressInterval (0: 200 ms) and
	// at the end of each stage, however short; never twice at once. The run
	// waits for it at the end of a stage.
	Progress         func(Progress)
	ProgressInterval time.Duration

	prepared     string                                   // the prepared graph that Input is; "": none
	startDevices func(context.Context) (deviceSet, error) // tests put fakes here; nil: OpenCL
}

// check returns the options with defaults filled in, or ErrOptions.
func (o Options) check() (Options, error) {
	if o.Engine == "" {
		o.Engine = EngineAuto
	}
	if o.Precision == "" {
		o.Precision = Float64
	}
	if o.Sort == "" {
		o.Sort = FirstSeen
	}
	if o.Device == "" {
		o.Device = "all"
	}
	if o.Strategy == "" {
		o.Strategy = "auto"
	}
	if o.SaveInterval == 0 {
		o.SaveInterval = 30 * time.Second
	}
	if o.ProgressInterval == 0 {
		o.ProgressInterval = 200 * time.Millisecond
	}
	switch {
	case !oneOf(o.Engine, EngineAuto, EngineCPU, EngineGPU):
		return o, fmt.Errorf("%w: engine %q: want auto, cpu or gpu", ErrOptions, o.Engine)
	case !oneOf(o.Precision, Float64, Float32):
		return o, fmt.Errorf("%w: precision %q: want float64 or float32", ErrOptions, o.Precision)
	case !oneOf(o.Sort, FirstSeen, ByScore):
		return o, fmt.Errorf("%w: sort %q: want first-seen or score", ErrOptions, o.Sort)
	case !slices.Contains(gpu.Strategies(), gpu.Strategy(o.Strategy)):
		return o, fmt.Errorf("%w: strategy %q: want one of %v", ErrOptions, o.Strategy, gpu.Strategies())
	case o.Engine == EngineGPU && o.Device == "cpu":
		return o, fmt.Errorf("%w: engine gpu contradicts device cpu", ErrOptions)
	case o.Threads < 0 || o.Threads > 1024:
		return o, fmt.Errorf("%w: threads %d: want 0 to 1024", ErrOptions, o.Threads)
	case o.Lanes < 0 || o.Lanes > 64:
		return o, fmt.Errorf("%w: lanes %d: want 0 to 64", ErrOptions, o.Lanes)
	case o.Mdeg < 0:
		return o, fmt.Errorf("%w: mdeg %d: want 0 or more", ErrOptions, o.Mdeg)
	case o.Memory < 0:
		return o, fmt.Errorf("%w: memory %d: want 0 or more", ErrOptions, o.Memory)
	case o.Verify < 0:
		return o, fmt.Errorf("%w: verify %d: want 0 or more", ErrOptions, o.Verify)
	case o.Sink == nil:
		return o, fmt.Errorf("%w: no sink for the scores", ErrOptions)
	case o.ProgressInterval < 0 || o.SaveInterval < 0:
		return o, fmt.Errorf("%w: intervals %v and %v: want 0 or more", ErrOptions, o.ProgressInterval, o.SaveInterval)
	}
	if err := o.Shard.check(); err != nil {
		return o, err
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.startDevices == nil {
		resolved := o
		o.startDevices = func(ctx context.Context) (deviceSet, error) { return startOpenCL(ctx, resolved) }
	}
	if o.Source == nil && len(o.Input.Paths) == 1 && preprocess.IsPrepared(o.Input.Paths[0]) {
		o.prepared = o.Input.Paths[0]
	}
	if o.Source == nil {
		input := o.Input
		input.Threads = o.Threads
		o.Source = func(ctx context.Context, edges chan<- arrowio.Batch) (arrowio.Summary, error) {
			return arrowio.Read(ctx, input, edges)
		}
	}
	return o, nil
}

func oneOf[T comparable](value T, allowed ...T) bool {
	for _, a := range allowed {
		if value == a {
			return true
		}
	}
	return false
}
