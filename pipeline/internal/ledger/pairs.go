package ledger

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"bcstage/arrowio/tables"
	"bcstage/internal/bound"
	"bcstage/internal/building"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/csr"
	"bcstage/internal/draws"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
)

// paired is the ledger's state of a block whose pairs are drawn.
//
// A partial stores it in the columns
//
//	sampled     int64   1 and the place in the counts of the block of the vertex or edge, which twins share; 0: it is of another block
//	unseen      int64   what is known of pairs of twins that have it between them: the bits of a float64, in ordered pairs
//	inner:J     int64   of stage J, counted from 0: drawn paths that the vertex, or one of its twins, is inside of, or the edge on
//
// and in metadata: "pairs", the block and the stages as JSON, and "confidence". Partials of one plan have equal sampled
// and unseen, and their stages add up.
type paired struct {
	*draws.Paired
	Confidence float64
	vertices   []uint32 // vertices of the graph in the block, ascending
	edges      []uint32 // edges of the graph in the block, ascending, for a question about edges
	local      []uint32 // the places of vertices, then of edges, in the counts
	unseen     []float64
	stages     []*pairStage
	sums       []float64 // of the stage asked for last: memory for the next
}

// pairStage holds the counts of a stage.
type pairStage struct {
	Draws           int64  // of the whole stage
	Done            []Span // finished draws, ascending, never adjacent
	Length, Squares int64  // inner vertices of the paths, and the sum of the squares per path
	inner           []int64
}

// Span is the draws First..End-1 of a stage.
type Span struct{ First, End int64 }

func newPaired(plan *preprocess.Plan, threads int) *paired {
	d := &paired{Paired: plan.Paired}
	block := &plan.Blocks[d.Block]
	d.vertices, d.local = block.Members(threads)
	if plan.Question.Edges {
		edges, places := block.CountedEdges()
		d.edges, d.local = edges, slices.Concat(d.local, places)
	}
	d.unseen = make([]float64, len(d.local))
	block.Unseen(func(vertex uint32, value float64) {
		i, _ := slices.BinarySearch(d.vertices, vertex)
		d.unseen[i] += value
	})
	block.UnseenEdges(func(edge uint32, value float64) {
		i, _ := slices.BinarySearch(d.edges, edge)
		d.unseen[len(d.vertices)+i] += value
	})
	return d
}

// left lists the unfinished draws of first..end-1.
func (s *pairStage) left(first, end int64) (list []Span) {
	for _, done := range s.Done {
		if done.End <= first || done.First >= end {
			continue
		}
		if first < done.First {
			list = append(list, Span{first, done.First})
		}
		first = done.End
	}
	if first < end {
		list = append(list, Span{first, end})
	}
	return list
}

// add adds finished draws, and reports whether all were new.
func (s *pairStage) add(spans ...Span) bool {
	all := slices.Concat(s.Done, spans)
	sort.Slice(all, func(i, j int) bool { return all[i].First < all[j].First })
	joined := all[:0]
	for _, x := range all {
		last := len(joined) - 1
		switch {
		case last >= 0 && x.First < joined[last].End:
			return false
		case last >= 0 && x.First == joined[last].End:
			joined[last].End = x.End
		default:
			joined = append(joined, x)
		}
	}
	s.Done = joined
	return true
}

func (s *pairStage) complete() bool { return len(s.left(0, s.Draws)) == 0 }

// drawn is the number of draws that count, in all stages.
func (d *paired) drawn() (count int64) {
	if d == nil {
		return 0
	}
	for _, s := range d.stages {
		for _, x := range s.Done {
			count += x.End - x.First
		}
	}
	return count
}

// stage returns a finished stage in the units of package bound. It is valid until the next call.
func (d *paired) stage(number, threads int) bound.Stage {
	s := d.stages[number]
	d.sums = slices.Grow(d.sums[:0], len(s.inner))[:len(s.inner)]
	parallel.SpreadWhole(threads, len(s.inner), parallel.Interval, func(lo, hi int) {
		for v, count := range s.inner[lo:hi] {
			d.sums[lo+v] = float64(count)
		}
	})
	return bound.Stage{Draws: s.Draws, Left: 1, Sum: d.sums, Squares: d.sums, Length: bound.Length{Sum: float64(s.Length), Squares: float64(s.Squares)}}
}

// Pairs is the number of draws in a stage of pairs; 0: the stage has not begun, and none follows.
func (l *Ledger) Pairs(number int) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if number >= len(l.now.paired.stages) {
		return 0
	}
	return l.now.paired.stages[number].Draws
}

// BeginPairs begins the next stage, of so many draws.
func (l *Ledger) BeginPairs(draws int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.paired.stages = append(l.now.paired.stages, &pairStage{Draws: draws})
}

