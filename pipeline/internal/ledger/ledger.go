// Package ledger keeps the books of a run: which batches count, by which means,
// and the exact sums of what they found. It decides what a result is worth and
// what a partial holds; who computes what is package sharing's affair.
//
//	New                  books of a plan, empty or gone on from a Partial
//	Ledger.Enter         counts an engine's result, or sets its batches aside
//	Ledger.Aside         those, for the means that come next
//	Ledger.Snapshot      a Partial: what counts so far
//	Partial.Table, Read  as it is written and read
//	Partial.Add          joins those of shards
//
// Whether and how a batch counts follows from that batch alone, and sums are
// exact: the same bits come out for any number of threads, any shards, and any
// interruptions.
package ledger

import (
	"context"
	"math"
	"os"
	"slices"
	"sync"

	"bcstage/internal/engine"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Means of computing a batch. It counts by the first of these that passes the
// self-check, not by who had it, nor by what came back before it, nor by the
// other batches of its run:
//
//	a device       what it hands on
//	ByCore         lanes, in the run's precision
//	ByFloat64      lanes, where that was float32
//	ByExtended     path counts of unbounded range, one source at a time
//
// Shortcuts may only leave out what is certain to fail.
type Means int

const (
	ByCore Means = iota
	ByFloat64
	ByExtended
	countOfMeans
)

// Aside is a batch that engines are through with, and that does not count yet.
type Aside struct {
	preprocess.Batch
	Tried bool // by some engine of the run
}

// Settings of a Ledger change no result. They are set before the first one, then read only.
type Settings struct {
	// Patience is how many batches of a block must have overflowed, at least, before
	// its others are expected to.
	Patience int
	// Threads is how many goroutines add up one result, at most; 0: one.
	Threads int
	// Seen is called with every trusted result of an engine that tells its sources
	// apart, never twice at once.
	Seen func(covered []preprocess.Batch, got []float64)
}

// Ledger is the books of one run.
type Ledger struct {
	plan      *preprocess.Plan // read only
	precision engine.Precision // read only
	shard     Shard            // with that of the partial that is resumed; read only
	names     Names            // read only
	facts     []fact           // read only
	ends      [2][]uint32      // of edges; read only

	Settings

	mu         sync.Mutex            // guards what follows
	done       []bool                // by batch: is in the sums
	columns    []column              // their sums, but for what is in found; the rest is read only
	found      [][]preprocess.Found  // by block: sums of what searches for distances found that are not in columns; nil: none
	spare      []preprocess.Found    // memory for more of found
	drawn      *drawn                // of sources that are drawn; nil: there are none
	paired     *paired               // of pairs that are drawn; nil: there are none
	check      SelfCheck             // of what is in the sums
	engines    []string              // that had results, ascending
	aside      [countOfMeans][]Aside // by the means that come next
	trusted    []bool                // by block: some result can be
	overflowed map[int]int           // by block: batches whose path counts passed the range
}

// New is for the batches of a plan, of which those of resumed, which may be nil,
// count already. It takes resumed over, and the room, which may be nil: NewRoom of the plan's question and graph.
func New(plan *preprocess.Plan, names Names, precision engine.Precision, shard Shard, resumed *Partial, room *Room) *Ledger {
	const patience = 8
	l := &Ledger{
		plan:       plan,
		precision:  precision,
		shard:      shard,
		names:      names,
		facts:      factsOf(plan),
		ends:       plan.EdgeEnds,
		Settings:   Settings{Patience: patience},
		done:       make([]bool, len(plan.Batches)),
		found:      make([][]preprocess.Found, len(plan.Blocks)),
		trusted:    make([]bool, len(plan.Blocks)),
		overflowed: make(map[int]int),
	}
	if room != nil {
		l.spare = room.found
	}
	if plan.Drawn != nil {
		l.drawn = newDrawn(plan)
	}
	if plan.Paired != nil {
		l.paired = newPaired(plan)
	}
	if resumed == nil {
		l.columns = columnsOf(plan, room)
		return l
	}
	l.shard = shard.with(resumed.Shard)
	copy(l.done, resumed.Done)
	l.columns = resumed.columns
	if l.drawn != nil && resumed.drawn != nil {
		l.drawn.stages = resumed.drawn.stages
	}
	if l.paired != nil && resumed.paired != nil {
		l.paired.stages = resumed.paired.stages
	}
	l.check = resumed.Check
	l.engines = resumed.Engines
	return l
}

// Touch writes to all memory of the sums, which changes none. The system has pages only once they are written to, and takes
// longer to find one than a result takes to be added up there; while devices are busy with the first, nobody waits for that.
// It ends with the context.
func (l *Ledger) Touch(ctx context.Context) {
	l.touchFound()
	for i := range l.columns {
		words := l.columns[i].sums.words
		for some := range slices.Chunk(words, 1<<16) { // results do not wait for all of it
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
		if !l.done[index] {
			todo = append(todo, index)
		}
	}
	return todo
}

// Enter counts an engine's result if its self-check, see Difference, holds, and
// sets its batches aside otherwise: a core's for the means after its own, a
// device's for a core. When a block seems to overflow everywhere, it says so:
// its other batches are better set aside than tried.
func (l *Ledger) Enter(name string, device bool, covered []preprocess.Batch, result preprocess.Result, difference float64) (hopeless bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.engines, name) {
		l.engines = union(l.engines, []string{name})
	}
	block := result.Batch.Block
	if !(difference <= l.precision.Tolerance()) {
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

// after is the means that come next when a batch has failed.
func (l *Ledger) after(m Means) Means {
	if m == ByCore && l.precision == engine.Float32 {
		return ByFloat64
	}
	return ByExtended
}

// hopeless counts batches of a block whose path counts passed the range, and says
// whether the first sixteenth of the block has done nothing else. The caller holds
// the lock.
func (l *Ledger) hopeless(block, batches int) bool {
	const share = 16
	l.overflowed[block] += batches
	b := &l.plan.Blocks[block]
	return !l.trusted[block] && l.overflowed[block] >= max(l.Patience, len(b.Sources)/b.Lanes/share)
}

// SetAside leaves batches that no engine has tried to a core.
func (l *Ledger) SetAside(batches []preprocess.Batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setAside(ByCore, false, batches...)
}

// setAside is for the caller that holds the lock.
func (l *Ledger) setAside(by Means, tried bool, batches ...preprocess.Batch) {
	for _, batch := range batches {
		l.aside[by] = append(l.aside[by], Aside{batch, tried})
	}
}

// Aside hands over what is to be computed by some means, after the engines have
// ended. Each batch comes back by Settle or by Pass.
func (l *Ledger) Aside(by Means) []Aside {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.aside[by]
	l.aside[by] = nil
	return list
}

// Pass hands a batch on that a means did not help, or is certain not to.
func (l *Ledger) Pass(by Means, batch preprocess.Batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.setAside(l.after(by), true, batch)
}

// Settle counts a batch that was set aside.
func (l *Ledger) Settle(aside Aside, result preprocess.Result, difference float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if aside.Tried {
		l.check.Recomputed++
	}
	l.count([]preprocess.Batch{aside.Batch}, result, difference)
}

// count adds the result of batches that can be trusted. The caller holds the lock.
func (l *Ledger) count(batches []preprocess.Batch, result preprocess.Result, difference float64) {
	for _, batch := range batches {
		l.done[batch.Index] = true
		l.check.Sources += batch.Count
	}
	l.check.LargestRelative = max(l.check.LargestRelative, difference)
	block := &l.plan.Blocks[batches[0].Block]
	if block.Kind().Reach() {
		l.addFound(batches[0].Block, result.Found, result.At)
		return
	}
	for i := range l.columns {
		c := &l.columns[i]
		switch {
		case !block.Within(c.Cutoff):
		case c.Name == question.Betweenness:
			block.EachOn(max(l.Threads, 1), batches, result.Scores, result.At, c.sums.addRows)
		case c.Search == question.Reached:
			block.EachAccess(batches, result.Access, c.addAccess)
		case c.Per == question.PerEdge:
			edges, scores, at := block.EdgeScores(&result)
			c.sums.addAllOn(max(l.Threads, 1), edges, scores, at)
			block.EachShare(batches, &result, c.sums.addEach)
		}
	}
	if l.drawn != nil && batches[0].Block == l.drawn.Block {
		l.drawn.add(l.plan, batches, result)
	}
}

// Check sums up the self-check so far.
func (l *Ledger) Check() SelfCheck {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.check
}

// Counted is how many batches and pairs count so far.
func (l *Ledger) Counted() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.partial().Counted()
}

// Snapshot is what counts so far. It shares nothing with the sums under way.
func (l *Ledger) Snapshot() *Partial {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleFound()
	p := l.partial()
	p.Done = slices.Clone(l.done)
	p.columns = slices.Clone(l.columns)
	for i, c := range p.columns {
		p.columns[i].sums = &sums{fraction: c.sums.fraction, words: slices.Clone(c.sums.words)}
	}
	p.drawn, p.paired = p.drawn.clone(), p.paired.clone()
	return p
}

// Close is what counts in the end: the ledger must not be used any more.
func (l *Ledger) Close() *Partial {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleFound()
	return l.partial()
}

// partial shares its sums with the ledger. The caller holds the lock.
func (l *Ledger) partial() *Partial {
	return &Partial{
		Identity: IdentityOf(l.plan, l.precision),
		Shard:    l.shard,
		Done:     l.done,
		Names:    l.names,
		Check:    l.check,
		Engines:  l.engines,
		Asked:    l.plan.Question.Measures,
		facts:    l.facts,
		ends:     l.ends,
		columns:  l.columns,
		drawn:    l.drawn,
		paired:   l.paired,
	}
}
