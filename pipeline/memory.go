package pipeline

import (
	"errors"
	"fmt"
	"math"

	"bcstage/arrowio"
	"bcstage/cpu"
	"bcstage/pipeline/ledger"
	"bcstage/preprocess"
)

// ErrMemory says that the graph needs more memory than Options.Memory.
var ErrMemory = errors.New("not enough memory")

// AvailableMemory is how many bytes this process may still take, by what the
// machine and its control groups have left; 0 when that is not known. It is the
// default of Options.Memory, which bounds what is alive: who wants garbage bounded
// too tells the runtime (debug.SetMemoryLimit), as the command does.
func AvailableMemory() int64 { return availableMemory() }

// memoryLimit is the limit in bytes; far away when there is none.
func memoryLimit(opts Options) int64 {
	limit := opts.Memory
	if limit == 0 {
		limit = availableMemory()
	}
	if limit == 0 {
		return math.MaxInt64
	}
	return limit
}

// need refuses what passes the limit, before it is taken. Who is refused may ask for less.
func (r *run) need(bytes int64, what string) error {
	if bytes > r.memory {
		return fmt.Errorf("%w: %s are needed to %s, %s may be used", ErrMemory, bytesText(bytes), what, bytesText(r.memory))
	}
	r.reading.Store(max(r.reading.Load(), bytes))
	return nil
}

// checkBatch refuses a batch with which the input cannot fit: because of what
// numbering it takes and building the graph will, or because its vertices alone
// are too many to be reduced. expected is how many vertices it brings: those that
// a header has announced and that have not come yet, or as many as the batch
// before it has brought.
func (r *run) checkBatch(builder *preprocess.Builder, batch arrowio.Batch, expected int) error {
	rows := batch.Src.Len()
	vertices := builder.Vertices() + max(expected, batch.Vertices.Len())
	bytes := max(builder.Bytes(vertices-builder.Vertices(), rows), preprocess.ReduceBytes(vertices, 0)) + r.kept.held(vertices)
	if err := r.need(bytes, "read and reduce it"); err != nil {
		if batch.Declared > 0 {
			return fmt.Errorf("%d vertices that a header declares: %w", batch.Declared, err)
		}
		return fmt.Errorf("after %d edges and %d vertices: %w", r.edgesRead.Load(), builder.Vertices(), err)
	}
	return nil
}

// fit returns the options with no more threads than memory has room for.
func (r *run) fit(plan *preprocess.Plan, names int64) (Options, error) {
	opts := r.opts
	graph, engines := memory(plan, names, opts)
	if graph+engines <= r.memory {
		return opts, nil
	}
	each := engines / int64(opts.Threads)
	threads := 0
	if each > 0 {
		threads = int((r.memory - graph) / each)
	}
	if threads < 1 {
		return opts, fmt.Errorf("pipeline: %w: %s are needed with one thread, %s may be used%s", ErrMemory, bytesText(graph+each), bytesText(r.memory), r.fewerLanes(plan, graph))
	}
	r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("%d of %d CPU threads compute: all need %s of memory, %s may be used", threads, opts.Threads, bytesText(graph+engines), bytesText(r.memory)))
	opts.Threads = threads
	return opts, nil
}

// fewerLanes is advice: lanes decide what a batch is, so a checkpoint or another
// shard would not fit any more if they were changed unasked.
func (r *run) fewerLanes(plan *preprocess.Plan, graph int64) string {
	for lanes := 32; lanes >= 1; lanes /= 2 {
		if each := engineBytes(plan, r.opts, lanes); graph+each <= r.memory {
			return fmt.Sprintf("; %s with %d lanes", bytesText(graph+each), lanes)
		}
	}
	return ""
}

// memory is what computing holds: the plan, the names of its vertices, the ledger and what
// becomes of it, and the state of all CPU workers.
func memory(plan *preprocess.Plan, names int64, opts Options) (graph, engines int64) {
	const (
		score = 8 // a column of the output
		place = 4 // in its order

		estimate = 240     // a stage's sums, what package bound keeps, and intervals
		stages   = 30 * 48 // the sums of all stages of sources, and as columns
		pairs    = 40 * 16 // of all stages of pairs
	)
	vertex := int64(place + score*len(plan.Question.Asked()))
	saved := opts.Save != nil || opts.Partial || !opts.Shard.Whole()
	if way := opts.Question.Sample.Way; way != "" && way != "exact" {
		vertex += estimate
		switch {
		case saved && way == "pairs":
			vertex += pairs
		case saved:
			vertex += stages
		}
	}
	graph = plan.Bytes() + names + ledger.Bytes(plan.Question, plan.Vertices, plan.Edges, saved) + int64(plan.Vertices)*vertex
	if plan.Question.Edges {
		graph += plan.Edges * (score + place)
	}
	return graph, engineBytes(plan, opts, 0) * int64(opts.Threads)
}

// engineBytes is the state of one CPU worker; if mostLanes is above 0, when no
// batch has more.
func engineBytes(plan *preprocess.Plan, opts Options, mostLanes int) int64 {
	return cpu.Bytes(plan, opts.Precision, mostLanes)
}

// bytesText is a size for people: binary units, three digits.
func bytesText(n int64) string {
	value, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for value >= 1000 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.3g %s", value, units[0])
}
