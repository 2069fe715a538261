package gpu

import (
	"slices"
	"unsafe"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/survey"
)

// levelsTwin is kernels/levels.cl and levels_tally.cl in Go, without WARP, by launch, in an order
// that a device might take. Sums are added up in the kernels' order.
type levelsTwin[R real, N real | uint32, T sums] struct {
	words, teams int
	linear       bool
	shares       int
}

func levelsTwins(p simProgram, _ [2]int, call any) bool {
	switch {
	case p.float32:
		return levelsTwin[float32, float32, float32]{p.words, p.teams, p.linear, p.shares}.run(call)
	case p.narrow:
		return levelsTwin[float64, uint32, uint64]{p.words, p.teams, p.linear, p.shares}.run(call)
	}
	return levelsTwin[float64, float64, float64]{p.words, p.teams, p.linear, p.shares}.run(call)
}

func (l levelsTwin[R, N, T]) run(call any) bool {
	switch c := call.(type) {
	case methods.LevelsClear:
		l.clear(c)
	case methods.LevelsSeed:
		l.seed(c)
	case methods.LevelsFirst:
		l.first(c)
	case methods.LevelsForward:
		l.forward(c)
	case methods.LevelsBackward:
		l.backward(c)
	case methods.PatchesForward:
		l.forward(methods.LevelsForward{
			N: c.N, Packs: c.Packs, Level: c.Level, Most: survey.PatchEdges, Ptr: c.Ptr, Adj: c.Adj, Multiplicity: c.Multiplicity,
			Frontier: c.Frontier, Seen: c.Seen, Reached: c.Reached, Counts: c.Counts, Found: c.Found, Overflow: c.Overflow,
		})
	case methods.PatchesBackward:
		l.backward(methods.LevelsBackward{
			N: c.N, Packs: c.Packs, Level: c.Level, LastLevel: c.LastLevel, Most: survey.PatchEdges, Ptr: c.Ptr, Adj: c.Adj, TargetMass: c.TargetMass,
			Multiplicity: c.Multiplicity, Frontier: c.Frontier, Counts: c.Counts, Paths: c.Paths, Shares: c.Shares, Found: c.Found,
		})
	case methods.LevelsWaive:
		l.waive(c)
	case methods.LevelsTally:
		l.tally(c, 0)
	case methods.OverLevel:
		l.over(c)
	case methods.OverSources:
		l.overSources(c)
	case methods.OverArrive:
		l.arrive(c)
	case methods.LevelsSend:
		l.send(c)
	case methods.LevelsTallyDrawn:
		l.tally(methods.LevelsTally{
			N: c.N, Packs: c.Packs, LastLevel: c.LastLevel, Chunks: c.Chunks, TargetMass: c.TargetMass, Frontier: c.Frontier,
			Found: c.Found, Paths: c.Paths, SourceMass: c.SourceMass, Rows: c.Rows, Parts: c.Parts,
		}, c.Kind)
	default:
		return false
	}
	return true
}

func (l levelsTwin[R, N, T]) lanes() int { return l.words * driver.Team }

func some(m []uint32) bool { return slices.ContainsFunc(m, func(x uint32) bool { return x != 0 }) }

// puller adds up rows of V in S.
type puller[V real | uint32, S sums] struct{ words, teams int }

// pull does all lanes at once.
func (l puller[V, S]) pull(first, last, part, parts int, adj, masks, need []uint32, values []V, met []uint32, sum []S) {
	lanes := l.words * driver.Team
	lost := make([]S, lanes)
	for e := first + part; e < last; {
		piece := make([]S, lanes)
		for lane := range piece {
			piece[lane] = pieceFrom(sum[lane])
		}
		for i := 0; i < driver.Team && e < last; i, e = i+1, e+parts {
			u := int(adj[e])
			for lane := range lanes {
				k, bit := lane/driver.Team, uint32(1)<<(lane%driver.Team)
				if masks[u*l.words+k]&need[k]&bit != 0 {
					met[k] |= bit
					piece[lane] += S(values[u*lanes+lane])
				}
			}
		}
		for lane, x := range piece {
			gain(&sum[lane], &lost[lane], x)
		}
	}
}

