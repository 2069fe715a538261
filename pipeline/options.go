package pipeline

import (
	"context"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/gpu"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// Engine says which processors compute.
type Engine string

const (
	EngineAuto Engine = "auto" // every usable device of Options.Compute.Devices, and the CPU cores
	EngineCPU  Engine = "cpu"  // CPU cores only
	EngineGPU  Engine = "gpu"  // devices; CPU cores take what no device accepts
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
// arrowio.FromRecords is one.
type Source func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error)

// Sink takes the finished table. It may keep it.
type Sink func(ctx context.Context, table tables.Table) error

// Options of every call of this package, in parts. The zero value computes in float64 on
// everything there is; with Read, it reads standard input, whose format its bytes tell.
type Options struct {
	// Question is what is asked of the graph. The zero value is the betweenness of
	// every vertex. What cannot be answered yet is ErrOptions. The unit of lengths is
	// what reading finds out.
	Question question.Question

	// Sources and Targets, if set, are the vertices where paths begin, and end; nil:
	// all. The question then has their hashes. An id that no vertex has is
	// tables.ErrInput.
	Sources, Targets *VertexSet

	// Trips, if set, says how much goes from each vertex to each: the question is then about trips between vertices, over
	// ordered pairs, and column flow is in the table's unit. An id that no vertex has is tables.ErrInput.
	Trips *TripTable

	// Since, if set, is a run of a graph that differs a little, whose scores become those of this one by fewer searches where
	// that is cheaper: they are as exact as those of a run without it. It is for the zero Question, which Measures of degrees and
	// components may stand beside.
	Since *Since

	Input
	Compute
	Output
	Parts
	Reports

	keep         int                                           // the first so many of Files.Keep are for the output; the others are masses
	prepared     string                                        // the prepared graph that Files is; "": none
	startDevices func(context.Context) (gpu.Set, error)        // tests put fakes here; nil: those of Compute.Devices
	openSearches func(context.Context) (*gpu.SearchSet, error) // the same of Distances
}

// Input says where the edges come from.
type Input struct {
	// Files are what Read reads, or the one that Prepare made; unused when Source is set.
	// Weight is the question's.
	Files tables.Options
	// Read reads Files: arrowio.Read. It is a field, so that who has edges of their own builds without
	// any format. A prepared graph needs none.
	Read func(ctx context.Context, files tables.Options, edges chan<- tables.Batch) (tables.Summary, error)
	// Source takes the place of Files and Read; nil: these.
	Source Source
}

// Compute says who computes, and how.
type Compute struct {
	// Devices starts OpenCL devices: opencl.Devices(); nil: there are none. It is a field, so that who computes on
	// cores builds without engines for devices and their kernels.
	Devices   gpu.Starter
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

	// Unrouted, if set, takes the trips that are on no path, before the first batch is computed: those from a vertex to itself,
	// and those between two that no path joins, of whatever length. The table has the columns of Options.Trips, a row
	// for each pair, in the order in which the input names the vertices.
	Unrouted Sink

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
	Resume *tables.Table
	// Anew has a Resume of another graph, or of other options, dropped with a
	// warning, and everything computed, instead of ErrPartial. One that is damaged
	// is ErrPartial all the same.
	Anew bool
	// Save, if set, is called with a partial result of what is finished, every
	// SaveInterval (0: 30 s) while there is something new, and when computing
	// ends, be it cancelled. A failure becomes a warning; the run goes on.
	Save         func(tables.Table) error
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

// partial is whether a run hands over a partial result.
func (o Options) partial() bool { return o.Partial || !o.Shard.Whole() }

// core is what processor cores compute with.
func (c *Compute) core() cpu.Options {
	return cpu.Options{Precision: c.Precision, Walk: c.Walk, Set: c.Set}
}

// saved tells whether sums are written, too, or nothing else.
func (o *Options) saved() bool { return o.Save != nil || o.Partial || !o.Shard.Whole() }

// Shard is a share of a plan's batches. The zero value is everything.
type Shard = ledger.Shard

// Progress is one report of a run under way.
type Progress struct {
	Stage   string        // "read", "build", "reduce", "compute", "write"
	Ended   bool          // the stage's last report
	Edges   int64         // edges read so far
	Done    int           // batches finished
	Total   int           // batches in all; 0 until they are known
	Share   float64       // 0..1 of the estimated cost that is finished
	Elapsed time.Duration // since the run began
	Left    time.Duration // estimate for the compute stage; 0 when unknown
	GTEPS   float64       // effective rate of the compute stage so far
	Engines []EngineStat  // shares so far

	// Plan says what each way to estimate the scores is expected to take, where the
	// run chose one; "" before.
	Plan string

	// Estimate is what the last stage has come to, where scores are estimated; nil
	// before the first.
	Estimate *EstimateProgress
}
