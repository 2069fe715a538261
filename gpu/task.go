package gpu

import (
	"fmt"
	"sync"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// task is a block with the way a device searches it. The streams of the device
// share the task; mu guards what they learn.
type task struct {
	block   *wave.Block
	options Options // of the engine, except perhaps the precision
	choice  engine.Choice

	mu    sync.Mutex
	shape wave.Shape
	takes int // packs taken together, of a block searched for distances; else 0
	graph *resident.Graph
	users int // streams that have the graph
}

// newTask decides whether and how a device searches a block, if each of several
// devices gets a share.
func newTask(d *wave.Processor, o Options, number int, block *preprocess.Block, s survey.Findings, devices int) *task {
	t := &task{block: wave.NewBlock(number, block, s.Most), options: o.widened(s, block)}
	t.choice = engine.Choice{Device: label(d.Device), Block: number, Vertices: block.Vertices(), Edges: block.Edges()}
	t.choice.Precision = t.options.Precision
	if err := t.choose(d, t.options, s, devices); err != nil {
		t.choice.Declined = err.Error()
		return t
	}
	t.choice.WorkGroup = d.GroupOf(t.shape)
	t.choice.Lanes, t.choice.Packs = t.shape.Lanes(), t.shape.Packs
	t.choice.Bytes = resident.GraphBytes(block) + int64(o.Streams)*t.shape.Total()
	return t
}

// float32Paths is the number of shortest paths from which float64 is used: float32
// ends at 3e38, and other sources may have more paths.
const float32Paths = 1e33

// widened sets float64 for blocks whose path counts, or shares by distance, may pass float32's range.
func (o Options) widened(s survey.Findings, b *preprocess.Block) Options {
	if s.Paths > float32Paths || b.Decay != nil {
		o.Precision = engine.Float64
	}
	return o
}

func (t *task) choose(d *wave.Processor, o Options, s survey.Findings, devices int) error {
	mdeg, err := t.block.Mdeg(o.Mdeg)
	if err != nil {
		return err
	}
	t.choice.Mdeg = mdeg
	b := t.block.Block
	s = o.asked(s, b)
	chosen, reason := methods.Choose(o.Strategy, s)
	t.choice.Strategy, t.choice.Reason = string(chosen.Name()), reason
	if s.Paths > float32Paths {
		t.choice.Reason += fmt.Sprintf("; up to %.2g shortest paths are too many for float32", s.Paths)
	}
	space := wave.Room{All: (memoryFor(d, o) - resident.GraphBytes(b)) / int64(o.Streams), Largest: d.MaxAlloc}
	for words := d.Words(o.Lanes); words > 0; words-- {
		var shape wave.Shape
		if shape, err = wave.NewShape(chosen, words, o.Precision, s); err != nil {
			return err
		}
		if o.Mdeg == 0 && shape.Distances {
			t.choice.Mdeg = max(mdeg, methods.BitHub(d.Group, len(t.block.Targets)))
		} else if o.Mdeg == 0 {
			t.choice.Mdeg = max(mdeg, d.GroupOf(shape)) // fewer than an edge for each work-item do not pay
		}
		t.choice.Mixed, shape.Drawn, shape.Waived = shape.Mixed, t.block.HasDraws(), len(t.block.Waived)
		shape.Whole = s.Whole
		if b.Decay != nil {
			_, split := b.Decay.Numbers(survey.Beyond(b))
			shape.Shares = int(split)
		}
		shape.Sees, shape.Hung = sees(b), b.Hung != nil
		if t.block.HasFlows() {
			shape.Edges, shape.Ways = t.block.Flows.Count(), t.block.Directed()
			if m := chosen.Name(); m == methods.Levels && !shape.Patched || m == methods.Solo || m == methods.Ragged {
				shape.Arcs = len(t.block.Targets)
			}
		}
		wanted := (len(t.block.Sources) + shape.Lanes()*devices - 1) / (shape.Lanes() * devices)
		shape.Groups = d.ComputeUnits * max(2048/d.GroupOf(shape), 1)
		most := o.Packs
		if most == 0 {
			most = shape.Full(d.ComputeUnits, wanted, devices > 1)
		}
		if shape.Wide && !d.Atomics64 {
			return fmt.Errorf("gpu: %w: distances of more than 31 bits, and no 64-bit atomics", driver.ErrDevice)
		}
		if shape.Lengths.Arcs > 0 {
			shape.Marked = shape.Lengths.MarksIn(d.LocalMemory, shape.Vertices)
		}
		if shape.Chains.Junctions > 0 {
			most = min(most, (wanted+o.Streams-1)/o.Streams)
		}
		if shape.Distances {
			t.takes = share(wanted, most, o.Streams, float64(t.block.Lanes)/float64(shape.Lanes()))
			wanted = t.takes
		}
		if t.shape, err = shape.Plan(space, wanted, most); err == nil {
			return worthRoots(t.shape, min(d.ComputeUnits, o.MinBlock))
		}
	}
	return err
}

// now is the present shape of waves of the block.
func (t *task) now() wave.Shape {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shape
}

// most is the number of batches to take together.
func (t *task) most() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return max(max(t.takes, t.shape.Packs)*t.shape.Lanes()/t.block.Lanes, 1)
}

// fewerPacks halves the packs of coming waves, unless another stream has just done
// so; false if there is only one.
func (t *task) fewerPacks(used wave.Shape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if used.Packs == 1 {
		return false
	}
	t.shape.Packs = min(t.shape.Packs, used.Packs/2)
	return true
}

// longerLists doubles the room for frontiers, for fewer packs if need be; false if
// it was enough for all.
func (t *task) longerLists(used wave.Shape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if used.PerRow >= used.Lanes() {
		return false
	}
	t.shape.PerRow = max(t.shape.PerRow, min(2*used.PerRow, used.Lanes()))
	for t.shape.Packs > 1 && !t.shape.Countable() {
		t.shape.Packs /= 2
	}
	return t.shape.Countable()
}

// moreLevels doubles the room for levels; false if it was enough for all.
func (t *task) moreLevels(used wave.Shape) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if used.Levels > used.Vertices+1 {
		return false
	}
	t.shape.Levels = max(t.shape.Levels, 2*used.Levels)
	return true
}

// learn changes the shape of coming waves.
func (t *task) learn(change func(*wave.Shape)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.shape)
}

// acquire returns the block in device memory; the first stream that asks uploads
// it.
func (t *task) acquire(d driver.Driver, q driver.Queue) (*resident.Graph, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.graph == nil {
		g, err := resident.Upload(d, q, t.block.Block, t.choice.Mdeg, resident.Layout{Wide: t.shape.Wide, Near: t.shape.Near, Arcs: t.shape.Arcs})
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
		t.graph.Release()
		t.graph = nil
	}
}

// worthRoots is the error for waves with too few roots for a device: `least`
// compute units need work. Cores take milliseconds for a block of few junctions.
func worthRoots(s wave.Shape, least int) error {
	c := s.Chains
	if roots := min(s.Packs*c.Roots, c.Junctions); c.Junctions > 0 && roots < least {
		return fmt.Errorf("gpu: %w: %d junctions are searched from at once, for %d compute units", driver.ErrDevice, roots, least)
	}
	return nil
}
