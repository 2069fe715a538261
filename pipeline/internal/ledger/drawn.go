package ledger

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"bcstage/internal/bound"
	"bcstage/internal/csr"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess"
)

// drawn is the ledger's state of a block whose sources are drawn: the additions of each stage to
// the bounds. The sums of everything are elsewhere.
type drawn struct {
	*draws.Drawn
	vertices []uint32   // vertices of the graph in the block, ascending
	local    []uint32   // their numbers in the block; nil in a partial that was read
	first    []uint32   // by number in the block: the first of its entries in places
	places   []uint32   // nil: not computed yet
	edges    drawnEdges // none, unless Edges
	stages   []*stage   // nil: without results, or dropped

	Confidence float64 // of the bounds
}

// drawnEdges are the edges of a block whose scores are estimated beside those of its vertices.
type drawnEdges struct {
	list  []uint32  // edges of the graph, ascending
	place []uint32  // by edge of the graph: its place in a stage's sums; nil in a partial that was read
	flow  []float64 // by place, of vertices, too: of one source, while it is added
	some  []uint32  // the places that have one
}

// stage holds the sums of a stage's results, by drawn.vertices and then by drawn.edges. They are fixed-point numbers in an
// int64, and each batch's result is rounded once: sums are equal in any order, and anyone can add
// the sums of shards. With masses M of the block as targets, no dependency exceeds 2*M.
type stage struct {
	settled []int64 // From*x, divided by the sum of From
	drawn   []int64 // Draws*x
	squares []int64 // Draws*x*x
	lengths lengths
}

// lengths holds the same sums of the right side of the self-check, in whole numbers, where that
// side counts the inner vertices of paths.
type lengths struct{ settled, drawn, squares word }

func newDrawn(plan *preprocess.Plan, threads int) *drawn {
	d := &drawn{Drawn: plan.Drawn, stages: make([]*stage, len(plan.Drawn.Stages))}
	block := &plan.Blocks[d.Block]
	d.vertices, d.local = block.Members(threads)
	if d.Edges {
		e := &d.edges
		e.place = make([]uint32, len(plan.EdgeEnds[0]))
		for _, edge := range block.Flows.Edges {
			e.place[edge] = 1
		}
		for edge, some := range e.place {
			if some > 0 {
				e.place[edge] = uint32(len(d.vertices) + len(e.list))
				e.list = append(e.list, uint32(edge))
			}
		}
		e.flow = make([]float64, len(d.vertices)+len(e.list))
	}
	return d
}

// count is the number of scores that are estimated.
func (d *drawn) count() int { return len(d.vertices) + len(d.edges.list) }

func newStage(n int) *stage {
	return &stage{settled: make([]int64, n), drawn: make([]int64, n), squares: make([]int64, n)}
}

// stageOf is the number of the stage that contains a batch of the block.
func (d *drawn) stageOf(batch int) int {
	return sort.Search(len(d.Stages), func(i int) bool { return batch < d.Stages[i].First }) - 1
}

// units returns the exponents of the units of a stage's sums, so small that the largest sum of all
// draws fills an int64.
func (d *drawn) units(s draws.Stage) (settled, drawn, squares int) {
	_, largest := math.Frexp(2 * d.To) // x < 2^largest
	draws := bits.Len64(uint64(s.Draws))
	return largest + bits.Len64(uint64(d.From)) - 62, largest + draws - 62, 2*largest + draws - 62
}

