package pipeline

import (
	"errors"
	"fmt"
	"math"

	"bcstage/cpu"
	"bcstage/preprocess"
)

// ErrMemory says that the graph needs more memory than Options.Memory.
var ErrMemory = errors.New("not enough memory")

// edgeBytes is what a row of the input takes at least until the graph is
// reduced: its two ends as they are read, both directions of the graph, and of
// its blocks.
const edgeBytes = 24

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

// checkReading refuses input that cannot fit, as soon as that is certain.
func (r *run) checkReading(rows int64) error {
	if rows > r.memory/edgeBytes {
		return fmt.Errorf("after %d edges: %w: more than %s are needed, %s may be used", rows, ErrMemory, bytesText(rows*edgeBytes), bytesText(r.memory))
	}
	return nil
}

// fit returns the options with no more threads than memory has room for.
func (r *run) fit(plan *preprocess.Plan) (Options, error) {
	opts := r.opts
	graph, engines := memory(plan, opts)
	each := engines / int64(opts.Threads)
	if each == 0 || graph+engines <= r.memory {
		return opts, nil
	}
	threads := int((r.memory - graph) / each)
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

// memory is what computing holds: the plan with its sums, and the state of all
// CPU workers.
func memory(plan *preprocess.Plan, opts Options) (graph, engines int64) {
	const sum = 16 // fixed point
	graph = plan.Bytes() + int64(plan.Vertices)*sum
	return graph, engineBytes(plan, opts, 0) * int64(opts.Threads)
}

// engineBytes is the state of one CPU worker; if mostLanes is above 0, when no
// batch has more.
func engineBytes(plan *preprocess.Plan, opts Options, mostLanes int) int64 {
	return cpu.Bytes(plan, cpuOptions(opts).Precision, mostLanes)
}

// bytesText is a size for people: binary units, three digits.
func bytesText(n int64) string {
	value, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for value >= 1000 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.3g %s", value, units[0])
}
