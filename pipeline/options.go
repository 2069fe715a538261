package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"bcstage/arrowio"
	"bcstage/gpu"
	"bcstage/internal/budget"
	"bcstage/internal/engine"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
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
type Precision = engine.Precision

const (
	Float64 = engine.Float64
	Float32 = engine.Float32 // half the memory traffic, scores to about 1e-5 relative
)

// Order of the output rows.
type Order string

const (
	FirstSeen Order = "first-seen" // order in which the input names the vertices
	ByScore   Order = "score"      // highest score first, ties in first-seen order
)

// LowerColumn and UpperColumn name the columns between whose values a score lies
// that is estimated.
const (
	LowerColumn = "lower"
	UpperColumn = "upper"
)

// Source sends batches of edges and closes the channel when it returns.
// arrowio.Read and arrowio.FromRecords are sources.
type Source func(ctx context.Context, edges chan<- arrowio.Batch) (arrowio.Summary, error)

// Sink takes the finished table. It may keep it.
type Sink func(ctx context.Context, table arrowio.Table) error

var errNoSink = fmt.Errorf("%w: no sink", ErrOptions)

// Options of every call of this package, in parts. The zero value reads standard
// input's format from its bytes and computes in float64 on everything there is.
type Options struct {
	// Question is what is asked of the graph. The zero value is the betweenness of
	// every vertex. What cannot be answered yet is ErrOptions. The unit of lengths is
	// what reading finds out.
	Question question.Question

	// Sources and Targets, if set, are the vertices where paths begin, and end; nil:
	// all. The question then has their hashes. An id that no vertex has is
	// arrowio.ErrInput.
	Sources, Targets *VertexSet

	Input
	Compute
	Output
	Parts
	Reports

	keep         int                                       // the first so many of Files.Keep are for the output; the others are masses
	prepared     string                                    // the prepared graph that Files is; "": none
	startDevices func(context.Context) (deviceSet, error)  // tests put fakes here; nil: OpenCL
	openSearches func(context.Context) (*searchSet, error) // the same of Distances
}

// Input says where the edges come from.
type Input struct {
	Files  arrowio.Options // to read, or the one that Prepare made; unused when Source is set; Weight is the question's
	Source Source          // nil: arrowio.Read(Files)
}

// Compute says who computes, and how.
type Compute struct {
	Engine    Engine    // "": EngineAuto
	Device    string    // OpenCL devices: "" or "all", "0,2" by number, "cpu" for none
	Strategy  string    // one of gpu.Strategies: how a device searches; "": "auto"
	Walk      string    // one of cpu.Walks: how cores search the blocks that it suits; ErrOptions where it suits none; "": "auto", by the block
	Set       string    // one of cpu.Sets: the instruction set of cores; "": "auto", the fastest
	Threads   int       // CPU goroutines of every stage: 0: GOMAXPROCS; at most 1024
	Lanes     int       // sources per batch: 0: chosen per block; at most 64
	Mdeg      int       // degree above which a whole work-group of a device shares a vertex; 0: from the degree histogram
	Precision Precision // "": Float64
	Memory    int64     // bytes that may be used: 0: what the machine and its control groups have left

	// Verify is how many random sources are computed again with the textbook
	// algorithm when all is done; the largest difference goes into the
	// statistics, and more than rounding is ErrVerify.
	Verify int
}

// Output says what a sink receives.
type Output struct {
	Sort Order // "": FirstSeen

	// Edges takes the table of the edges' scores, before the sink has that of the
	// vertices: column "edge_betweenness_centrality", and beside it pairs of ends,
	// "src" and "dst", each edge once, in the order and the direction in which it was
	// first given, or as Sort has it. With it, the question of Run is about
	// edges; a partial result has them without it.
	Edges Sink

	// Outline, if set, takes each table that Edges and the sink will get, in that order,
	// before the first batch is computed: with all names, types, ids and kept columns,
	// and without values, edges and an order of rows. Its error ends the run before days
	// of work: arrowio.Fits finds what a format cannot hold.
	Outline Sink

	// Partial asks for a partial result, for Merge, where there would be scores.
	Partial bool
}

// Parts cut a run into several: those that share its batches, or come after
// each other.
type Parts struct {
	// Shard restricts the run to a share of the batches, which makes a partial
	// result. The zero value is everything.
	Shard Shard
	// Resume, if set, is a partial result of the same graph and options; its
	// batches are not computed again.
	Resume *arrowio.Table
	// Anew has a Resume of another graph, or of other options, dropped with a
	// warning, and everything computed, instead of ErrPartial. One that is damaged
	// is ErrPartial all the same.
	Anew bool
	// Save, if set, is called with a partial result of what is finished, every
	// SaveInterval (0: 30 s) while there is something new, and when computing
	// ends, be it cancelled. A failure becomes a warning; the run goes on.
	Save         func(arrowio.Table) error
	SaveInterval time.Duration
}

// Reports say how a run gets on.
type Reports struct {
	// Progress, if set, is called about every ProgressInterval (0: 200 ms) and
	// at the end of each stage, however short; never twice at once. The run
	// waits for it at the end of a stage.
	Progress         func(Progress)
	ProgressInterval time.Duration
}

