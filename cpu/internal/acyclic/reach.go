package acyclic

import (
	"context"
	"math/bits"
	"slices"
)

// reach lists the vertices that any of the sources reaches, in topological order: by
// number or, if arcs descend, by number in reverse. Beyond the cutoff it lists only the
// nearest vertices, which then have no distance in any lane. It follows arcs level by level
// as long as they reach few vertices or the cutoff limits them, and then in topological order,
// which makes the list itself, unless lookAhead has found its vertices. The sources are a group that begins at Sources[begin].
// The only error is the context's.
func (s *Search) reach(ctx context.Context, begin int, sources []uint32) error {
	list, marked := s.list[:cap(s.list)], s.marked
	count := 0
	for _, v := range sources {
		list[count] = v
		count += unmarked(marked, v)
	}
	few := len(list) // up to so many vertices, arcs are followed level by level
	if s.deepest >= len(s.offsets)-1 {
		few = len(marked) / fewWords
	}
	least, most := slices.Min(sources), slices.Max(sources)
	head := 0
	for depth := 0; head < count && count <= few && depth < s.deepest; depth++ {
		for level := count; head < level; head++ {
			if head%checkEvery == 0 && ctx.Err() != nil {
				clear(marked)
				return ctx.Err()
			}
			first, end := s.offsets[list[head]], s.offsets[list[head]+1]
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
	if words := int(most/64 - least/64); count <= few && count < words/fewWords {
		s.list = list[:count]
		slices.Sort(s.list)
		for _, v := range s.list {
			s.touched[v/64] |= marked[v/64]
			marked[v/64] = 0
		}
		if s.descends {
			slices.Reverse(s.list)
		}
	} else {
		follow := count > few
		if follow {
			group, err := s.lookAhead(ctx, begin, begin+len(sources))
			if err != nil {
				clear(marked)
				return err
			}
			if follow = group < 0; follow && s.knots != nil {
				// Back arcs lead to words that have been passed. So all vertices are listed.
				for v := range len(s.offsets) - 1 {
					marked[v/64] |= 1 << (v % 64)
				}
				follow, least, most = false, 0, uint32(len(s.offsets)-2)
			} else if !follow {
				for i := range marked {
					marked[i] = s.ahead.words[i*64+group]
				}
				least, most = 0, uint32(len(s.offsets)-2)
			}
		}
		if err := s.listMarked(ctx, least/64, most/64, follow); err != nil {
			return err
		}
	}
	s.work.FrontierEntries += int64(len(s.list))
	return nil
}

// listMarked lists the marked vertices, which are in these words of marks, in topological order, and removes the
// marks. If it follows arcs it also lists the vertices that these reach.
func (s *Search) listMarked(ctx context.Context, least, most uint32, follow bool) error {
	list, marked, offsets, targets := s.list[:cap(s.list)], s.marked, s.offsets, s.targets
	count, arcs, word, last, step := 0, 0, int(least), int(most), 1
	if s.descends {
		word, last, step = last, word, -1
	}
	for ; word != last+step; word += step {
		if word%(checkEvery/64) == 0 && ctx.Err() != nil {
			clear(marked)
			return ctx.Err()
		}
		if !follow && !s.descends {
			for left := marked[word]; left != 0; left &= left - 1 {
				list[count] = uint32(word*64 + bits.TrailingZeros64(left))
				count++
			}
		} else if !follow {
			for left := marked[word]; left != 0; left &^= 1 << (bits.Len64(left) - 1) {
				list[count] = uint32(word*64 + bits.Len64(left) - 1)
				count++
			}
		}
		listed := uint64(0)
		for left := marked[word]; follow && left != 0; left = marked[word] &^ listed {
			bit := bits.TrailingZeros64(left)
			if s.descends {
				bit = bits.Len64(left) - 1
			}
			listed |= 1 << bit
			v := uint32(word*64 + bit)
			list[count] = v
			count++
			row := targets[offsets[v]:offsets[v+1]]
			for _, y := range row {
				marked[y/64] |= 1 << (y % 64)
			}
			if arcs += len(row); len(row) == 0 {
				continue
			} else if s.descends { // targets ascend
				last = min(last, int(row[0]/64))
			} else {
				last = max(last, int(row[len(row)-1]/64))
			}
		}
		s.touched[word] |= marked[word]
		marked[word] = 0
	}
	s.list = list[:count]
	if follow {
		s.ahead.followed = int64(count + arcs)
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
