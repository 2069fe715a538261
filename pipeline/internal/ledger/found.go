package ledger

import (
	"slices"

	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// What searches for distances find is kept by block, in the order of the block's vertices, until somebody
// asks for the sums. Numbers are whole, so that nothing is lost; and a batch's are added to others in the
// same order, not to each column as terms of vertices that lie anywhere in it, which took an eighth of the
// compute stage. By lengths, sums may pass 64 bits and inverse distances are rounded: these go to the columns
// at once.

// addFound adds what a result found in a block, by preprocess.Result.At. The caller holds the lock.
func (l *Ledger) addFound(block int, found []preprocess.Found, at []uint32) {
	switch {
	case l.plan.Blocks[block].HasLengths():
		l.addToColumns(block, found, at)
	case l.found[block] == nil:
		l.found[block] = append(l.spare[:0], found...)
		l.spare = l.spare[min(len(found), cap(l.spare)):]
	default:
		preprocess.AddFound(max(l.Threads, 1), l.found[block], found, at)
	}
}

// touchFound makes the memory that sums of blocks are kept in, if there is none yet.
func (l *Ledger) touchFound() {
	count := 0
	for i := range l.plan.Blocks {
		b := &l.plan.Blocks[i]
		if kind := b.Kind(); kind.Reach() && kind != preprocess.KindLengthReach {
			count += b.Vertices()
		}
	}
	spare := make([]preprocess.Found, count)
	clear(spare) // it is only now that the system gives it
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.found, func(f []preprocess.Found) bool { return f != nil }) && l.spare == nil {
		l.spare = spare
	}
}

// settleFound brings the columns up to date. The caller holds the lock.
func (l *Ledger) settleFound() {
	for block, found := range l.found {
		if found != nil {
			l.addToColumns(block, found, nil)
			l.found[block] = nil
		}
	}
}

// addToColumns is for the caller that holds the lock.
func (l *Ledger) addToColumns(block int, found []preprocess.Found, at []uint32) {
	b := &l.plan.Blocks[block]
	for i := range l.columns {
		if c := &l.columns[i]; c.Search == question.Distances && c.Outward() == b.Outward && b.Within(c.Cutoff) {
			b.EachFound(max(l.Threads, 1), found, at, c.addFound)
		}
	}
}