// Check says what is wrong with the options; the error wraps ErrOptions. Every
// call checks its options before it reads anything.
func (o Options) Check() error {
	_, err := o.complete()
	return err
}

// complete returns the options with defaults filled in, or ErrOptions.
func (o Options) complete() (Options, error) {
	if err := cmp.Or(o.Compute.complete(), o.Output.complete(), o.Parts.complete(), o.Reports.complete()); err != nil {
		return o, err
	}
	if o.Sources != nil {
		o.Question.Sources = o.Sources.set
	}
	if o.Targets != nil {
		o.Question.Targets = o.Targets.set
	}
	if o.Edges != nil {
		o.Question.Edges = true
	}
	if o.Question.Edges && o.Edges == nil && !o.partial() {
		return o, fmt.Errorf("%w: scores of edges are asked for, and nothing takes them: Output.Edges", ErrOptions)
	}
	if err := o.Question.Answerable(); err != nil {
		return o, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if err := o.completeSample(); err != nil {
		return o, err
	}
	if o.startDevices == nil {
		compute, searches := o.Compute, searchesFor(o.Question)
		o.startDevices = func(ctx context.Context) (deviceSet, error) { return startOpenCL(ctx, compute, searches) }
	}
	if o.Source == nil && len(o.Files.Paths) == 1 && preprocess.IsPrepared(o.Files.Paths[0]) {
		o.prepared = o.Files.Paths[0]
	}
	if err := cmp.Or(o.completeKeep(), o.completeMasses()); err != nil {
		return o, err
	}
	if o.Files.Budget == nil {
		o.Memory = memoryLimit(o)
		o.Files.Budget = budget.New(o.Memory)
	}
	o.Files.Weight = o.Question.Lengths.Column
	if o.Source == nil {
		files := o.Files
		files.Threads, files.Directed = o.Threads, o.Question.Directed
		o.Source = func(ctx context.Context, edges chan<- arrowio.Batch) (arrowio.Summary, error) {
			return arrowio.Read(ctx, files, edges)
		}
	}
	return o, nil
}

// partial is whether a run hands over a partial result.
func (o Options) partial() bool { return o.Partial || !o.Shard.Whole() }

func (c *Compute) complete() error {
	if c.Engine == "" {
		c.Engine = EngineAuto
	}
	if c.Precision == "" {
		c.Precision = Float64
	}
	if c.Device == "" {
		c.Device = "all"
	}
	if c.Strategy == "" {
		c.Strategy = "auto"
	}
	if c.Walk == "auto" {
		c.Walk = ""
	}
	if c.Set == "auto" {
		c.Set = ""
	}
	switch {
	case !oneOf(c.Engine, EngineAuto, EngineCPU, EngineGPU):
		return fmt.Errorf("%w: engine %q: want auto, cpu or gpu", ErrOptions, c.Engine)
	case !oneOf(c.Precision, Float64, Float32):
		return fmt.Errorf("%w: precision %q: want float64 or float32", ErrOptions, c.Precision)
	case !slices.Contains(gpu.Strategies(), gpu.Strategy(c.Strategy)):
		return fmt.Errorf("%w: strategy %q: want one of %v", ErrOptions, c.Strategy, gpu.Strategies())
	case c.Engine == EngineGPU && c.Device == "cpu":
		return fmt.Errorf("%w: engine gpu contradicts device cpu", ErrOptions)
	case c.Threads < 0 || c.Threads > 1024:
		return fmt.Errorf("%w: threads %d: want 0 to 1024", ErrOptions, c.Threads)
	case c.Lanes < 0 || c.Lanes > 64:
		return fmt.Errorf("%w: lanes %d: want 0 to 64", ErrOptions, c.Lanes)
	case c.Mdeg < 0:
		return fmt.Errorf("%w: mdeg %d: want 0 or more", ErrOptions, c.Mdeg)
	case c.Memory < 0:
		return fmt.Errorf("%w: memory %d: want 0 or more", ErrOptions, c.Memory)
	case c.Verify < 0:
		return fmt.Errorf("%w: verify %d: want 0 or more", ErrOptions, c.Verify)
	}
	if err := c.core().Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if c.Threads == 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	return nil
}

func (o *Output) complete() error {
	if o.Sort == "" {
		o.Sort = FirstSeen
	}
	if !oneOf(o.Sort, FirstSeen, ByScore) {
		return fmt.Errorf("%w: sort %q: want first-seen or score", ErrOptions, o.Sort)
	}
	return nil
}

func (p *Parts) complete() error {
	if p.SaveInterval == 0 {
		p.SaveInterval = 30 * time.Second
	}
	if p.SaveInterval < 0 {
		return fmt.Errorf("%w: save interval %v: want 0 or more", ErrOptions, p.SaveInterval)
	}
	if err := p.Shard.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}

func (r *Reports) complete() error {
	if r.ProgressInterval == 0 {
		r.ProgressInterval = 200 * time.Millisecond
	}
	if r.ProgressInterval < 0 {
		return fmt.Errorf("%w: progress interval %v: want 0 or more", ErrOptions, r.ProgressInterval)
	}
	return nil
}

func oneOf[T comparable](value T, allowed ...T) bool {
	for _, a := range allowed {
		if value == a {
			return true
		}
	}
	return false
}