// PairsTodo lists a shard's draws of a stage that do not count yet. Part i of N has the draws from i/N to (i+1)/N.
func (l *Ledger) PairsTodo(number int, shard Shard) (list []Span) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.now.paired.stages[number]
	if shard.Whole() {
		return s.left(0, s.Draws)
	}
	cut := func(part int) int64 {
		of, rest := s.Draws/int64(shard.Of), s.Draws%int64(shard.Of)
		return of*int64(part) + min(rest, int64(part))
	}
	for _, part := range slices.Sorted(slices.Values(shard.Mine)) {
		list = append(list, s.left(cut(part), cut(part+1))...)
	}
	return list
}

// EnterPairs adds draws of a stage, and keeps their counts.
func (l *Ledger) EnterPairs(number int, done Span, c pairs.Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.now.paired.stages[number]
	s.add(done)
	s.plus(c.Inner, c.Length, c.Squares)
	l.now.Engines = union(l.now.Engines, []string{"cpu"})
}

func (s *pairStage) plus(inner []int64, length, squares int64) {
	s.Length += length
	s.Squares += squares
	if s.inner == nil {
		s.inner = inner
		return
	}
	for v, count := range inner {
		s.inner[v] += count
	}
}

// DropPairs drops the counts of a stage that is in the bounds and will not be saved. It returns their memory.
func (l *Ledger) DropPairs(number int) (inner []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	inner, l.now.paired.stages[number].inner = l.now.paired.stages[number].inner, nil
	return inner
}

// clone returns a copy that shares nothing that changes.
func (d *paired) clone() *paired {
	if d == nil {
		return nil
	}
	c := *d
	c.stages, c.sums = slices.Clone(d.stages), nil
	for i, s := range c.stages {
		same := *s
		same.Done, same.inner = slices.Clone(s.Done), slices.Clone(s.inner)
		c.stages[i] = &same
	}
	return &c
}

// pairsText is the metadata form of the block and its stages.
type pairsText struct {
	*draws.Paired
	Stages []*pairStage
}

// lay adds the columns and metadata to a table of n vertices, then of edges.
func (d *paired) lay(table *tables.Table, n int) {
	column := laySample(table, "pairs", pairsText{d.Paired, d.stages}, d.Confidence, rowsOf(d.vertices, d.edges, n))
	column("sampled", func(i int) int64 { return 1 + int64(d.local[i]) })
	column("unseen", func(i int) int64 { return int64(math.Float64bits(d.unseen[i])) })
	for number, s := range d.stages {
		if s.inner != nil {
			column("inner:"+strconv.Itoa(number), func(i int) int64 { return s.inner[d.local[i]] })
		}
	}
}

// fillPaired reads the columns that lay made, of n vertices and then of edges, for a plan of so many batches.
func fillPaired(fields map[string]string, table *tables.Table, n, batches int) (*paired, error) {
	text, there := fields["pairs"]
	if !there {
		return nil, nil
	}
	about := pairsText{Paired: &draws.Paired{}}
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		return nil, fmt.Errorf("metadata: pairs: %w", err)
	}
	d := &paired{Paired: about.Paired, stages: about.Stages}
	if err := d.check(batches); err != nil {
		return nil, fmt.Errorf("metadata: pairs: %w", err)
	}
	var err error
	if d.Confidence, err = confidenceIn(fields); err != nil {
		return nil, err
	}
	rows := table.IDs.Len()
	sampled, unseen := table.Ints("sampled"), table.Ints("unseen")
	if len(sampled) != rows || len(unseen) != rows {
		return nil, fmt.Errorf("no columns sampled and unseen of %d rows", rows)
	}
	for row, number := range sampled {
		if number == 0 {
			continue
		}
		value := math.Float64frombits(uint64(unseen[row]))
		if number < 1 || number > int64(d.Counted()) || !(value >= 0 && value <= d.From*d.To) {
			return nil, fmt.Errorf("columns sampled and unseen: %d and %v at row %d", number, value, row)
		}
		if row < n {
			d.vertices = append(d.vertices, uint32(row))
		} else {
			d.edges = append(d.edges, uint32(row-n))
		}
		d.local, d.unseen = append(d.local, uint32(number-1)), append(d.unseen, value)
	}
	for number, s := range d.stages {
		if len(s.Done) == 0 {
			continue
		}
		values := table.Ints("inner:" + strconv.Itoa(number))
		if len(values) != rows {
			return nil, fmt.Errorf("no column inner:%d of %d rows", number, rows)
		}
		s.inner = make([]int64, d.Counted())
		for i, row := range rowsOf(d.vertices, d.edges, n) {
			if s.inner[d.local[i]] = values[row]; values[row] < 0 || values[row] > s.Draws {
				return nil, fmt.Errorf("column inner:%d: %d at row %d", number, values[row], row)
			}
		}
	}
	return d, nil
}

