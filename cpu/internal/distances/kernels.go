package distances

// kernels are the inner loops, over the neighbours of one vertex or the words of a
// row. All sets give the same bits.
type kernels struct {
	name string
	// push adds the row here, less what they have seen, to the rows of the targets in
	// next, lists those that get some and are not listed yet in coming, which has
	// room for them and one more, and returns how many these are.
	push func(here *row, targets []uint32, seen, next []row, listed []bool, coming []uint32) int
	// settle adds next to seen, and returns how many sources next has.
	settle func(seen, next *row) int
	// pull has the listed vertices met by the sources that had met some neighbour before, and
	// counts these: a row of seen becomes that of before and them. Vertices that some source
	// has not met then are listed in left, those that some has met now in coming and those that
	// all have met in closed, which have room for one more than they get; it returns how
	// many the first two are. The first may begin where list does, or earlier in the same memory.
	pull func(f *frame, list, left, coming, closed []uint32) (kept, fresh int)
}

// portable is the set of all processors and the twin of every other.
func portable() kernels { return kernels{"go", pushGo, settleGo, pullGo} }

func pushGo(here *row, targets []uint32, seen, next []row, listed []bool, coming []uint32) (count int) {
	for _, v := range targets {
		seen, next := &seen[v], &next[v]
		fresh := uint64(0)
		for i, word := range here {
			word &^= seen[i]
			next[i] |= word
			fresh |= word
		}
		if fresh != 0 && !listed[v] {
			listed[v] = true
			coming[count] = v
			count++
		}
	}
	return count
}

func settleGo(seen, next *row) int {
	for i, word := range next {
		seen[i] |= word
	}
	return next.size()
}

func pullGo(f *frame, list, left, coming, closed []uint32) (kept, fresh int) {
	for i, v := range list {
		had := &f.before[v]
		var missing, met row
		for j, word := range f.all {
			missing[j] = word &^ had[j]
		}
		arcs := f.targets[f.offsets[v]:f.offsets[v+1]]
		for _, u := range arcs {
			rest := uint64(0)
			for j, word := range &f.before[u] {
				met[j] |= word
				rest |= missing[j] &^ met[j]
			}
			if rest == 0 {
				break
			}
		}
		for j := range met {
			met[j] &= missing[j]
			f.seen[v][j] = had[j] | met[j]
		}
		if some := met.size(); some > 0 {
			f.count(v, some)
			f.edges += uint64(len(arcs))
			coming[fresh] = v
			fresh++
		}
		if met != missing {
			f.left += uint64(len(arcs))
			left[kept] = v
			kept++
		} else {
			closed[i-kept] = v
		}
	}
	return kept, fresh
}