// add adds a result of batches of one stage.
func (d *drawn) add(plan *preprocess.Plan, batches []engine.Batch, result engine.Result) {
	number := d.stageOf(batches[0].Index)
	if d.stages[number] == nil {
		d.stages[number] = newStage(d.count())
	}
	s := d.stages[number]
	if d.Edges {
		d.addAlone(s, number, &plan.Blocks[d.Block], batches[0], &result)
		return
	}
	settled, drawn, squares := d.units(d.Stages[number])
	d.addRounded(s.settled, result.Scores, result.At, settled)
	d.addRounded(s.drawn, result.Drawn, result.At, drawn)
	d.addRounded(s.squares, result.Squares, result.At, squares)
	if d.Lengths {
		return
	}
	block := &plan.Blocks[d.Block]
	want := result.Want
	for _, batch := range batches {
		for _, source := range block.Sources[batch.First : batch.First+batch.Count] {
			s.lengths.add(block.From[source], block.Draws[source], want[0])
			want = want[1:]
		}
	}
}

// addAlone adds the result of the only source of a batch.
func (d *drawn) addAlone(s *stage, number int, block *preprocess.Block, batch engine.Batch, result *engine.Result) {
	source := block.Sources[batch.First]
	from, times := block.From[source], block.Times[source]
	settled, drawn, squares := d.units(d.Stages[number])
	scales := [...]float64{math.Ldexp(1, -settled), math.Ldexp(1, -drawn), math.Ldexp(1, -squares)}
	d.gather(block, result)
	e := &d.edges
	for _, i := range e.some {
		x := e.flow[i] / from
		s.settled[i] += int64(float64(e.flow[i]*scales[0]) + 0.5)
		s.drawn[i] += int64(float64(float64(times*x)*scales[1]) + 0.5)
		s.squares[i] += int64(float64(float64(float64(times*x)*x)*scales[2]) + 0.5)
		e.flow[i] = 0
	}
	if !d.Lengths { // a path has one edge more than inner vertices
		s.lengths.add(from, times, result.Want[0]+result.FlowWant/from)
	}
}

// gather finds the flows of the vertices and the edges. An edge may have several numbers in the block.
func (d *drawn) gather(block *preprocess.Block, result *engine.Result) {
	e := &d.edges
	e.some = e.some[:0]
	add := func(i uint32, x float64) {
		if x != 0 && e.flow[i] == 0 {
			e.some = append(e.some, i)
		}
		e.flow[i] += x
	}
	if result.At == nil {
		for i, v := range d.local {
			add(uint32(i), result.Scores[v])
		}
	}
	for _, v := range result.At {
		for _, i := range d.placesOf(v) {
			add(i, result.Scores[v])
		}
	}
	edges, flows, at := block.EdgeScores(result)
	if at == nil {
		for i, x := range flows {
			add(e.place[edges[i]], x)
		}
	}
	for _, i := range at {
		add(e.place[edges[i]], flows[i])
	}
	block.EachShare(nil, result, func(edges []uint32, x float64) {
		for _, edge := range edges {
			add(e.place[edge], x)
		}
	})
}

// add adds a source. length is the sum of its targets' masses times their path lengths, rounded up,
// since waivers may leave a fraction.
func (l *lengths) add(from, draws, length float64) {
	length = math.Ceil(length)
	l.settled.plus(product(from, length, 1))
	l.drawn.plus(product(draws, length, 1))
	l.squares.plus(product(draws, length, length))
}

// product of three whole numbers, modulo 2^128.
func product(a, b, c float64) (w word) {
	w.high, w.low = bits.Mul64(uint64(a), uint64(b))
	high, low := bits.Mul64(w.low, uint64(c))
	return word{high + w.high*uint64(c), low}
}

// float64 is the rounded number.
func (w word) float64() float64 { return math.Ldexp(float64(w.high), 64) + float64(w.low) }

// addRounded adds values in units of 2^unit. The values are by vertex of the block; if at is not
// nil, all others are 0.
func (d *drawn) addRounded(sums []int64, values []float64, at []uint32, unit int) {
	scale := math.Ldexp(1, -unit)
	if at == nil {
		for i, v := range d.local {
			if x := values[v]; x != 0 {
				sums[i] += int64(float64(x*scale) + 0.5)
			}
		}
		return
	}
	for _, v := range at {
		if x := values[v]; x != 0 {
			for _, i := range d.placesOf(v) {
				sums[i] += int64(float64(x*scale) + 0.5)
			}
		}
	}
}

