package ledger

import "bcstage/internal/engine"

// place is a column of a block.
type place struct{ column, block int }

// addInside adds flows over the shortcuts of a block. Each has many vertices inside, which settleInside adds them to. The sums
// are those of each result by itself, to the bit. The caller holds the lock.
func (l *Ledger) addInside(at place, of *engine.Result) {
	b := &l.plan.Blocks[at.block]
	if !b.HasFlows() || b.Flows.Inside == nil {
		return
	}
	flows := l.inside[at]
	if flows == nil {
		flows = newSumsOf(b.Flows.Count(), l.now.columns[at.column].sums.fraction)
		l.inside[at] = flows
	}
	if of.FlowsAt == nil {
		for i, x := range of.Flows {
			flows.add(uint32(i), x)
		}
	}
	for _, i := range of.FlowsAt {
		flows.add(i, of.Flows[i])
	}
}

// settleInside adds the flows to the columns. The caller holds the lock.
func (l *Ledger) settleInside() {
	for at, flows := range l.inside {
		words := l.now.columns[at.column].sums.words
		l.plan.Blocks[at.block].EachInside(func(number int, vertices []uint32) {
			for _, v := range vertices {
				words[v].plus(flows.words[number])
			}
		})
	}
	clear(l.inside)
}
