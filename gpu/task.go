package gpu

import (
	"fmt"
	"sync"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// task is a block with how a device searches it. The streams of the device share
// the task; mu guards what they learn on the way.
type task struct {
	number  int
	options Options // those of the engine, the precision perhaps not
	block   *preprocess.Block
	choice  engine.Choice

	mu     sync.Mutex
	shape  shape
	depth  int     // largest level seen so far
	weight float64 // of all targets, if the block has chains
	takes  int     // packs taken together, of a block searched for distances; else as many as make a wave
	graph  *graph
	users  int // streams that have the graph
}

// newTask decides how a device searches a block, if it does, when each of
// several devices gets a share.
func newTask(d *device, o Options, number int, block *preprocess.Block, s survey, devices int) *task {
	t := &task{number: number, options: o.widened(s), block: block, depth: s.most}
	if block.Kind().Chained() {
		for _, mass := range block.To {
			t.weight += mass
		}
	}
	t.choice = engine.Choice{Device: d.label(), Block: number, Vertices: block.Vertices(), Edges: block.Edges()}
	t.choice.Precision = t.options.Precision
	if err := t.choose(d, t.options, s, devices); err != nil {
		t.choice.Declined = err.Error()
		return t
	}
	t.choice.WorkGroup = d.groupOf(t.shape)
	t.choice.Lanes, t.choice.Packs = t.shape.lanes(), t.shape.packs
	t.choice.Bytes = graphBytes(block) + int64(o.Streams)*t.shape.total()
	return t
}

// float32Paths is how many shortest paths make float64 necessary: float32 ends at
// 3e38, and other sources may have more.
const float32Paths = 1e33

// widened is for blocks whose path counts pass float32's range.
func (o Options) widened(s survey) Options {
	if s.paths > float32Paths {
		o.Precision = engine.Float64
	}
	return o
}

func (t *task) choose(d *device, o Options, s survey, devices int) error {
	mdeg, err := t.block.Mdeg(o.Mdeg)
	if err != nil {
		return err
	}
	t.choice.Mdeg = mdeg
	if o.Mdeg == 0 && t.block.Kind().Reach() {
		t.choice.Mdeg = max(mdeg, bitHub(d.group, len(t.block.Targets)))
	}
	b := t.block
	s = s.asked(b, o)
	chosen, reason := o.Strategy.choose(s)
	t.choice.Strategy, t.choice.Reason = string(chosen.name()), reason
	if s.paths > float32Paths {
		t.choice.Reason += fmt.Sprintf("; up to %.2g shortest paths are too many for float32", s.paths)
	}
	space := room{(d.memory(o) - graphBytes(t.block)) / int64(o.Streams), d.MaxAlloc}
	for words := d.words(o); words > 0; words-- {
		var shape shape
		if shape, err = newShape(chosen, words, o.Precision, s); err != nil {
			return err
		}
		if o.Mdeg == 0 && !t.block.Kind().Reach() {
			t.choice.Mdeg = max(mdeg, d.groupOf(shape)) // an edge for each work-item, or it does not pay
		}
		t.choice.Mixed, shape.drawn, shape.waived = shape.mixed, t.block.HasDraws(), len(t.block.Waived)
		shape.whole = s.whole
		if t.block.HasFlows() {
			shape.edges, shape.ways = t.block.Flows.Count(), t.block.Directed()
			if chosen == method(levels{}) && !shape.patched || chosen == method(solo{}) || chosen == method(ragged{}) {
				shape.arcs = len(t.block.Targets)
			}
		}
		wanted := (len(t.block.Sources) + shape.lanes()*devices - 1) / (shape.lanes() * devices)
		shape.groups = d.ComputeUnits * max(2048/d.groupOf(shape), 1)
		most := o.Packs
		if most == 0 {
			most = shape.full(d.ComputeUnits, wanted, devices > 1)
		}
		if shape.wide && !d.atomics64 {
			return fmt.Errorf("gpu: %w: distances of more than 31 bits, and no 64-bit atomics", ErrDevice)
		}
		if shape.lengths.arcs > 0 {
			shape.marked = shape.lengths.marksIn(d.LocalMemory, shape.vertices)
		}
		if shape.chains.junctions > 0 {
			most = min(most, (wanted+o.Streams-1)/o.Streams)
		}
		if shape.distances {
			t.takes = share(wanted, most, o.Streams, float64(t.block.Lanes)/float64(shape.lanes()))
			wanted = t.takes
		}
		if t.shape, err = shape.plan(space, wanted, most); err == nil {
			return t.shape.chains.worth(t.shape.packs, min(d.ComputeUnits, o.MinBlock))
		}
	}
	return err
}

// now is the shape that waves of the block have at present.
func (t *task) now() shape {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shape
}

// most is how many batches are taken together.
func (t *task) most() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(max(t.takes, t.shape.packs)*t.shape.lanes()/t.block.Lanes, 1)
}

// fewerPacks halves the packs of coming waves, unless another stream has just
// done so; false when there is only one.
func (t *task) fewerPacks(used shape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if used.packs == 1 {
		return false
	}
	t.shape.packs = min(t.shape.packs, used.packs/2)
	return true
}

// longerLists doubles the room for frontiers, for fewer packs if need be; false
// when there is room for all.
func (t *task) longerLists(used shape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if used.perRow >= used.lanes() {
		return false
	}
	t.shape.perRow = max(t.shape.perRow, min(2*used.perRow, used.lanes()))
	for t.shape.packs > 1 && !t.shape.countable() {
		t.shape.packs /= 2
	}
	return t.shape.countable()
}

// moreLevels doubles the levels that have room; false when there is room for all.
func (t *task) moreLevels(used shape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if used.levels > used.vertices+1 {
		return false
	}
	t.shape.levels = max(t.shape.levels, 2*used.levels)
	return true
}

// widen keeps path counts in as many bits as other numbers from now on.
func (t *task) widen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shape.narrow = false
}

// unmix keeps the sources of batches apart from now on.
func (t *task) unmix() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shape.mixed = false
}

// deeper notes a distance and returns the largest so far.
func (t *task) deeper(depth int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.depth = max(t.depth, depth)
	return t.depth
}

// acquire has the block in device memory; the first stream that asks uploads it.
func (t *task) acquire(d driver, q queue) (*graph, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.graph == nil {
		g, err := upload(d, q, t.block, t.choice.Mdeg, t.shape)
		if err != nil {
			return nil, err
		}
		t.graph = g
	}
	t.users++
	return t.graph, nil
}

// giveBack releases the graph when no stream has it any more.
func (t *task) giveBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.users--; t.users == 0 {
		t.graph.release()
		t.graph = nil
	}
}
