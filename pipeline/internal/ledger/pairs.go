package ledger

import (
	"fmt"
	"slices"
	"sort"

	"bcstage/internal/bound"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/draws"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
)

// paired is the ledger's state of a block whose pairs are drawn.
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
