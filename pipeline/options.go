package pipeline

import (
	"context"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/gpu"
	"bcstage/internal/engine"
	"bcstage/internal/gpu/opened"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// Engine selects the processors that compute.
type Engine string

const (
	EngineAuto Engine = "auto" // every usable device of Options.Compute.Devices, and the CPU cores
	EngineCPU  Engine = "cpu"  // CPU cores only
	EngineGPU  Engine = "gpu"  // devices; CPU cores take the blocks that no device accepts
)

// Precision of path counts and dependencies. Scores are always float64.
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

// LowerColumn and UpperColumn name the columns of the ends of an estimated score's interval.
const (
	LowerColumn = "lower"
	UpperColumn = "upper"
)

// EstimateColumns name the columns of an estimate beside its score: the ends of its interval and, with Options.Since,
// the change of the score and the ends of the change's interval.
func EstimateColumns(since bool) []string {
	if !since {
		return []string{LowerColumn, UpperColumn}
	}
	return []string{LowerColumn, UpperColumn, "change", "change_lower", "change_upper"}
}

// Source sends batches of edges and closes the channel when it returns.
// arrowio.FromRecords is one.
type Source func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error)

// Sink takes the finished table. It may keep it.
type Sink func(ctx context.Context, table tables.Table) error

// Options of every call of this package, in parts. The zero value computes in float64 on all processors; with Read, it
// reads standard input and detects the format.
type Options struct {
	// Question is what is asked of the graph. The zero value is the betweenness of every vertex. A question without an
	// algorithm is ErrOptions. Reading sets the unit of lengths.
	Question question.Question

	// Sources and Targets, if set, are the vertices where paths begin, and end; nil: all. The question then has their
	// hashes. An id without a vertex is tables.ErrInput.
	Sources, Targets *VertexSet

	// Trips, if set, gives the amount from each vertex to each. The question is then about trips over ordered pairs,
	// and column flow is in the table's unit. Rows with an id that the graph lacks are counted and left out; an id that
	// cannot be of its type is tables.ErrInput.
	Trips *TripTable

	// Since, if set, is a run on a graph that differs a little. Its scores are updated with fewer searches where that
	// is cheaper, and are as exact as without it. It is for betweenness with directions, lengths, a cutoff, sources,
	// targets, shares by distance, masses (also constrained) and trips, and with Measures of degrees and components.
	// Vertices of both graphs have equal masses, and trips are of one table. With Question.Sample of way auto, pairs or
	// exact, the change of each score is estimated where that is cheaper, from pairs of vertices whose paths both graphs
	// have: Eps is about changes, and EstimateColumns stand beside the scores. Half-widths of the earlier scores, if these
	// are estimates, are added to those of the scores.
	Since *Since

	Input
	Compute
	Output
	Parts
	Reports

	keep         int                                        // the first columns of Files.Keep, which go to the output; the others are masses
	calls        []string                                   // names of the calls that take the options: see package refusals
	prepared     string                                     // path of Files if it is a prepared graph; "": it is not
	startDevices func(context.Context) (gpu.Set, error)     // for fakes of tests; nil: Compute.Devices
	openSearches func(context.Context) (*opened.Set, error) // the same for Distances
}

// Input is the source of the edges.
type Input struct {
	// Files are the files that Read reads, or the one that Prepare made; unused when Source is set. Weight comes from
	// the question.
	Files tables.Options
	// Read reads Files: arrowio.Read. It is a field, so that programs with their own edges build without any format. A
	// prepared graph needs it for a vertex table only.
	Read func(ctx context.Context, files tables.Options, edges chan<- tables.Batch) (tables.Summary, error)
	// Source replaces Files and Read; nil: these.
	Source Source
}

