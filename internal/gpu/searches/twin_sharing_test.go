package searches

import "fmt"

// sharingTwins are the twins of arcs.cl, workload.cl, hierarchical.cl and
// hybrid.cl.
func sharingTwins(t *twin, call any) bool {
	switch c := call.(type) {
	case arcsStep:
		for _, e := range t.of("List")[:uint32(t.sizes("Sizes")[c.At])] {
			if v := t.of("Adj")[e]; t.along(t.origin(e), e) {
				to := t.append(v, none)
				for e := t.of("Ptr")[v]; e < t.of("Ptr")[v+1]; e++ {
					t.of("Next")[to] = e
					to++
				}
			}
		}
	case workloadStep:
		from, size := t.of("Places")[c.Which], t.sizes("Counts")[c.Which]
		t.owned(from, uint32(size>>32), uint32(size), c.Skip, func(u, e uint32) {
			if t.along(u, e) {
				t.append(t.of("Adj")[e], none)
			}
		})
	case workloadBack:
		t.owned(c.From, c.Count, c.Arcs, c.Skip, func(u, e uint32) { t.share(u, e, c.Level) })
	case partExpand:
		rest := &t.sizes("Rest")[0]
		for _, v := range t.of("Entries")[c.First : c.First+c.Count] {
			left := t.of("Ptr")[v+1] - t.of("Ptr")[v] - c.Skip
			for k := range min(left, c.Most) {
				t.of("List")[uint32(*rest)] = t.of("Ptr")[v] + c.Skip + k
				*rest++
			}
			if left > c.Most {
				t.of("More")[*rest>>32] = v
				*rest += 1 << 32
			}
		}
	case partRest:
		rest := &t.sizes("Rest")[0]
		for i, v := range t.of("Entries")[:c.Count] {
			t.of("Begins")[i] = uint32(*rest)
			*rest += 1<<32 | uint64(t.of("Ptr")[v+1]-t.of("Ptr")[v]-c.Skip)
		}
	case edgeList:
		for e := range c.Arcs {
			if u := t.of("Tails")[e]; t.atHand(u) && t.along(u, e) {
				t.append(t.of("Adj")[e], none)
			}
		}
	default:
		return false
	}
	return true
}

// origin returns the vertex that arc e leaves, where that matters.
func (t *twin) origin(e uint32) uint32 {
	if t.problem == "BFS" {
		return 0
	}
	return t.of("Origins")[e]
}

// owned calls do for the arcs of some entries, except the first `skip` of each,
// and checks their places in Begins.
func (t *twin) owned(from, count, arcs, skip uint32, do func(u, e uint32)) {
	at := uint32(0)
	for j := from; j < from+count; j++ {
		u := t.of("Entries")[j]
		if t.of("Begins")[j] != at {
			panic(fmt.Sprintf("the arcs of entry %d begin at %d, not %d", j, t.of("Begins")[j], at))
		}
		for e := t.of("Ptr")[u] + skip; e < t.of("Ptr")[u+1]; e++ {
			do(u, e)
			at++
		}
	}
	if at != arcs {
		panic(fmt.Sprintf("%d arcs, not %d", at, arcs))
	}
}
