package preprocess

import (
	"context"
	"slices"
)

// dropCliques is the step "cliques": no vertex lies between two others.
func (r *reducer) dropCliques(context.Context, []int64) error {
	r.outlines = slices.DeleteFunc(r.outlines, outline.clique)
	return nil
}

// settleCycles is the step "cycles".
func (r *reducer) settleCycles(_ context.Context, closed []int64) error {
	r.outlines = slices.DeleteFunc(r.outlines, func(e outline) bool {
		if e.cycle() {
			round, weight := r.copier.goRound(e.block)
			cycle(weight, func(i int, value int64) { closed[r.core.vertex[round[i]]] += value })
		}
		return e.cycle()
	})
	return nil
}

// cycle calls add with what each vertex of a cycle, in their order around it,
// gets from the block that they form: ordered pairs, exact, in linear time.
//
// Let there be k vertices. v lies on the way forward from v-i to v+j, i and j
// at least 1, if i+j <= k/2: then that way is not longer than the way back. If
// it is as long, half of the shortest paths go that way. In ordered pairs
// every pair counts twice, but once when i+j is exactly k/2; hence, with
//
//	A(v, r) = sum over i, j >= 1, i+j <= r of w(v-i) * w(v+j)
//
// v gets A(v, ceil(k/2)-1) + A(v, floor(k/2)), a whole number. A(v+1, r)
// follows from A(v, r): the pairs that end in v+1 go, those that begin in v come.
func cycle(weight []uint32, add func(i int, value int64)) {
	k := len(weight)
	prefix := make([]int64, k+1)
	for i, w := range weight {
		prefix[i+1] = prefix[i] + int64(w)
	}
	// below is the sum of the weights of the places before i, -k <= i <= 2k.
	below := func(i int) int64 {
		switch {
		case i < 0:
			return prefix[i+k] - prefix[k]
		case i > k:
			return prefix[i-k] + prefix[k]
		}
		return prefix[i]
	}
	for _, r := range [2]int{(k+1)/2 - 1, k / 2} {
		var a int64
		for i := 1; i < r; i++ {
			a += int64(weight[k-i]) * (below(r-i+1) - below(1))
		}
		for v, w := range weight {
			add(v, a)
			a -= int64(weight[(v+1)%k]) * (below(v) - below(v+1-r))
			a += int64(w) * (below(v+r+1) - below(v+2))
		}
	}
}

// goRound goes around a block that is a cycle, the head first, and gives the
// vertices and their weights.
func (k *copier) goRound(block uint32) (round, weight []uint32) {
	head, members := k.head[block], k.members[k.first[block]:k.first[block+1]]
	round = append(make([]uint32, 0, len(members)+1), head)
	weight = append(make([]uint32, 0, len(members)+1), k.headWeight(block))
	// The search met the head's neighbours first.
	for last, v := head, members[0]; v != head; {
		round = append(round, v)
		weight = append(weight, k.beyond[v])
		for _, u := range k.graph.Neighbours(v) {
			if u != last && (u == head || k.of[u] == block) {
				last, v = v, u
				break
			}
		}
	}
	return round, weight
}
