package gpu

import (
	"slices"
	"unsafe"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/wave"
)

// overTwins is kernels/over.cl in Go, without WARP. The order of additions is the
// kernels'.
func overTwins(_ simProgram, _ [2]int, call any) bool {
	switch c := call.(type) {
	case wave.OverClear:
		clear(memory[float64](c.Cells)[:c.Packs*c.Arcs])
	case wave.OverNumber:
		at, back := memory[uint32](c.EdgeAt), memory[uint32](c.EdgeBack)
		for e, number := range memory[uint32](c.ArcEdge)[:c.Arcs] {
			at[number], back[number] = min(at[number], uint32(e)), max(back[number], uint32(e))
		}
	case wave.OverPacks:
		cells, arcs := memory[float64](c.Cells), int(c.Arcs)
		for e := range arcs {
			sum := 0.0
			for pack := int(c.First); pack < int(c.Last); pack++ {
				sum += cells[pack*arcs+e]
			}
			cells[int(c.First)*arcs+e] = sum
		}
	case wave.OverJoin:
		at, back := memory[uint32](c.EdgeAt), memory[uint32](c.EdgeBack)
		cells, flows := memory[float64](c.Cells)[c.First*c.Arcs:], memory[float64](c.Flows)
		for number := range c.Edges {
			flows[number] = cells[at[number]]
			if c.Ways == 0 {
				flows[number] += cells[back[number]]
			}
		}
	default:
		return false
	}
	return true
}

func (l levelsTwin[R, N, T]) over(c methods.OverLevel) {
	ptr, adj, frontier, found := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint32](c.Frontier), memory[uint32](c.Found)
	mass, counts, shares, cells := memory[float64](c.SourceMass), memory[N](c.Counts), memory[R](c.Shares), memory[float64](c.Cells)
	n, packs, level := int(c.N), int(c.Packs), int(c.Level)
	if found[int(c.LastLevel)*(packs+1)+packs] != 0 {
		return
	}
	for pack := range packs {
		if found[(level+1)*(packs+1)+pack] == 0 {
			continue
		}
		masks := func(level, v int) []uint32 { return frontier[((level*packs+pack)*n+v)*l.words:][:l.words] }
		for v := range n {
			for e := ptr[v]; e < ptr[v+1]; e++ {
				u, sum := int(adj[e]), 0.0
				here, beyond := masks(level, v), masks(level+1, u)
				for lane := range l.lanes() {
					if here[lane/driver.Team]&beyond[lane/driver.Team]>>(lane%driver.Team)&1 != 0 {
						paths := float64(mass[pack*l.lanes()+lane] * float64(counts[(pack*n+v)*l.lanes()+lane]))
						sum += float64(paths * float64(shares[(pack*n+u)*l.lanes()+lane]))
					}
				}
				cells[pack*int(c.Arcs)+int(e)] += sum
			}
		}
	}
}

func (l levelsTwin[R, N, T]) overSources(c methods.OverSources) {
	ptr, adj, source, found := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint32](c.Source), memory[uint32](c.Found)
	mass, shares, cells := memory[float64](c.SourceMass), memory[R](c.Shares), memory[float64](c.Cells)
	if found[int(c.LastLevel)*int(c.Packs+1)+int(c.Packs)] != 0 {
		return
	}
	for lane, s := range source[:int(c.Packs)*l.lanes()] {
		if s == seating.NoLane {
			continue
		}
		pack := lane / l.lanes()
		for e := ptr[s]; e < ptr[s+1]; e++ {
			cells[pack*int(c.Arcs)+int(e)] += float64(mass[lane] * float64(shares[(pack*int(c.N)+int(adj[e]))*l.lanes()+lane%l.lanes()]))
		}
	}
}

// arrive puts the target mass that a lane reaches into the second sum.
func (l levelsTwin[R, N, T]) arrive(c methods.OverArrive) {
	frontier, found := memory[uint32](c.Frontier), memory[uint32](c.Found)
	targetMass, parts := memory[float64](c.TargetMass), memory[float64](c.Parts)
	n, packs, chunks := int(c.N), int(c.Packs), int(c.Chunks)
	for word := range packs * l.words {
		pack, k := word/l.words, word%l.words
		reached := func(v, lane int) bool {
			for level := 1; level < int(c.LastLevel) && found[level*(packs+1)+pack] != 0; level++ {
				if frontier[((level*packs+pack)*n+v)*l.words+k]>>lane&1 != 0 {
					return true
				}
			}
			return false
		}
		for chunkAt := range chunks {
			for lane := range driver.Team {
				arrived := 0.0
				for t := range l.teams {
					mine := 0.0
					for v := chunkAt*wave.Chunk + t; v < min(n, (chunkAt+1)*wave.Chunk); v += l.teams {
						if reached(v, lane) {
							mine += targetMass[v]
						}
					}
					arrived += mine
				}
				parts[(word*chunks+chunkAt)*2*driver.Team+lane] = 0
				parts[(word*chunks+chunkAt)*2*driver.Team+driver.Team+lane] = arrived
			}
		}
	}
}

// send is arrive that also fills in depths; counts kept beside paths are S already.
func (l levelsTwin[R, N, T]) send(c methods.LevelsSend) {
	frontier, paths := memory[uint32](c.Frontier), memory[R](c.Paths)
	n, packs := int(c.N), int(c.Packs)
	if unsafe.Sizeof(N(0)) < unsafe.Sizeof(R(0)) {
		paths = slices.Clone(paths)
	}
	send := sendRows(l.teams, l.words, int(c.Planes), n, int(c.Chunks), memory[float64](c.TargetMass), memory[float64](c.Multiplicity), paths, memory[R](c.Shares),
		memory[uint32](c.Depths), memory[float64](c.Parts), func(word, v, lane int) (int, bool) {
			found := memory[uint32](c.Found)
			pack, k := word/l.words, word%l.words
			for level := 0; level < int(c.LastLevel) && found[level*(packs+1)+pack] != 0; level++ {
				if frontier[((level*packs+pack)*n+v)*l.words+k]>>lane&1 != 0 {
					return level, level == 0
				}
			}
			return -1, false
		})
	for word := range packs * l.words {
		send(word)
	}
}
