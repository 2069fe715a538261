package acyclic

import (
	"context"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
)

// ahead knows which vertices the sources of 64 consecutive groups reach. One sweep over the arcs finds that for all of
// them, a bit per group. To follow the arcs of each group alone takes longer where groups reach much of the block.
type ahead struct {
	begins   []int    // of the groups, in Sources, and the end of the last one
	asked    int      // how many of them were searched
	followed int64    // vertices and arcs of the last group whose arcs were followed instead
	words    []uint64 // by 64 vertices and group: a bit per vertex
}

// lookAhead returns the number of the group Sources[begin:end] among those looked at, or -1. It looks at the group and
// those of 32 batches if that takes less time, by the share of groups searched last time, than to follow the
// arcs of each. Batches may come in any order. The only error is the context's.
func (s *Search) lookAhead(ctx context.Context, begin, end int) (group int, err error) {
	const wide = 64
	a, b := &s.ahead, s.block
	find := func() bool {
		at, found := slices.BinarySearch(a.begins, begin)
		group = at
		return found && at+1 < len(a.begins) && a.begins[at+1] == end
	}
	if !find() {
		groups := min(wide, (len(b.Sources)+lanes-1)/lanes)
		if last := len(a.begins) - 1; last > 0 {
			groups = groups * a.asked / last
		}
		if int64(groups)*a.followed < int64(len(s.offsets)+len(s.targets)) {
			return -1, nil
		}
		a.begins, a.asked = a.begins[:0], 0
		a.words = pages.Cleared(a.words, (len(s.offsets)+wide-1)/wide*wide)
		i := b.BatchOf(begin) &^ (wide/2 - 1)
		at, last := b.BatchBounds(i)
		begins := append(a.begins, at)
		for at < len(b.Sources) && len(begins) <= wide {
			if at == last {
				i++
				_, last = b.BatchBounds(i)
			}
			next := min(at+lanes, last)
			for _, v := range b.Sources[at:next] {
				a.words[v] |= 1 << (len(begins) - 1)
			}
			begins, at = append(begins, next), next
		}
		n := len(s.offsets) - 1
		for i := range n {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			v := i
			if s.descends {
				v = n - 1 - i
			}
			groups := a.words[v]
			if first, end := s.knotFrom(v); first < end {
				for _, of := range a.words[first:end] {
					groups |= of
				}
				for x := first; x < end; x++ {
					a.words[x] = groups
				}
			}
			for _, y := range s.targets[s.offsets[v]:s.offsets[v+1]] {
				a.words[y] |= groups
			}
		}
		for at := 0; at < len(a.words); at += wide {
			if at%checkEvery == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			engine.Transpose((*[wide]uint64)(a.words[at:]))
		}
		if a.begins = begins; !find() { // another cut
			return -1, nil
		}
	}
	a.asked++
	return group, nil
}