// placesOf returns the places in local that have a vertex of the block. The first call computes
// them for all.
func (d *drawn) placesOf(v uint32) []uint32 {
	if d.places == nil {
		d.first, d.places = csr.Group(d.local, int(slices.Max(d.local))+1)
	}
	if int(v)+1 >= len(d.first) {
		return nil // a virtual vertex has no place
	}
	return d.places[d.first[v]:d.first[v+1]]
}

// Sampled returns the vertices and the edges whose scores are estimated, ascending.
func (l *Ledger) Sampled() (vertices, edges []uint32) { return l.now.Sampled() }

// SetConfidence sets the confidence of the bounds that are made of the stages. It is called before
// the first result.
func (l *Ledger) SetConfidence(confidence float64) {
	if l.now.drawn != nil {
		l.now.drawn.Confidence = confidence
	}
	if l.now.paired != nil {
		l.now.paired.Confidence = confidence
	}
}

// DropStage drops the sums of a stage that is in the bounds and will not be saved.
func (l *Ledger) DropStage(number int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.drawn.stages[number] = nil
}

// Values are the values of the first column, as if all batches were done.
func (l *Ledger) Values() []float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.Sums(measures.Betweenness)
}

// Stage returns a finished stage in the units of package bound: shares of the largest x. Settled is
// of this stage alone.
func (l *Ledger) Stage(number int) bound.Stage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.drawn.stage(number)
}

// Ahead is the sum of Settled over all stages from number on, some of whose batches may be done;
// nil: there are none.
func (l *Ledger) Ahead(number int) []float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.drawn.ahead(number)
}

func (d *drawn) ahead(number int) (settled []float64) {
	for i := number; i < len(d.stages); i++ {
		if d.stages[i] == nil {
			continue
		}
		if settled == nil {
			settled = make([]float64, d.count())
		}
		for v, x := range d.stage(i).Settled {
			settled[v] += x
		}
	}
	return settled
}

func (d *drawn) stage(number int) bound.Stage {
	of, s := d.Stages[number], d.stages[number]
	if s == nil {
		s = newStage(d.count())
	}
	settled, drawn, squares := d.units(of)
	// Rounding may have lowered the squares by half a unit per batch. Adding it back keeps the
	// variance from being underestimated.
	slack := math.Ldexp(float64(of.End-of.First), squares-1) / d.To / d.To
	out := bound.Stage{
		Draws:   int64(of.Draws),
		Settled: scaled(s.settled, settled, d.From*d.To),
		Sum:     scaled(s.drawn, drawn, d.To),
		Squares: scaled(s.squares, squares, d.To*d.To),
	}
	for v, x := range out.Sum {
		if x > 0 {
			out.Squares[v] += slack
		}
	}
	if d.Lengths {
		out.Length = summed(out, d.Longest())
		return out
	}
	out.Length.Settled = s.lengths.settled.float64() / d.From / d.To
	out.Length.Sum = s.lengths.drawn.float64() / d.To
	out.Length.Squares = s.lengths.squares.float64() / d.To / d.To
	return out
}

// summed is the lengths of paths where arcs have lengths: the inner vertices of a path are counted
// by the sums of all vertices, and its edges by theirs. The squares are at most those with every source at 0 or at the
// longest.
func summed(s bound.Stage, longest float64) (l bound.Length) {
	for v, x := range s.Sum {
		l.Sum += x
		l.Settled += s.Settled[v]
	}
	l.Squares = longest * l.Sum
	return l
}

func scaled(sums []int64, unit int, over float64) []float64 {
	scale := math.Ldexp(1, unit) / over
	values := make([]float64, len(sums))
	for v, x := range sums {
		values[v] = float64(x) * scale
	}
	return values
}
