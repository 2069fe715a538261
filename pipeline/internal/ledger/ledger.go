// Package ledger keeps the books of a run: the batches that count, by which means they were computed, and the exact
// sums of their results. It checks results and defines partials; package sharing decides who computes.
//
//	New                  books of a plan, empty or gone on from a Partial
//	Ledger.Enter         counts an engine's result, or sets its batches aside
//	Ledger.Aside         those, for the means that come next
//	Ledger.Snapshot      a Partial: what counts so far
//	Partial.Table, Read  as it is written and read
//	Partial.Add          joins those of shards
//
// Whether and how a batch counts depends on that batch alone, and sums are exact: the bits are the same for any number
// of threads, any shards, and any interruptions.
package ledger

import (
	"context"
	"math"
	"os"
	"slices"
	"sync"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess"
)

// Means of computing a batch. A batch counts by the first of these that passes the self-check. It does not matter who
// computed it, in which order results came, or what else the run computed:
//
//	a device       what it hands on
//	ByCore         lanes, in the run's precision
//	ByFloat64      lanes, where that was float32
//	ByExtended     path counts of unbounded range, one source at a time
//
// A shortcut may skip only a means that is certain to fail.
type Means int

const (
	ByCore Means = iota
	ByFloat64
	ByExtended
	countOfMeans
)

// Aside is a batch that engines have finished with and that does not count yet.
type Aside struct {
	engine.Batch
	Tried bool // by some engine of the run
}

// Settings of a Ledger change no result. They are set before the first result, then read only.
type Settings struct {
	// Patience is the least number of a block's batches that must overflow before its other batches are expected to.
	Patience int
	// Threads is the largest number of goroutines that add up one result; 0: one.
	Threads int
	// Seen is called with every trusted result of an engine that reports sources separately, never twice at once.
	Seen func(covered []engine.Batch, got []float64)
}

// Ledger holds the books of one run.
type Ledger struct {
	plan *preprocess.Plan // read only

	Settings

	mu         sync.Mutex            // guards the fields below
	now        Partial               // what counts so far; sums of columns are without found
	found      [][]engine.Found      // by block: sums of distance searches that are not in columns yet; nil: none
	spare      []engine.Found        // unused memory for found
	inside     map[place]*sums       // by number: flows over shortcuts that are not in columns yet
	aside      [countOfMeans][]Aside // by the next means
	trusted    []bool                // by block: some result passed its check
	overflowed map[int]int           // by block: batches whose path counts exceeded the range
}

// New opens the ledger of a plan. It takes over the batches of resumed and the memory of room; each may be nil. room is
// NewRoom of the plan's question and graph. Lists of vertices are made by so many threads.
func New(plan *preprocess.Plan, names Names, precision engine.Precision, shard Shard, resumed *Partial, room *Room, threads int) *Ledger {
	const patience = 8
	l := &Ledger{
		plan:       plan,
		Settings:   Settings{Patience: patience},
		found:      make([][]engine.Found, len(plan.Blocks)),
		inside:     make(map[place]*sums),
		trusted:    make([]bool, len(plan.Blocks)),
		overflowed: make(map[int]int),
	}
	l.now = Partial{
		Identity: IdentityOf(plan, precision), Shard: shard, Done: make([]bool, len(plan.Batches)), Names: names,
		Asked: plan.Question.Measures, facts: factsOf(plan), ends: plan.EdgeEnds, threads: threads,
	}
	now := &l.now
	if room != nil {
		l.spare = room.found
	}
	if plan.Drawn != nil {
		now.drawn = newDrawn(plan, threads)
	}
	if plan.Paired != nil {
		now.paired = newPaired(plan, threads)
	}
	if resumed == nil {
		now.columns = columnsOf(plan, room)
		return l
	}
	copy(now.Done, resumed.Done)
	now.Shard, now.columns, now.Check, now.Engines = shard.with(resumed.Shard), resumed.columns, resumed.Check, resumed.Engines
	if now.drawn != nil && resumed.drawn != nil {
		now.drawn.stages = resumed.drawn.stages
	}
	if now.paired != nil && resumed.paired != nil {
		now.paired.stages = resumed.paired.stages
	}
	return l
}

// Touch writes to all memory of the sums without changing them. The system provides a page at its first write, which
// takes longer than to add a result there; while devices compute the first results, nobody waits for it. Touch ends
// with the context.
func (l *Ledger) Touch(ctx context.Context) {
	l.touchFound()
	for i := range l.now.columns {
		words := l.now.columns[i].sums.words
		for some := range slices.Chunk(words, 1<<16) { // results do not wait for the whole
			if ctx.Err() != nil {
				return
			}
			l.mu.Lock()
			for at := 0; at < len(some); at += os.Getpagesize() / wordBytes {
				some[at].plus(word{})
			}
			l.mu.Unlock()
		}
	}
}

// Todo lists the batches of a shard that do not count yet, in the plan's order.
func (l *Ledger) Todo(shard Shard) (todo []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, index := range shard.Batches(l.plan) {
		if !l.now.Done[index] {
			todo = append(todo, index)
		}
	}
	return todo
}

