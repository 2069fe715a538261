package gpu

import (
	"math"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/wave"
)

// lengthsTwin is kernels/lengths.cl in Go, by launch. The results do not depend on the
// order in which vertices are taken, and sums are added up in the kernels' order.
type lengthsTwin[R real, F uint32 | uint64] struct {
	teams  int
	shares int
}

func lengthsTwins(p simProgram, groups [2]int, call any) bool {
	switch {
	case p.float32 && p.wide:
		return lengthsTwin[float32, uint64]{p.teams, p.shares}.run(groups, call)
	case p.float32:
		return lengthsTwin[float32, uint32]{p.teams, p.shares}.run(groups, call)
	case p.wide:
		return lengthsTwin[float64, uint64]{p.teams, p.shares}.run(groups, call)
	}
	return lengthsTwin[float64, uint32]{p.teams, p.shares}.run(groups, call)
}

func (l lengthsTwin[R, F]) run(groups [2]int, call any) bool {
	switch c := call.(type) {
	case methods.LengthsSearch:
		for pack := range groups[0] {
			l.search(c, pack)
		}
	case methods.LengthsLink:
		for pack := range groups[1] {
			l.link(c, pack)
		}
	case methods.LengthsCount:
		for pack := range groups[0] {
			l.count(c, pack)
		}
	case methods.LengthsDepend:
		for pack := range groups[0] {
			l.depend(c, pack)
		}
	case methods.LengthsTally:
		for pack := range groups[1] {
			l.tally(c, pack)
		}
	default:
		return false
	}
	return true
}

// of is a pack's part of a buffer that has `each` numbers for each pack.
func of[T uint32 | uint64 | float32 | float64](b driver.Buffer, pack, each int) []T {
	return memory[T](b)[pack*each : (pack+1)*each]
}

// join makes a number of two halves; a 32-bit number drops the high one.
func join[F uint32 | uint64](low, high uint32) F { return F(uint64(high)<<32 | uint64(low)) }

