package gpu

import "slices"

// levelsTwin is kernels/levels.cl in Go, without WARP: what one launch does, in
// an order that a device might take. Sums are added up in the kernels' order.
type levelsTwin[R real] struct{ words, teams int }

func (l levelsTwin[R]) lanes() int { return l.words * team }

func some(m []uint32) bool { return slices.ContainsFunc(m, func(x uint32) bool { return x != 0 }) }

// pull is for all lanes at once.
func (l levelsTwin[R]) pull(first, last, part, parts int, adj, masks, need []uint32, values []R, met []uint32, sum []R) {
	for e := first + part; e < last; e += parts {
		u := int(adj[e])
		for lane := range l.lanes() {
			k, bit := lane/team, uint32(1)<<(lane%team)
			if masks[u*l.words+k]&need[k]&bit != 0 {
				met[k] |= bit
				sum[lane] += values[u*l.lanes()+lane]
			}
		}
	}
}

// pullAll is pull by one team, or by all teams of a work-group for a vertex of
// many edges.
func (l levelsTwin[R]) pullAll(v, most int, ptr, adj, masks, need []uint32, values []R) ([]uint32, []R) {
	met, sum := make([]uint32, l.words), make([]R, l.lanes())
	first, last := int(ptr[v]), int(ptr[v+1])
	if last-first <= most {
		l.pull(first, last, 0, 1, adj, masks, need, values, met, sum)
		return met, sum
	}
	for part := range l.teams {
		partMet, partSum := make([]uint32, l.words), make([]R, l.lanes())
		l.pull(first, last, part, l.teams, adj, masks, need, values, partMet, partSum)
		for k := range met {
			met[k] |= partMet[k]
		}
		for lane := range sum {
			sum[lane] += partSum[lane]
		}
	}
	return met, sum
}

func (l levelsTwin[R]) clear(n, packs int, counts, frontier, seen []uint32) {
	for i := range packs * n {
		for k := range l.words {
			used := max(int(counts[i/n])-k*team, 0)
			frontier[i*l.words+k], seen[i*l.words+k] = 0, 0
			if used < team {
				seen[i*l.words+k] = ^uint32(0) << used
			}
		}
	}
}

func (l levelsTwin[R]) seed(n, packs int, source, frontier, seen []uint32, paths []R, found []uint32) {
	for i := range packs * l.lanes() {
		if source[i] == noLane {
			continue
		}
		pack, lane := i/l.lanes(), i%l.lanes()
		row := pack*n + int(source[i])
		frontier[row*l.words+lane/team] |= 1 << (lane % team)
		seen[row*l.words+lane/team] |= 1 << (lane % team)
		paths[row*l.lanes()+lane] = 1
		found[pack]++
		found[packs]++
	}
}

func (l levelsTwin[R]) forward(n, packs, level, hubs, most, span int, ptr, adj, hub []uint32, owner []byte, multiplicity []float64,
	frontier, seen, reached []uint32, paths []R, found []uint32) {
	size := packs * n * l.words
	for pack := range packs {
		if found[level*(packs+1)+pack] == 0 {
			continue
		}
		base := pack * n
		now, next := frontier[level*size+base*l.words:], frontier[(level+1)*size+base*l.words:]
		rows := paths[base*l.lanes():]
		for v := range n {
			need := make([]uint32, l.words)
			for k := range need {
				need[k] = ^seen[(base+v)*l.words+k]
			}
			met, sum := l.pullAll(v, most, ptr, adj, now, need, rows)
			for lane, x := range sum {
				if met[lane/team]>>(lane%team)&1 != 0 {
					rows[v*l.lanes()+lane] = x * R(multiplicity[v])
				}
			}
			for k := range need {
				next[v*l.words+k] = met[k]
				reached[(base+v)*l.words+k] = ^need[k] | met[k]
			}
			if some(met) {
				found[(level+1)*(packs+1)+pack]++
				found[(level+1)*(packs+1)+packs]++
			}
		}
	}
}

func (l levelsTwin[R]) backward(n, packs, level, lastLevel, hubs, most, span int, ptr, adj, hub []uint32, owner []byte, weight, multiplicity []float64,
	frontier []uint32, paths, shares []R, found []uint32) {
	if found[lastLevel*(packs+1)+packs] != 0 {
		return
	}
	size := packs * n * l.words
	for pack := range packs {
		if found[level*(packs+1)+pack] == 0 {
			continue
		}
		base := pack * n
		here, beyond := frontier[level*size+base*l.words:], frontier[(level+1)*size+base*l.words:]
		for v := range n {
			have := here[v*l.words : (v+1)*l.words]
			if !some(have) {
				continue
			}
			sum := make([]R, l.lanes())
			if found[(level+1)*(packs+1)+pack] != 0 {
				_, sum = l.pullAll(v, most, ptr, adj, beyond, have, shares[base*l.lanes():])
			}
			for lane, x := range sum {
				if have[lane/team]>>(lane%team)&1 != 0 {
					settle(&paths[(base+v)*l.lanes()+lane], &shares[(base+v)*l.lanes()+lane], x, R(weight[v]), R(multiplicity[v]))
				}
			}
		}
	}
}

// settle turns a path count into a dependency and its share.
func settle[R real](paths, shares *R, sum, weight, times R) {
	s := *paths
	if !(s >= 1) {
		panic("a vertex that was reached has no shortest path")
	}
	d := R(s * sum)
	*shares = R(R(weight+d)*times) / s
	*paths = d
}
