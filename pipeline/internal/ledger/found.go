package ledger

import (
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
)

// Results of distance searches are kept by block, in the order of the block's vertices, until the sums are
// needed. They are whole numbers, so nothing is lost. A batch's results are added in the order of memory: to
// add them to each column, at vertices scattered over it, took an eighth of the compute stage. By lengths, sums
// may exceed 64 bits and inverse distances are rounded: these are added to the columns at once.

// addFound adds a result of a block, by engine.Result.At. The caller holds the lock.
func (l *Ledger) addFound(block int, found []engine.Found, at []uint32) {
	switch {
	case l.plan.Blocks[block].HasLengths():
		l.addToColumns(block, found, at)
	case l.found[block] == nil:
		l.found[block] = append(l.spare[:0], found...)
		l.spare = l.spare[min(len(found), cap(l.spare)):]
	default:
		engine.AddFound(max(l.Threads, 1), l.found[block], found, at)
	}
}

// touchFound allocates the memory of the blocks' sums, if there is none yet.
func (l *Ledger) touchFound() {
	count := 0
	for i := range l.plan.Blocks {
		b := &l.plan.Blocks[i]
		if kind := b.Kind(); kind.Reach() && kind != engine.KindLengthReach {
			count += b.Vertices()
		}
	}
	spare := make([]engine.Found, count)
	clear(spare) // makes the system provide the pages now
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.found, func(f []engine.Found) bool { return f != nil }) && l.spare == nil {
		l.spare = spare
	}
}

// settleFound adds the blocks' sums to the columns. The caller holds the lock.
func (l *Ledger) settleFound() {
	for block, found := range l.found {
		if found != nil {
			l.addToColumns(block, found, nil)
			l.found[block] = nil
		}
	}
}

// addToColumns adds results of a block to the columns. The caller holds the lock.
func (l *Ledger) addToColumns(block int, found []engine.Found, at []uint32) {
	b := &l.plan.Blocks[block]
	for i := range l.now.columns {
		if c := &l.now.columns[i]; c.Search == measures.Distances && (c.Outward() == b.Outward || !b.Directed()) && b.Within(c.Cutoff) {
			b.EachFound(max(l.Threads, 1), found, at, c.addFound)
		}
	}
}