// Compute selects processors and their methods.
type Compute struct {
	// Devices starts OpenCL devices: opencl.Devices(); nil: there are none. It is a field, so that programs that
	// compute on cores build without engines for devices and their kernels.
	Devices   gpu.Starter
	Engine    Engine    // "": EngineAuto
	Device    string    // OpenCL devices: "" or "all", "0,2" by number, "cpu" for none
	Strategy  string    // one of gpu.Strategies, for devices; "": "auto"
	Walk      string    // one of cpu.Walks, for cores and the blocks that it suits; ErrOptions if it suits none; "": "auto", by block
	Set       string    // one of cpu.Sets: the instruction set of cores; "": "auto", the fastest
	Threads   int       // CPU goroutines of every stage; 0: GOMAXPROCS; at most 1024
	Lanes     int       // sources per batch; 0: chosen per block; at most 64
	Mdeg      int       // degree above which a work-group of a device shares a vertex; 0: from the degree histogram
	Precision Precision // of the numbers in searches; "": Float64
	Memory    int64     // bytes that may be used; 0: the bytes left by the machine and its control groups. Edges beyond it go through a file in TMPDIR (os.TempDir), on Linux

	// Verify is the number of random sources that are computed again with the textbook algorithm at the end. The
	// largest difference goes into the statistics; more than rounding is ErrVerify.
	Verify int
}

// Output selects the sinks and the order of rows.
type Output struct {
	Sort Order // "": FirstSeen

	// Edges takes the table of the edges' scores, before the sink gets that of the vertices. Column
	// "edge_betweenness_centrality" stands beside the ends "src" and "dst". Each edge has one row, in the order and
	// direction in which it is first given, or in the order of Sort. Edges makes the question of Run one about edges; a
	// partial result contains them without it.
	Edges Sink

	// Outline, if set, takes each table that Edges and the sink will get, in that order, before the first batch is
	// computed. The table has all names, types, ids and kept columns; it has no values, edges or order of rows. An
	// error of Outline ends the run before days of work: arrowio.Fits finds values that a format cannot hold.
	Outline Sink

	// Unrouted, if set, takes the trips without a path, before the first batch is computed. They are trips from a vertex
	// to itself, between vertices that no path of any length joins, and of ids that the graph lacks. The table has the columns
	// of Options.Trips, a row for each pair, in the order in which the input names the vertices. Rows with ids that the graph
	// lacks follow as they are.
	Unrouted Sink

	// Partial asks for a partial result, for Merge, in place of scores.
	Partial bool
}

// Parts divide a run into several, which share its batches or follow each other.
type Parts struct {
	// Shard restricts the run to a share of the batches, which makes a partial result. The zero value is everything.
	Shard Shard
	// Resume, if set, is a partial result of the same graph and options; its
	// batches are not computed again.
	Resume *tables.Table
	// Anew drops a Resume of another graph or of other options with a warning, and
	// computes everything, instead of ErrPartial. A damaged one is ErrPartial in any case.
	Anew bool
	// Save, if set, is called with a partial result of the finished batches: every SaveInterval (0: 30 s) while there
	// is something new, and when computing ends, even if cancelled. A failure becomes a warning; the run continues.
	Save         func(tables.Table) error
	SaveInterval time.Duration
}

// Reports are the reports of a run's progress.
type Reports struct {
	// Progress, if set, is called about every ProgressInterval (0: 200 ms) and
	// at the end of each stage, however short; never twice at once. The run
	// waits for it at the end of a stage.
	Progress         func(Progress)
	ProgressInterval time.Duration
}

// partial reports whether a run returns a partial result.
func (o Options) partial() bool { return o.Partial || !o.Shard.Whole() }

// core returns the options of CPU cores.
func (c *Compute) core() cpu.Options {
	return cpu.Options{Precision: c.Precision, Walk: c.Walk, Set: c.Set}
}

// saved reports whether sums are written, alone or beside scores.
func (o *Options) saved() bool { return o.Save != nil || o.Partial || !o.Shard.Whole() }

// Shard is a share of a plan's batches. The zero value is everything.
type Shard = ledger.Shard

// Progress is one report of a run under way.
type Progress struct {
	Stage   string        // "read", "build", "reduce", "compute", "write"
	Ended   bool          // the last report of the stage
	Edges   int64         // edges read so far
	Done    int           // batches finished; of WhatIf, rows and the graph before
	Total   int           // batches in all; 0 until they are known
	Share   float64       // 0..1 of the estimated cost that is finished
	Elapsed time.Duration // since the run began
	Left    time.Duration // estimate for the compute stage; 0 when unknown
	GTEPS   float64       // effective rate of the compute stage so far
	Engines []EngineStat  // shares so far

	// Plan gives the expected time of each way to estimate the scores, where the run chose one; "" before.
	Plan string

	// Estimate is the result of the last stage, where scores are estimated; nil before the first.
	Estimate *EstimateProgress
}
