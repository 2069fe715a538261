package streets

// tally gathers what all roots of a batch find: dependencies, and of the
// vertices inside chains the mass that comes to them from either end, which
// depends on those between.
type tally struct {
	score []float64    // by junction: dependency on the junction
	chain []chainTally // by chain
	slot  []slotTally  // by slot
}

// chainTally concerns all vertices inside a chain alike.
type chainTally struct {
	come    [2]float64 // mass that comes to all of them from the first end, from the second
	through float64    // dependency on them, of targets beyond the chain
}

// slotTally concerns one position, and those before or after it.
type slotTally struct {
	until float64    // mass that comes to this position and those before it, from the first end
	after float64    // mass that comes to those after it, from the second end
	come  [2]float64 // mass that comes to this position alone, from the first end, from the second
	score float64    // dependency on the position, but for what the masses say
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

// slots by position of chain e.
func (t *tally) slots(k *skeleton, e uint32) []slotTally {
	lo, hi := k.slot[e], k.slot[e+1]
	return t.slot[lo:hi:hi]
}

// sum writes the scores by local vertex. What comes to a
// position from one end, times its weight, is dependency on every position on
// the way.
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
