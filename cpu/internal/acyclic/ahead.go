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

// lookAhead returns the number of the group Sources[begin:end], of a batch that ends at last, among those looked at. It
// looks at this group and those after it if that takes less time, by the groups searched of the last ones, than to follow
// the arcs of each; else it returns -1. The only error is the context's.
func (s *Search) lookAhead(ctx context.Context, begin, end, last int) (group int, err error) {
	const wide = 64
	a := &s.ahead
	group, found := slices.BinarySearch(a.begins, begin)
	if found = found && group+1 < len(a.begins) && a.begins[group+1] == end; !found {
		if int64(a.asked)*a.followed < int64(len(s.offsets)+len(s.targets)) {
			return -1, nil
		}
		a.begins, a.asked = a.begins[:0], 0
		a.words = pages.Cleared(a.words, (len(s.offsets)+wide-1)/wide*wide)
		group = 0
		begins := append(a.begins, begin)
		for sources := s.block.Sources; begin < len(sources) && len(begins) <= wide; begin = end {
			if begin == last {
				last = s.block.BatchAfter(last)
			}
			end = min(begin+lanes, last)
			for _, v := range sources[begin:end] {
				a.words[v] |= 1 << (len(begins) - 1)
			}
			begins = append(begins, end)
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
			for _, y := range s.targets[s.offsets[v]:s.offsets[v+1]] {
				a.words[y] |= groups
			}
		}
		for at := 0; at < len(a.words); at += wide {
			engine.Transpose((*[wide]uint64)(a.words[at:]))
		}
		a.begins = begins
	}
	a.asked++
	return group, nil
}
