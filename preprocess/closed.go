package preprocess

import (
	"context"
	"slices"
	"unsafe"
)

// dropCliques is the step "cliques": no vertex lies between two others.
func (r *reducer) dropCliques(context.Context, []int64) error {
	r.outlines = slices.DeleteFunc(r.outlines, outline.clique)
	return nil
}

// settleCycles is the step "cycles".
func (r *reducer) settleCycles(_ context.Context, closed []int64) error {
	r.outlines = slices.DeleteFunc(r.outlines, func(e outline) bool {
		if !e.cycle() {
			return false
		}
		round, weight := r.copier.goRound(e.block)
		from, to := weight, weight
		if r.plan.Blocks != nil {
			from, to = r.copier.massesOf(&r.plan.Blocks[e.place], round)
		}
		values := cycle(from, to)
		for i, value := range values {
			closed[r.core.vertex[round[i]]] += value
		}
		return values != nil
	})
	return nil
}

// cycle gives what each vertex of a cycle, in their order around it, gets from the
// block that they form: ordered pairs, exact, in linear time. It is nil if one of
// these is no whole number, which two masses may have them be.
//
// Let there be k vertices. v lies on the way forward from v-i to v+j, i and j
// at least 1, if i+j <= k/2: then that way is not longer than the way back. If
// it is as long, half of the shortest paths go that way. Every pair counts both
// ways, but half of each when i+j is exactly k/2; hence, with
//
//	A(v, r) = sum over i, j >= 1, i+j <= r of from(v-i) * to(v+j) + to(v-i) * from(v+j)
//
// v gets (A(v, ceil(k/2)-1) + A(v, floor(k/2)))/2, with one mass a whole number.
func cycle(from, to []uint32) []int64 {
	k := len(from)
	values := make([]int64, k)
	for _, r := range [2]int{(k+1)/2 - 1, k / 2} {
		forward(from, to, r, values)
		if unsafe.SliceData(from) != unsafe.SliceData(to) {
			forward(to, from, r, values)
		}
	}
	if unsafe.SliceData(from) == unsafe.SliceData(to) {
		return values
	}
	for v := range values {
		if values[v]%2 != 0 {
			return nil
		}
		values[v] /= 2
	}
	return values
}

// forward adds, for every vertex v of a cycle, the sum over i, j >= 1, i+j <= r, of
// first(v-i) * second(v+j). That for v+1 follows from that for v: the pairs that end
// in v+1 go, those that begin in v come.
func forward(first, second []uint32, r int, values []int64) {
	k := len(first)
	before, behind := sumsAround(first), sumsAround(second)
	var a int64
	for i := 1; i < r; i++ {
		a += int64(first[k-i]) * (behind(r-i+1) - behind(1))
	}
	for v := range values {
		values[v] += a
		a -= int64(second[(v+1)%k]) * (before(v) - before(v+1-r))
		a += int64(first[v]) * (behind(v+r+1) - behind(v+2))
	}
}

// sumsAround gives the sum of the weights of the places before i, -k <= i <= 2k, of k
// around a cycle.
func sumsAround(weight []uint32) func(i int) int64 {
	k := len(weight)
	prefix := make([]int64, k+1)
	for i, w := range weight {
		prefix[i+1] = prefix[i] + int64(w)
	}
	return func(i int) int64 {
		switch {
		case i < 0:
			return prefix[i+k] - prefix[k]
		case i > k:
			return prefix[i-k] + prefix[k]
		}
		return prefix[i]
	}
}

// massesOf are those of a block's core vertices, the head first.
func (k *copier) massesOf(b *Block, round []uint32) (from, to []uint32) {
	for i, v := range round {
		local := k.local[v]
		if i == 0 {
			local = 0
		}
		from, to = append(from, uint32(b.From[local])), append(to, uint32(b.To[local]))
	}
	return from, to
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