// Enter counts an engine's result if its self-check holds (see Difference). Otherwise it sets the batches aside: a
// core's for the next means, a device's for a core. hopeless reports that a block seems to overflow everywhere: its
// other batches should be set aside untried.
func (l *Ledger) Enter(name string, device bool, covered []engine.Batch, result engine.Result, difference float64) (hopeless bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.now.Engines, name) {
		l.now.Engines = union(l.now.Engines, []string{name})
	}
	block := result.Batch.Block
	if !(difference <= l.now.Identity.Precision.Tolerance()) {
		next := ByCore
		if !device {
			next = l.after(ByCore)
		}
		l.setAside(next, true, covered...)
		return (math.IsNaN(difference) || math.IsInf(difference, 0)) && l.hopeless(block, len(covered))
	}
	l.trusted[block] = true
	l.count(covered, result, difference)
	if l.Seen != nil && !result.Together {
		l.Seen(covered, result.Got)
	}
	return false
}

// after returns the means that follow when a batch has failed.
func (l *Ledger) after(m Means) Means {
	if m == ByCore && l.now.Identity.Precision == engine.Float32 {
		return ByFloat64
	}
	return ByExtended
}

// hopeless counts batches of a block whose path counts exceeded the range. It reports whether that is so for all of the
// first sixteenth of the block. The caller holds the lock.
func (l *Ledger) hopeless(block, batches int) bool {
	const share = 16
	l.overflowed[block] += batches
	b := &l.plan.Blocks[block]
	return !l.trusted[block] && l.overflowed[block] >= max(l.Patience, len(b.Sources)/b.Lanes/share)
}

// SetAside leaves untried batches to a core.
func (l *Ledger) SetAside(batches []engine.Batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setAside(ByCore, false, batches...)
}

// setAside is SetAside for any means. The caller holds the lock.
func (l *Ledger) setAside(by Means, tried bool, batches ...engine.Batch) {
	for _, batch := range batches {
		l.aside[by] = append(l.aside[by], Aside{batch, tried})
	}
}

// Aside takes out the batches for some means, after the engines have ended. Each batch comes back by Settle or by Pass.
func (l *Ledger) Aside(by Means) []Aside {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.aside[by]
	l.aside[by] = nil
	return list
}

// Pass moves a batch to the next means, since this one failed or is certain to.
func (l *Ledger) Pass(by Means, batch engine.Batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setAside(l.after(by), true, batch)
}

// Settle counts a batch that was set aside.
func (l *Ledger) Settle(aside Aside, result engine.Result, difference float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if aside.Tried {
		l.now.Check.Recomputed++
	}
	l.count([]engine.Batch{aside.Batch}, result, difference)
}

// count adds a trusted result of batches. The caller holds the lock.
func (l *Ledger) count(batches []engine.Batch, result engine.Result, difference float64) {
	for _, batch := range batches {
		l.now.Done[batch.Index] = true
		l.now.Check.Sources += batch.Count
	}
	l.now.Check.LargestRelative = max(l.now.Check.LargestRelative, difference)
	block := &l.plan.Blocks[batches[0].Block]
	if result.Found != nil {
		l.addFound(batches[0].Block, result.Found, result.At)
		return
	}
	for i := range l.now.columns {
		c := &l.now.columns[i]
		switch {
		case !block.Within(c.Cutoff):
		case c.Name == measures.Betweenness:
			block.EachOn(max(l.Threads, 1), batches, result.Scores, result.At, c.sums.addRows)
			l.addInside(place{i, batches[0].Block}, &result)
			block.EachHanging(batches, &result, c.sums.add)
		case c.Search == measures.Reached:
			block.EachAccess(batches, result.Access, c.addAccess)
		case c.Per == measures.PerEdge:
			edges, scores, at := block.EdgeScores(&result)
			c.sums.addAllOn(max(l.Threads, 1), edges, scores, at)
			block.EachShare(batches, &result, c.sums.addEach)
		}
	}
	if l.now.drawn != nil && batches[0].Block == l.now.drawn.Block {
		l.now.drawn.add(l.plan, batches, result)
	}
}

// Check returns the self-check so far.
func (l *Ledger) Check() SelfCheck {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.Check
}

// Counted is the number of batches and pairs that count so far.
func (l *Ledger) Counted() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now.Counted()
}

// Snapshot returns a partial of the batches so far. It shares nothing with the running sums.
func (l *Ledger) Snapshot() *Partial {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleFound()
	l.settleInside()
	p := l.now
	p.Done = slices.Clone(p.Done)
	p.columns = slices.Clone(p.columns)
	for i, c := range p.columns {
		p.columns[i].sums = &sums{fraction: c.sums.fraction, words: slices.Clone(c.sums.words)}
	}
	p.drawn, p.paired = p.drawn.clone(), p.paired.clone()
	return &p
}

// Close returns the final partial: the ledger must not be used any more.
func (l *Ledger) Close() *Partial {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleFound()
	l.settleInside()
	p := l.now // without the memory of the ledger
	return &p
}
