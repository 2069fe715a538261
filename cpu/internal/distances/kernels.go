package distances

// kernels are the inner loops, over vertices, their neighbours and the words of a
// row. All sets give the same bits.
type kernels struct {
	name string
	// push adds the row in here of each listed vertex, without the sources that a neighbour has seen, to the
	// neighbour's row in next, and clears it. It appends to coming the neighbours that get new bits and are not
	// listed yet, and returns their number. coming has room for all of them and one more.
	push func(f *frame, list, coming []uint32) (fresh int)
	// settle adds the rows in next of the vertices of coming to seen, and counts their sources. The vertices
	// are then no longer listed.
	settle func(f *frame, coming []uint32)
	// pull adds to the rows of the listed vertices the sources that some neighbour has in before. It counts the
	// new sources, and stores the union of them and the vertex's row of before in seen. It lists vertices that
	// still miss a source in left, vertices with new sources in coming, and complete
	// vertices in closed. Each list has room for one more. It returns the lengths of the
	// first two. left may begin where list does, or earlier in the same memory.
	pull func(f *frame, list, left, coming, closed []uint32) (kept, fresh int)
}

// portable returns the set that runs on all processors, the twin of all others.
func portable() kernels { return kernels{"go", pushGo, settleGo, pullGo} }

func pushGo(f *frame, list, coming []uint32) (count int) {
	for _, v := range list {
		here := f.here[v]
		f.here[v] = row{}
		for _, u := range f.tips[f.heads[v]:f.heads[v+1]] {
			seen, next := &f.seen[u], &f.next[u]
			fresh := uint64(0)
			for i, word := range here {
				word &^= seen[i]
				next[i] |= word
				fresh |= word
			}
			if fresh != 0 && !f.listed[u] {
				f.listed[u] = true
				coming[count] = u
				count++
			}
		}
	}
	return count
}

func settleGo(f *frame, coming []uint32) {
	for _, v := range coming {
		f.listed[v] = false
		for i, word := range f.next[v] {
			f.seen[v][i] |= word
		}
		f.count(v, f.next[v].size())
	}
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