// check refuses values that no plan has.
func (d *paired) check(batches int) error {
	if d.First < 0 || d.End < d.First || d.End > batches || d.Vertices < 1 || d.Vertices > csr.MaxVertices ||
		!(d.From >= 1 && d.From <= building.MostMass) || !(d.To > 0 && d.To <= building.MostMass) || d.Edges < 0 || d.Edges > math.MaxInt32 || d.Longest < 0 || d.Longest > 2*d.Vertices || !(d.All >= 0) {
		return fmt.Errorf("%+v", *d.Paired)
	}
	for i, s := range d.stages {
		if s == nil || s.Draws < 1 || s.Length < 0 || s.Squares < 0 {
			return fmt.Errorf("stage %d", i)
		}
		end := int64(-1)
		for _, x := range s.Done {
			if x.First <= end || x.First < 0 || x.End <= x.First || x.End > s.Draws {
				return fmt.Errorf("stage %d has %v of %d draws", i, s.Done, s.Draws)
			}
			end = x.End
		}
	}
	return nil
}

// differs says why another's stages cannot be added.
func (d *paired) differs(other *paired) string {
	switch {
	case d == nil && other == nil:
		return ""
	case d == nil || other == nil:
		return "only one has pairs in stages"
	case *d.Paired != *other.Paired || !slices.Equal(d.vertices, other.vertices) || !slices.Equal(d.edges, other.edges) || !slices.Equal(d.local, other.local) || !slices.Equal(d.unseen, other.unseen):
		return "pairs drawn in another block"
	}
	for i := range min(len(d.stages), len(other.stages)) {
		if d.stages[i].Draws != other.stages[i].Draws {
			return otherSamples([]int{other.planned()}, []int{d.planned()})
		}
	}
	return ""
}

// planned is the number of draws of all stages.
func (d *paired) planned() (draws int) {
	for _, s := range d.stages {
		draws += int(s.Draws)
	}
	return draws
}

// join adds another part of the run, like drawn.join. The error names the stage if both contain the same draws.
func (d *paired) join(other *paired) error {
	d.Confidence = max(d.Confidence, other.Confidence)
	for i, s := range other.stages {
		if i == len(d.stages) {
			d.stages = append(d.stages, &pairStage{Draws: s.Draws})
		}
		if !d.stages[i].add(s.Done...) {
			return fmt.Errorf("pairs of stage %d are in two parts", i)
		}
		if s.inner == nil {
			continue
		}
		if d.stages[i].inner == nil {
			d.stages[i].inner = make([]int64, len(s.inner))
		}
		d.stages[i].plus(s.inner, s.Length, s.Squares)
	}
	return nil
}

// Paired returns the sampled block and the confidence of its bounds; nil: there is none.
func (p *Partial) Paired() (_ *draws.Paired, confidence float64) {
	if p.paired == nil {
		return nil, 0
	}
	return p.paired.Paired, p.paired.Confidence
}

// DrawnPairs is the number of pairs that count.
func (p *Partial) DrawnPairs() int64 { return p.paired.drawn() }

// CompletePairs counts the complete stages of pairs from the first on. All other blocks must be done. The error wraps
// ErrPartial and says what is missing for a stage.
func (p *Partial) CompletePairs() (count int, err error) {
	d := p.paired
	others := slices.Clone(p.Done)
	for i := d.First; i < d.End; i++ {
		others[i] = true
	}
	if err := (&Partial{Done: others, Shard: p.Shard}).Complete(); err != nil {
		return 0, err
	}
	for count < len(d.stages) && d.stages[count].complete() {
		count++
	}
	if count == 0 {
		return 0, fmt.Errorf("pipeline: %w: pairs of the first stage are missing%s", ErrPartial, p.Shard.others())
	}
	return count, nil
}

// Locals holds the vertices and edges whose scores are estimated from pairs, the places of their counts, which twins
// share, and the known parts of their scores beyond pairs: of vertices, then of edges.
type Locals struct {
	Vertices, Edges []uint32
	Local           []uint32
	Unseen          []float64 // ordered pairs
}

func (d *paired) locals() Locals { return Locals{d.vertices, d.edges, d.local, d.unseen} }

// Locals of the drawn pairs.
func (l *Ledger) Locals() Locals { return l.now.paired.locals() }

// Locals of the drawn pairs.
func (p *Partial) Locals() Locals { return p.paired.locals() }

// PairStage returns a finished stage of pairs.
func (l *Ledger) PairStage(number, threads int) bound.Stage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.paired.stage(number, threads)
}

// PairStage returns a finished stage of pairs, valid until the next call.
func (p *Partial) PairStage(number, threads int) bound.Stage { return p.paired.stage(number, threads) }
