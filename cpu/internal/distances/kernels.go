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
	// pull adds up the rows here of the targets, until they have what is missing in
	// seen of all; writes that to next if it is anything, adds it to seen, and
	// returns how many sources it is, and whether some are still missing. It may
	// look at more targets than it has to.
	pull func(seen, all *row, targets []uint32, here []row, next *row) (fresh int, left bool)
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

func pullGo(seen, all *row, targets []uint32, here []row, next *row) (fresh int, left bool) {
	var missing, met row
	for i, word := range all {
		missing[i] = word &^ seen[i]
	}
	for _, u := range targets {
		rest := uint64(0)
		for i, word := range &here[u] {
			met[i] |= word
			rest |= missing[i] &^ met[i]
		}
		if rest == 0 {
			break
		}
	}
	for i := range met {
		met[i] &= missing[i]
	}
	if fresh = met.size(); fresh > 0 {
		for i, word := range met {
			seen[i] |= word
		}
		*next = met
	}
	return fresh, met != missing
}
