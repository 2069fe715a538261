package distances

// kernels are the inner loops. Each works on a run of a list, so that the caller
// may look at its context in between.
type kernels struct {
	name string
	// push adds the rows of frontier[from:to] to those of their neighbours in next,
	// less what these have seen, and lists in coming the neighbours that are new.
	push func(s *state, from, to int)
	// settle counts the rows in next of coming[from:to], and adds them to seen.
	settle func(s *state, from, to int)
	// pull adds up here over the neighbours of open[from:to], until what is missing is
	// there; settles and lists in coming those that something meets; and moves
	// those that are still not met by all to open[kept:], whose new end it returns.
	pull func(s *state, from, to, kept int) int
}

// portable is the set of all processors and the twin of every other.
func portable() kernels { return kernels{"go", pushGo, settleGo, pullGo} }

func pushGo(s *state, from, to int) {
	for _, u := range s.frontier[from:to] {
		here := &s.here[u]
		for _, v := range s.graph.Neighbours(u) {
			seen, next := &s.seen[v], &s.next[v]
			fresh := uint64(0)
			for i, word := range here {
				word &^= seen[i]
				next[i] |= word
				fresh |= word
			}
			if fresh != 0 && !s.listed[v] {
				s.listed[v] = true
				s.coming = append(s.coming, v)
			}
		}
	}
}

func settleGo(s *state, from, to int) {
	for _, v := range s.coming[from:to] {
		s.listed[v] = false
		next, seen := &s.next[v], &s.seen[v]
		for i, word := range next {
			seen[i] |= word
		}
		s.count(v, next.size())
	}
}

func pullGo(s *state, from, to, kept int) int {
	for _, v := range s.open[from:to] {
		seen := &s.seen[v]
		var missing, met row
		left := uint64(0)
		for i, word := range s.all {
			missing[i] = word &^ seen[i]
			left |= missing[i]
		}
		if left == 0 {
			continue
		}
		for _, u := range s.graph.Neighbours(v) {
			here := &s.here[u]
			left = 0
			for i, word := range here {
				met[i] |= word
				left |= missing[i] &^ met[i]
			}
			if left == 0 {
				break
			}
		}
		fresh := uint64(0)
		for i := range met {
			met[i] &= missing[i]
			seen[i] |= met[i]
			fresh |= met[i]
		}
		if fresh != 0 {
			s.next[v] = met
			s.coming = append(s.coming, v)
			s.count(v, met.size())
		}
		if left != 0 {
			s.open[kept] = v
			kept++
		}
	}
	return kept
}
