package gpu

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
)

// soloTwin is kernels/solo.cl in Go, with queues that a device keeps in any order.
type soloTwin[R real] struct{ simProgram }

func soloTwins(p simProgram, groups [2]int, call any) bool {
	if p.float32 {
		return soloTwin[float32]{p}.run(groups, call)
	}
	return soloTwin[float64]{p}.run(groups, call)
}

func (g soloTwin[R]) run(groups [2]int, call any) bool {
	switch c := call.(type) {
	case methods.SoloSearch:
		for i := range groups[0] {
			g.search(i, groups[0], c)
		}
	case methods.SoloTally:
		g.tally(groups[1], c)
	case methods.SoloOver:
		for pack := range groups[1] {
			g.over(pack, g.words*driver.Team, c)
		}
	default:
		return false
	}
	return true
}

// search does the work of a work-group: the code of a vertex is 0, or 1 plus its level
// mod 3.
func (g soloTwin[R]) search(group, groups int, c methods.SoloSearch) {
	n, depth := int(c.N), int(c.Depth)
	targetMass, multiplicity, sums := memory[float64](c.TargetMass), memory[float64](c.Multiplicity), memory[float64](c.Sums)
	list, ends := memory[uint16](c.List)[group*n:], memory[uint32](c.Ends)[group*depth:]
	paths, deltas := memory[R](c.Paths)[group*n:], memory[R](c.Deltas)[group*n:]
	codes := make([]uint32, n)
	code := func(level uint32) uint32 { return 1 + level%3 }
	mass := func(of []float64, v uint16) R {
		if c.Even != 0 {
			return 1
		}
		return R(of[memory[uint16](c.Order)[v]])
	}
	ends[0] = 0
	end := uint32(0)
	if s := memory[uint32](c.Source)[group]; s != seating.NoLane {
		v := memory[uint16](c.Place)[s]
		codes[v], list[0], deltas[v], end = code(0), v, 0, 1
	}
	level, begin := uint32(0), uint32(0)
	for ; begin < end; level++ {
		found := end
		for _, v := range list[begin:end] {
			sum := g.gather(c, v, func(u uint32) R {
				if codes[u] == 0 {
					codes[u] = code(level + 1)
					list[found] = uint16(u)
					found++
				}
				if codes[u] == code(level+2) {
					return paths[u]
				}
				return 0
			})
			paths[v] = 1
			if level > 0 {
				paths[v] = divisor(g.shares, mass(multiplicity, v)*sum)
			}
		}
		begin, end = end, found
		ends[level+1] = begin
	}
	if g.flows {
		words := (n + 15) / 16
		kept := memory[uint32](c.Kept)[group*words : (group+1)*words]
		clear(kept)
		for v, code := range codes {
			kept[v/16] |= code << (v % 16 * 2)
		}
	}
	got, want := 0.0, 0.0
	for back := level; back > 1; {
		back--
		for _, v := range list[ends[back]:ends[back+1]] {
			sum := g.gather(c, v, func(u uint32) R {
				if codes[u] == code(back+1) {
					return paths[u]
				}
				return 0
			})
			d, counted := paths[v]*sum, mass(targetMass, v)
			share := shared(g.shares, targetMass, n, int(back))
			if counted *= R(share); g.linear {
				counted /= R(back)
			}
			paths[v] = R((counted+d)*mass(multiplicity, v)) / paths[v]
			if g.linear {
				d *= 2 * R(back)
			}
			deltas[v] = d
			got += float64(d)
			want += float64(float64(mass(targetMass, v))*share) * float64(back-1)
		}
	}
	sums[group], sums[groups+group] = got, want
}

// gather adds up the neighbours' values.
func (g soloTwin[R]) gather(c methods.SoloSearch, v uint16, value func(uint32) R) R {
	if near := memory[uint16](c.Near)[g.near*int(v) : g.near*(int(v)+1)]; near[0] != v {
		sum := value(uint32(near[0]))
		for _, u := range near[1:] {
			sum += value(uint32(u))
		}
		return sum
	}
	ptr, at := memory[uint32](c.Ptr), memory[uint16](c.Order)[v]
	var sum, lost R
	for _, u := range memory[uint32](c.Adj)[ptr[at]:ptr[at+1]] {
		piece := pieceFrom(sum)
		piece += value(uint32(memory[uint16](c.Place)[u]))
		gain(&sum, &lost, piece)
	}
	return sum
}

func (g soloTwin[R]) tally(words int, c methods.SoloTally) {
	n := int(c.N)
	source, mass := memory[uint32](c.Source), memory[float64](c.SourceMass)
	order, deltas, rows := memory[uint16](c.Order), memory[R](c.Deltas), memory[float64](c.Rows)
	for word := range words {
		for v := range n {
			sum := 0.0
			for lane := word * driver.Team; lane < (word+1)*driver.Team; lane++ {
				if source[lane] != seating.NoLane {
					d := float64(deltas[lane*n+v])
					term := float64(d * mass[lane])
					if c.Squared != 0 {
						term = float64(term * d)
					}
					sum += term
				}
			}
			rows[word*n+int(order[v])] = sum
		}
	}
}

// kept is the code of a vertex in a search.
func (g soloTwin[R]) kept(b driver.Buffer, lane, n, v int) uint32 {
	return memory[uint32](b)[lane*((n+15)/16)+v/16] >> (v % 16 * 2) & 3
}

func (g soloTwin[R]) over(pack, lanes int, c methods.SoloOver) {
	n := int(c.N)
	ptr, adj, order, place := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint16](c.Order), memory[uint16](c.Place)
	targetMass, multiplicity := memory[float64](c.TargetMass), memory[float64](c.Multiplicity)
	source, mass := memory[uint32](c.Source), memory[float64](c.SourceMass)
	paths, deltas := memory[R](c.Paths), memory[R](c.Deltas)
	cells := memory[float64](c.Cells)[pack*int(c.Arcs):]
	for v := range n {
		o := uint32(order[v])
		for e := ptr[o]; e < ptr[o+1]; e++ {
			u := int(place[adj[e]])
			cells[e] = 0
			for lane := pack * lanes; lane < (pack+1)*lanes; lane++ {
				own := uint32(0)
				if source[lane] != seating.NoLane {
					own = g.kept(c.Kept, lane, n, v)
				}
				if own == 0 || g.kept(c.Kept, lane, n, u) != own%3+1 {
					continue
				}
				ways := R(1)
				if o != source[lane] {
					ways = sent(R(targetMass[o]), deltas[lane*n+v], R(multiplicity[o]), paths[lane*n+v])
				}
				cells[e] += float64(float64(mass[lane]*float64(ways)) * float64(paths[lane*n+u]))
			}
		}
	}
}