// search goes over all arcs until no distance falls.
func (lengthsTwin[R, F]) search(c methods.LengthsSearch, pack int) {
	n := int(c.N)
	ptr, adj, length := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[F](c.Length)
	d := of[F](c.Away, pack, n*driver.Team)
	for i := range d {
		d[i] = join[F](c.BeyondLow, c.BeyondHigh)
	}
	memory[uint32](c.Broken)[pack] = 0
	for lane, s := range of[uint32](c.Source, pack, driver.Team) {
		if s != seating.NoLane {
			d[int(s)*driver.Team+lane] = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for x := range n {
			for e := ptr[x]; e < ptr[x+1]; e++ {
				for lane := range driver.Team {
					at, offer := int(adj[e])*driver.Team+lane, d[x*driver.Team+lane]+length[e]
					if offer < d[at] {
						d[at], changed = offer, true
					}
				}
			}
		}
	}
}

func (l lengthsTwin[R, F]) link(c methods.LengthsLink, pack int) {
	n := int(c.N)
	d, reached := of[F](c.Away, pack, n*driver.Team), of[uint32](c.Reached, pack, n)
	beyond := join[F](c.BeyondLow, c.BeyondHigh)
	row := func(v int) []F { return d[v*driver.Team : (v+1)*driver.Team] }
	tight := func(from, to []F, length F) (lanes uint32) {
		for lane := range driver.Team {
			if to[lane] < beyond && from[lane]+length == to[lane] {
				lanes |= 1 << lane
			}
		}
		return lanes
	}
	ptr, adj, length, after := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[F](c.Length), of[uint32](c.After, pack, int(c.Arcs))
	inPtr, inAdj, inLength, before := memory[uint32](c.InPtr), memory[uint32](c.InAdj), memory[F](c.InLength), of[uint32](c.Before, pack, int(c.Arcs))
	for x := range n {
		reached[x] = 0
		for lane, far := range row(x) {
			if far < beyond {
				reached[x] |= 1 << lane
			}
		}
		for e := ptr[x]; e < ptr[x+1]; e++ {
			after[e] = tight(row(x), row(int(adj[e])), length[e])
			for lane, far := range row(int(adj[e])) {
				if row(x)[lane]+length[e] < far {
					memory[uint32](c.Broken)[pack] |= 1 << lane
				}
			}
		}
		for e := inPtr[x]; e < inPtr[x+1]; e++ {
			before[e] = tight(row(int(inAdj[e])), row(x), inLength[e])
		}
	}
}

// settle calls do for the lanes of a vertex once all terms of their sums are settled.
func (lengthsTwin[R, F]) settle(n int, ptr, adj, links, reached, settled []uint32, do func(x int, lanes uint32)) {
	clear(settled)
	for changed := true; changed; {
		changed = false
		for x := range n {
			open := reached[x] &^ settled[x]
			for e := ptr[x]; e < ptr[x+1]; e++ {
				open &^= links[e] &^ settled[adj[e]]
			}
			if open != 0 {
				do(x, open)
				settled[x] |= open
				changed = true
			}
		}
	}
	if !slices.Equal(reached, settled) {
		panic("lanes wait for each other")
	}
}

// gather is gather of the kernels.
func (lengthsTwin[R, F]) gather(x, lane int, ptr, adj, links []uint32, rows []R) (sum float64) {
	for e := ptr[x]; e < ptr[x+1]; e++ {
		if links[e]>>lane&1 != 0 {
			sum += float64(rows[int(adj[e])*driver.Team+lane])
		}
	}
	return sum
}

func (l lengthsTwin[R, F]) count(c methods.LengthsCount, pack int) {
	n, arcs := int(c.N), int(c.Arcs)
	ptr, adj, links := memory[uint32](c.InPtr), memory[uint32](c.InAdj), of[uint32](c.Before, pack, arcs)
	away, paths, multiplicity := of[F](c.Away, pack, n*driver.Team), of[R](c.Paths, pack, n*driver.Team), memory[float64](c.Multiplicity)
	l.settle(n, ptr, adj, links, of[uint32](c.Reached, pack, n), of[uint32](c.Settled, pack, n), func(x int, lanes uint32) {
		for lane := range driver.Team {
			switch at := x*driver.Team + lane; {
			case lanes>>lane&1 == 0:
			case away[at] == 0:
				paths[at] = 1
			default:
				sum := l.gather(x, lane, ptr, adj, links, paths)
				if paths[at] = divisor(l.shares, R(sum*multiplicity[x])); sum == 0 {
					memory[uint32](c.Broken)[pack] |= 1 << lane
				}
			}
		}
	})
}

func (l lengthsTwin[R, F]) depend(c methods.LengthsDepend, pack int) {
	n, arcs := int(c.N), int(c.Arcs)
	ptr, adj, links := memory[uint32](c.Ptr), memory[uint32](c.Adj), of[uint32](c.After, pack, arcs)
	away := of[F](c.Away, pack, n*driver.Team)
	paths, shares := of[R](c.Paths, pack, n*driver.Team), of[R](c.Shares, pack, n*driver.Team)
	mass, multiplicity := memory[float64](c.TargetMass), memory[float64](c.Multiplicity)
	l.settle(n, ptr, adj, links, of[uint32](c.Reached, pack, n), of[uint32](c.Settled, pack, n), func(x int, lanes uint32) {
		for lane := range driver.Team {
			if lanes>>lane&1 != 0 {
				at := x*driver.Team + lane
				s := float64(paths[at])
				through := float64(s * l.gather(x, lane, ptr, adj, links, shares))
				shares[at] = R(float64((float64(mass[x]*shared(l.shares, mass, n, int(away[at])))+through)*multiplicity[x]) / s)
				paths[at] = R(through)
			}
		}
	})
}

func (l lengthsTwin[R, F]) tally(c methods.LengthsTally, pack int) {
	n, chunks := int(c.N), int(c.Chunks)
	away, paths := of[F](c.Away, pack, n*driver.Team), of[R](c.Paths, pack, n*driver.Team)
	mass, sources := memory[float64](c.TargetMass), of[float64](c.SourceMass, pack, driver.Team)
	beyond := join[F](c.BeyondLow, c.BeyondHigh)
	rows, parts := of[float64](c.Rows, pack, n), of[float64](c.Parts, pack, chunks*2*driver.Team)
	sums := tallySums{n: n, targetMass: mass, kind: c.Kind, shares: l.shares}
	for v := range n {
		rows[v] = 0
		for lane, ours := range sources {
			if far := away[v*driver.Team+lane]; far > 0 && far < beyond {
				_, _, x := sums.of(v, int(far), float64(paths[v*driver.Team+lane]), ours)
				rows[v] += x
			}
		}
	}
	for chunkAt := range chunks {
		for lane := range driver.Team {
			got, want := 0.0, 0.0
			if memory[uint32](c.Broken)[pack]>>lane&1 != 0 {
				got = math.NaN()
			}
			for t := range l.teams { // by team, then over teams
				teamGot, teamWant := 0.0, 0.0
				for v := chunkAt*wave.Chunk + t; v < min(n, (chunkAt+1)*wave.Chunk); v += l.teams {
					switch far := away[v*driver.Team+lane]; {
					case far == 0 && c.Kind < 2:
						teamGot += float64(paths[v*driver.Team+lane])
					case far > 0 && far < beyond && c.Kind < 2:
						teamWant += mass[v] * shared(l.shares, mass, n, int(far))
					case far > 0 && far < beyond:
						got, want, _ := sums.of(v, int(far), 0, 0)
						teamGot += got
						teamWant += want
					}
				}
				got += teamGot
				want += teamWant
			}
			parts[chunkAt*2*driver.Team+lane], parts[(chunkAt*2+1)*driver.Team+lane] = got, want
		}
	}
}
