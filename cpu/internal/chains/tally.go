package chains

// tally sums over all roots of a batch: dependencies, and, for
// vertices inside chains, the mass that reaches them from either end. That mass gives
// the dependencies on the vertices between.
type tally struct {
	score []float64    // by junction: dependency on the junction
	chain []chainTally // by chain
	slot  []slotTally  // by slot
}

// chainTally has sums that are equal for all vertices inside a chain.
type chainTally struct {
	come    [2]float64 // mass that reaches all of them from the first end, from the second
	through float64    // dependency on them, of targets beyond the chain
}

// slotTally has sums for one position, and for the positions before or after it.
type slotTally struct {
	until float64    // mass that reaches this position and all before it, from the first end
	after float64    // mass that reaches all positions after it, from the second end
	come  [2]float64 // mass that reaches this position alone, from the first end, from the second
	score float64    // dependency on the position, beside the one that masses give
}

func newTally(k *skeleton) tally {
	return tally{
		score: make([]float64, len(k.Junctions)),
		chain: make([]chainTally, len(k.Ends)),
		slot:  make([]slotTally, len(k.upTo)),
	}
}

func (t *tally) clear() {
	clear(t.score)
	clear(t.chain)
	clear(t.slot)
}

// slots returns the slots of chain e by position.
func (t *tally) slots(k *skeleton, e uint32) []slotTally {
	lo, hi := k.slot[e], k.slot[e+1]
	return t.slot[lo:hi:hi]
}

// sum writes the scores by local vertex. The mass that reaches a
// position from one end, times the position's weight, is dependency on every position
// before it.
func (t *tally) sum(k *skeleton, scores []float64) {
	for j, v := range k.Junctions {
		scores[v] = t.score[j]
	}
	for _, e := range k.hollow {
		all, slots, upTo := t.chain[e], t.slots(k, e), k.weights(e)
		mass, flow := all.come[0], all.through
		for i := len(slots) - 1; i > 0; i-- {
			mass += slots[i].until
			slots[i].score += flow
			flow += (mass + slots[i].come[0]) * (upTo[i] - upTo[i-1])
		}
		mass, flow = all.come[1], 0
		inner := k.Inner[k.First[e]:k.First[e+1]]
		for i := 1; i < len(slots); i++ {
			mass += slots[i-1].after
			scores[inner[i-1]] = slots[i].score + flow
			flow += (mass + slots[i].come[1]) * (upTo[i] - upTo[i-1])
		}
	}
}
