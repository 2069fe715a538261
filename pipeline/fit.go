package pipeline

import (
	"fmt"

	"bcstage/cpu"
	"bcstage/internal/budget"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/draws"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// demand is the memory of computing: shared by all threads, and of each thread.
type demand struct{ shared, each int64 }

// with is the memory that so many threads take.
func (d demand) with(threads int) int64 { return d.shared + int64(threads)*d.each }

// threads returns the number of threads that a limit has room for, at most most; 0: not even one.
func (d demand) threads(limit int64, most int) int {
	switch {
	case d.with(most) <= limit:
		return most
	case d.with(1) > limit:
		return 0
	}
	return int((limit - d.shared) / d.each)
}

// fitting decides how many threads and lanes memory has room for.
type fitting struct {
	opts   *Options
	memory int64 // limit in bytes
	fixed  bool  // the plan goes into a file, whose lanes hold for every run of it
}

func (p *planner) fitting() fitting { return fitting{p.opts, p.memory, p.preparing} }

// threads returns the options with no more threads than memory has room for, and a note if these
// are fewer. The way of an estimate is known by then: pairs need less than searches.
func (f fitting) threads(plan *preprocess.Plan, names int64) (_ Options, notes []string, err error) {
	opts := *f.opts
	need := demandOf(plan, names, opts)
	threads := need.threads(f.memory, opts.Threads)
	switch {
	case threads == opts.Threads:
		return opts, nil, nil
	case threads == 0:
		return opts, nil, fmt.Errorf("pipeline: %w: %s are needed with one thread, %s may be used%s", ErrMemory, budget.Text(need.with(1)), budget.Text(f.memory), f.lanesAdvice(plan, need.shared))
	}
	notes = []string{fmt.Sprintf("%d of %d CPU threads compute: all need %s of memory, %s may be used", threads, opts.Threads, budget.Text(need.with(opts.Threads)), budget.Text(f.memory))}
	opts.Threads = threads
	return opts, notes, nil
}

// fewerLanes returns the largest number of lanes below 64 with which one thread fits beside the
// shared memory; 0: none fits.
func (f fitting) fewerLanes(plan *preprocess.Plan, shared int64) (lanes int, each int64) {
	for lanes := 32; lanes >= 1; lanes /= 2 {
		if each := workerBytes(plan, *f.opts, lanes); shared+each <= f.memory {
			return lanes, each
		}
	}
	return 0, 0
}

// lanesAdvice says how many lanes would fit. It is advice where lanes were asked for, and where
// other runs depend on them: a checkpoint or another shard needs the same batches.
func (f fitting) lanesAdvice(plan *preprocess.Plan, shared int64) string {
	if lanes, each := f.fewerLanes(plan, shared); lanes > 0 {
		return fmt.Sprintf("; %s with %d lanes", budget.Text(shared+each), lanes)
	}
	return ""
}

// lanesToFit returns the number of lanes for a new plan if not one thread fits with this one; 0: it
// fits, or no number of lanes helps, or the caller set one, or something that is written depends on it.
func (f fitting) lanesToFit(plan *preprocess.Plan, names int64) int {
	need := demandOf(plan, names, *f.opts)
	if f.opts.Lanes != 0 || f.fixed || f.opts.saved() || f.opts.Resume != nil || need.threads(f.memory, 1) == 1 {
		return 0
	}
	if way := f.opts.Question.Sample.Way; way == "pairs" || way == "auto" {
		block, ok := plan.Drawable(true)
		if ok && pairsDemand(plan, names, *f.opts, block).threads(f.memory, 1) == 1 {
			return 0
		}
	}
	lanes, _ := f.fewerLanes(plan, need.shared)
	return lanes
}

// pairsDemand is demandOf if pairs of a block are drawn.
func pairsDemand(plan *preprocess.Plan, names int64, opts Options, block int) demand {
	byPairs := *plan
	byPairs.Paired = &draws.Paired{Block: block}
	opts.Question.Sample.Way = "pairs"
	return demandOf(&byPairs, names, opts)
}

// demandOf is the memory of computing: the plan, the names of its vertices, the ledger and its
// output, and the state of CPU threads.
func demandOf(plan *preprocess.Plan, names int64, opts Options) demand {
	const (
		score = 8 // a column of the output
		place = 4 // in its order

		estimate = 240     // a stage's sums, what package bound keeps, and intervals
		byPairs  = 104     // likewise, of pairs, for a vertex of the block
		ends     = 16      // of intervals, for any vertex
		stages   = 30 * 48 // the sums of all stages of sources, and as columns
		ofPairs  = 40 * 16 // of all stages of pairs
	)
	vertex, edge := int64(place+score*len(plan.Question.Asked())), int64(score+place)
	if way := opts.Question.Sample.Way; way != "" && way != "exact" {
		kept, saved := int64(estimate), int64(stages)
		if way == "pairs" {
			kept, saved = ends, ofPairs
		}
		if opts.saved() {
			kept += saved
		}
		vertex += kept
		edge += kept + place + score // and its place, with the flow of a source
	}
	d := demand{each: workerBytes(plan, opts, 0)}
	d.shared = plan.Bytes() + names + ledger.Bytes(plan.Question, plan.Vertices, plan.Edges, opts.saved()) + int64(plan.Vertices)*vertex
	if plan.Question.Edges {
		d.shared += plan.Edges * edge
	}
	if plan.Paired != nil {
		block := &plan.Blocks[plan.Paired.Block]
		counted := int64(max(block.Covers(), block.Vertices())) // with middles of edges
		if block.HasFlows() {
			counted += int64(block.Flows.Count())
		}
		d.shared += pairs.SharedBytes(block) + byPairs*counted
	}
	return d
}

// workerBytes is the state of one CPU thread. If mostLanes is above 0, no batch has more lanes. A
// block whose pairs are drawn is not searched by lanes: it takes the memory of pairs, beside that
// of the other blocks.
func workerBytes(plan *preprocess.Plan, opts Options, mostLanes int) int64 {
	if plan.Paired == nil {
		return cpu.Bytes(plan, opts.core(), mostLanes)
	}
	others, paired := *plan, plan.Paired.Block
	others.Blocks = append(others.Blocks[:paired:paired], others.Blocks[paired+1:]...)
	return cpu.Bytes(&others, opts.core(), mostLanes) + pairs.Bytes(&plan.Blocks[paired])
}

// lanesFor is the number of sources in a batch that fit in memory beside the graph, at least eight.
func (f fitting) lanesFor(plan *preprocess.Plan, graph int64) int {
	lanes := 64
	for lanes > 8 && graph+workerBytes(plan, *f.opts, lanes) > f.memory {
		lanes /= 2
	}
	return lanes
}