// pullAll is pull by one team or, for a vertex of many edges, by all teams of a work-group.
func (l puller[V, S]) pullAll(v, most int, ptr, adj, masks, need []uint32, values []V) ([]uint32, []S) {
	met, sum := make([]uint32, l.words), make([]S, l.words*driver.Team)
	first, last := int(ptr[v]), int(ptr[v+1])
	if last-first <= most {
		l.pull(first, last, 0, 1, adj, masks, need, values, met, sum)
		return met, sum
	}
	for part := range l.teams {
		partMet, partSum := make([]uint32, l.words), make([]S, l.words*driver.Team)
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

func (l levelsTwin[R, N, T]) clear(c methods.LevelsClear) {
	used, frontier, seen := memory[uint32](c.Used), memory[uint32](c.Frontier), memory[uint32](c.Seen)
	n, packs := int(c.N), int(c.Packs)
	clear(memory[uint32](c.Found)[:int(c.Levels)*(packs+1)])
	memory[uint32](c.Overflow)[0] = 0
	clear(frontier[:2*packs*n*l.words])
	for i := range packs * n {
		for k := range l.words {
			lanes := max(int(used[i/n])-k*driver.Team, 0)
			seen[i*l.words+k] = 0
			if lanes < driver.Team {
				seen[i*l.words+k] = ^uint32(0) << lanes
			}
		}
	}
}

func (l levelsTwin[R, N, T]) seed(c methods.LevelsSeed) {
	source, frontier, seen := memory[uint32](c.Source), memory[uint32](c.Frontier), memory[uint32](c.Seen)
	counts, found := memory[N](c.Counts), memory[uint32](c.Found)
	n, packs := int(c.N), int(c.Packs)
	for i := range packs * l.lanes() {
		if source[i] == seating.NoLane {
			continue
		}
		pack, lane := i/l.lanes(), i%l.lanes()
		row := pack*n + int(source[i])
		frontier[row*l.words+lane/driver.Team] |= 1 << (lane % driver.Team)
		seen[row*l.words+lane/driver.Team] |= 1 << (lane % driver.Team)
		counts[row*l.lanes()+lane] = 1
		found[pack]++
		found[packs]++
	}
}

// first follows the arcs of the sources.
func (l levelsTwin[R, N, T]) first(c methods.LevelsFirst) {
	ptr, adj, multiplicity := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[float64](c.Multiplicity)
	source, frontier, seen := memory[uint32](c.Source), memory[uint32](c.Frontier), memory[uint32](c.Seen)
	counts, found := memory[N](c.Counts), memory[uint32](c.Found)
	n, packs := int(c.N), int(c.Packs)
	next := frontier[packs*n*l.words:]
	for i := range packs * l.lanes() {
		pack, lane := i/l.lanes(), i%l.lanes()
		if source[i] == seating.NoLane {
			continue
		}
		for _, v := range adj[ptr[source[i]]:ptr[source[i]+1]] {
			row := pack*n + int(v)
			mask := next[row*l.words : (row+1)*l.words]
			if !some(mask) {
				found[packs+1+pack]++
				found[packs+1+packs]++
			}
			mask[lane/driver.Team] |= 1 << (lane % driver.Team)
			seen[row*l.words+lane/driver.Team] |= 1 << (lane % driver.Team)
			counts[row*l.lanes()+lane] = N(multiplicity[v])
		}
	}
}

func (l levelsTwin[R, N, T]) forward(c methods.LevelsForward) {
	ptr, adj, multiplicity := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[float64](c.Multiplicity)
	frontier, seen, reached := memory[uint32](c.Frontier), memory[uint32](c.Seen), memory[uint32](c.Reached)
	counts, found := memory[N](c.Counts), memory[uint32](c.Found)
	n, packs, level := int(c.N), int(c.Packs), int(c.Level)
	size := packs * n * l.words
	for pack := range packs {
		if found[level*(packs+1)+pack] == 0 {
			continue
		}
		base := pack * n
		now, next := frontier[level*size+base*l.words:], frontier[(level+1)*size+base*l.words:]
		rows := counts[base*l.lanes():]
		for v := range n {
			need := make([]uint32, l.words)
			for k := range need {
				need[k] = ^seen[(base+v)*l.words+k]
			}
			met, sum := puller[N, T]{l.words, l.teams}.pullAll(v, int(c.Most), ptr, adj, now, need, rows)
			for lane, x := range sum {
				if met[lane/driver.Team]>>(lane%driver.Team)&1 != 0 {
					rows[v*l.lanes()+lane] = l.times(x, T(multiplicity[v]), c)
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

// times is a sum of counts times a multiplicity.
func (l levelsTwin[R, N, T]) times(sum, of T, c methods.LevelsForward) N {
	all := sum * of
	if unsafe.Sizeof(N(0)) < unsafe.Sizeof(T(0)) && (uint64(sum)|uint64(all))>>32 != 0 {
		memory[uint32](c.Overflow)[0] = 1
	}
	return N(divisor(l.shares, all))
}

func (l levelsTwin[R, N, T]) backward(c methods.LevelsBackward) {
	ptr, adj := memory[uint32](c.Ptr), memory[uint32](c.Adj)
	targetMass, multiplicity := memory[float64](c.TargetMass), memory[float64](c.Multiplicity)
	frontier, found := memory[uint32](c.Frontier), memory[uint32](c.Found)
	counts, paths, shares := memory[N](c.Counts), memory[R](c.Paths), memory[R](c.Shares)
	n, packs, level := int(c.N), int(c.Packs), int(c.Level)
	if found[int(c.LastLevel)*(packs+1)+packs] != 0 {
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
				_, sum = puller[R, R]{l.words, l.teams}.pullAll(v, int(c.Most), ptr, adj, beyond, have, shares[base*l.lanes():])
			}
			mass := targetMass[v]
			if l.linear {
				mass /= float64(level)
			}
			mass *= shared(l.shares, targetMass, n, level)
			for lane, x := range sum {
				if have[lane/driver.Team]>>(lane%driver.Team)&1 != 0 {
					i := (base+v)*l.lanes() + lane
					settleCount(R(counts[i]), &paths[i], &shares[i], x, R(mass), R(multiplicity[v]))
				}
			}
		}
	}
}

func (l levelsTwin[R, N, T]) waive(c methods.LevelsWaive) {
	frontier, found := memory[uint32](c.Frontier), memory[uint32](c.Found)
	lanes, vertices, masses := memory[uint32](c.WaivedLane), memory[uint32](c.WaivedVertex), memory[float64](c.WaivedMass)
	targetMass, paths, shares := memory[float64](c.TargetMass), memory[R](c.Paths), memory[R](c.Shares)
	n, packs, level := int(c.N), int(c.Packs), int(c.Level)
	if found[int(c.LastLevel)*(packs+1)+packs] != 0 {
		return
	}
	for i := range c.Count {
		lane, v := int(lanes[i]), int(vertices[i])
		pack, lane := lane/l.lanes(), lane%l.lanes()
		row := pack*n + v
		if found[level*(packs+1)+pack] == 0 || frontier[(level*packs*n+row)*l.words+lane/driver.Team]>>(lane%driver.Team)&1 == 0 {
			continue
		}
		mass, rest := targetMass[v], targetMass[v]-masses[i]
		if l.linear {
			mass, rest = mass/float64(level), rest/float64(level)
		}
		at := row*l.lanes() + lane
		shares[at] = less(shares[at], paths[at], R(mass), R(rest))
		memory[uint32](c.WaivedLevel)[i] = c.Level
	}
}

// tally reads distances from the frontiers.
func (l levelsTwin[R, N, T]) tally(c methods.LevelsTally, kind uint32) {
	frontier, found, paths := memory[uint32](c.Frontier), memory[uint32](c.Found), memory[R](c.Paths)
	n, packs, lastLevel := int(c.N), int(c.Packs), int(c.LastLevel)
	if found[lastLevel*(packs+1)+packs] != 0 {
		return
	}
	size := packs * n * l.words
	sums := tallySums{l.teams, n, int(c.Chunks), memory[float64](c.TargetMass), memory[float64](c.SourceMass), memory[float64](c.Rows), memory[float64](c.Parts), kind, l.shares}
	for word := range packs * l.words {
		pack, k := word/l.words, word%l.words
		sums.tally(word, func(v, lane int) (float64, int) {
			for level := 1; level < lastLevel && found[level*(packs+1)+pack] != 0; level++ {
				if frontier[level*size+(pack*n+v)*l.words+k]>>lane&1 != 0 {
					d := float64(paths[(pack*n+v)*l.lanes()+k*driver.Team+lane])
					if l.linear {
						d *= 2 * float64(level)
					}
					return d, level
				}
			}
			return 0, 0
		})
	}
}
