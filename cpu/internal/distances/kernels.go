package distances

// kernels are the inner loops, over the neighbours of one vertex or the words of a
// row. All sets give the same bits.
type kernels struct {
	name string
	// push adds the row here, without the sources that a target has seen, to the row of each target in
	// next. It appends to coming the targets that get new bits and are not listed yet, and returns their
	// number. coming has room for all of them and one more.
	push func(here *row, targets []uint32, seen, next []row, listed []bool, coming []uint32) int
	// settle adds next to seen, and returns the number of sources in next.
	settle func(seen, next *row) int
	// pull adds to the rows of the listed vertices the sources that some neighbour has in before. It counts the
	// new sources, and stores the union of them and the vertex's row of before in seen. It lists vertices that
	// still miss a source in left, vertices with new sources in coming, and complete
	// vertices in closed. Each list has room for one more. It returns the lengths of the
	// first two. left may begin where list does, or earlier in the same memory.
	pull func(f *frame, list, left, coming, closed []uint32) (kept, fresh int)
}

// portable returns the set that runs on all processors, the twin of all others.
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
