package acyclic

import (
	"context"
	"math/bits"
	"slices"
)

// reach lists the vertices that any of the sources reaches, in topological order: by
// number or, if arcs descend, by number in reverse. Beyond the cutoff it lists only the
// nearest vertices, which then have no distance in any lane. The only error is the
// context's.
func (s *Search) reach(ctx context.Context, sources []uint32) error {
	list, marked := s.list[:cap(s.list)], s.marked
	count, arcs := 0, int64(0)
	for _, v := range sources {
		list[count] = v
		count += unmarked(marked, v)
	}
	least, most := slices.Min(sources), slices.Max(sources)
	for head, depth := 0, 0; head < count && depth < s.deepest; depth++ {
		for level := count; head < level; head++ {
			if head%checkEvery == 0 && ctx.Err() != nil {
				for _, v := range list[:count] {
					marked[v/64] = 0
				}
				return ctx.Err()
			}
			first, end := s.offsets[list[head]], s.offsets[list[head]+1]
			arcs += end - first
			for _, y := range s.targets[first:end] {
				// No branch, which would be mispredicted. The list has room
				// for one vertex more than the block.
				list[count] = y
				count += unmarked(marked, y)
			}
			if first < end { // targets ascend
				least, most = min(least, s.targets[first]), max(most, s.targets[end-1])
			}
		}
	}
	s.list = list[:count]
	s.work.FrontierEntries += int64(count)
	s.work.RowLoads += 2 * arcs
	if words := int(most/64 - least/64); count < words/fewWords {
		slices.Sort(s.list)
		for _, v := range s.list {
			marked[v/64] = 0
		}
	} else {
		at := 0
		for word := least / 64; word <= most/64; word++ {
			for left := marked[word]; left != 0; left &= left - 1 {
				list[at] = word*64 + uint32(bits.TrailingZeros64(left))
				at++
			}
			marked[word] = 0
		}
	}
	if s.descends {
		slices.Reverse(s.list)
	}
	return nil
}

const (
	// checkEvery is the number of vertices between two looks at the context.
	checkEvery = 1 << 14
	// fewWords: if at most one in so many words of marks has a vertex, sorting takes less time
	// than a scan of all words.
	fewWords = 32
)

// unmarked marks a vertex. It returns 1 if the vertex was not marked, else 0.
func unmarked(marked []uint64, v uint32) int {
	word := &marked[v/64]
	old := *word
	*word = old | 1<<(v%64)
	return 1 - int(old>>(v%64)&1)
}
