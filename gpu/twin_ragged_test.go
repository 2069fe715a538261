package gpu

import (
	"math/bits"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
)

// raggedTwin is kernels/ragged.cl and ragged_paths.cl in Go: see frontierTwin.
type raggedTwin[R real, M uint32 | uint64] struct{ teams int }

func (g raggedTwin[R, M]) lanes() int { return frontierTwin[R, M]{}.lanes() }

// entries is the number of entries of a chunk.
func (g raggedTwin[R, M]) entries() uint32 { return uint32(g.teams * driver.Team / 2) }

func raggedTwins(p simProgram, groups [2]int, call any) bool {
	switch {
	case p.float32 && p.words == 1:
		return raggedTwin[float32, uint32]{p.teams}.run(groups, call)
	case p.float32:
		return raggedTwin[float32, uint64]{p.teams}.run(groups, call)
	case p.words == 1:
		return raggedTwin[float64, uint32]{p.teams}.run(groups, call)
	}
	return raggedTwin[float64, uint64]{p.teams}.run(groups, call)
}

func (g raggedTwin[R, M]) run(groups [2]int, call any) bool {
	switch c := call.(type) {
	case methods.RaggedClear:
		rows := c.Packs * c.N
		clear(memory[M](c.Marks)[:rows*4])
		clear(memory[uint32](c.Slots)[:rows*2*4])
		clear(memory[float64](c.Tallies)[:rows*3])
		clear(memory[uint32](c.Found)[:c.Depth])
		memory[uint32](c.Taken)[0] = 0
		clear(memory[uint64](c.Loads)[:c.Groups])
	case methods.ListSources:
		frontierTwin[R, M]{}.seed(c)
	case methods.RaggedFind:
		g.find(c)
	case methods.RaggedForward:
		g.forward(groups[0], c)
	case methods.RaggedBackward:
		g.backward(groups[0], c)
	case methods.RaggedOver:
		g.over(groups[0], c)
	case methods.RaggedTally:
		g.tally(groups[1], c)
	default:
		return false
	}
	return true
}

func (g raggedTwin[R, M]) find(c methods.RaggedFind) {
	ptr, adj := memory[uint32](c.Ptr), memory[uint32](c.Adj)
	seed, source, marks := memory[uint32](c.Seed), memory[uint32](c.Source), memory[M](c.Marks)
	listRow, listVertex, listMask, listAt := memory[uint32](c.ListRow), memory[uint32](c.ListVertex), memory[M](c.ListMask), memory[uint32](c.ListAt)
	places := memory[uint16](c.Places)
	found, ends, taken := memory[uint32](c.Found), memory[uint32](c.Ends), memory[uint32](c.Taken)
	level := int(c.Level)
	begin := ends[level]
	end := begin + found[level]
	ends[level+1] = end
	if end > c.Capacity {
		return
	}
	here, next, old, before := level%4, (level+1)%4, (level+2)%4, (level+3)%4
	reached := reachedList[M]{marks, next, listRow, listVertex, end, c.Capacity, &found[level+1]}
	for i := begin; i < end; i++ {
		row, v := listRow[i], listVertex[i]
		base := row - v
		lanes := marks[int(row)*4+here]
		listMask[i], listAt[i] = lanes, taken[0]
		for left := lanes; left != 0; left &= left - 1 {
			places[taken[0]] = uint16(int((i-begin)%g.entries())*g.lanes() + bits.TrailingZeros64(uint64(left)))
			taken[0]++
		}
		for _, u := range adj[ptr[v]:ptr[v+1]] {
			at := int(base+u) * 4
			if fresh := lanes &^ (marks[at+before] | marks[at+here]); fresh != 0 {
				reached.mark(base+u, u, fresh)
			}
		}
	}
	for _, at := range seed[c.First:c.Last] {
		reached.mark(at/uint32(g.lanes())*c.N+source[at], source[at], 1<<(int(at)%g.lanes()))
	}
	if level >= 2 {
		for i := ends[level-2]; i < ends[level-1]; i++ {
			marks[int(listRow[i])*4+old] = 0
		}
	}
}

// raggedList is the data of both passes.
type raggedList[R real, M uint32 | uint64] struct {
	ptr, adj, row, vertex, at, slots []uint32
	mask                             []M
	places                           []uint16
	paths                            []R
}

// each visits the numbers of a level's entries; it calls entry before the numbers of an entry.
func (g raggedTwin[R, M]) each(l raggedList[R, M], level, begin, end uint32, entry func(i uint32), number func(i uint32, at, lane int)) {
	for i := begin; i < end; i++ {
		slot := l.slots[(l.row[i]*2+level%2)*4:]
		slot[0], slot[1], slot[2], slot[3] = uint32(l.mask[i]), uint32(uint64(l.mask[i])>>32), l.at[i], level
		entry(i)
		for at := int(l.at[i]); at < int(l.at[i])+bits.OnesCount64(uint64(l.mask[i])); at++ {
			place := int(l.places[at])
			if place/g.lanes() != int((i-begin)%g.entries()) {
				panic("a place is of another entry")
			}
			number(i, at, place%g.lanes())
		}
	}
}

func (l raggedList[R, M]) neighbours(i uint32) []uint32 {
	return l.adj[l.ptr[l.vertex[i]]:l.ptr[l.vertex[i]+1]]
}

// slot gives the lanes that a neighbour of an entry has at a level, and where their numbers
// begin.
func (l raggedList[R, M]) slot(i, u, level uint32) (lanes M, at uint32) {
	slot := l.slots[((l.row[i]-l.vertex[i]+u)*2+level%2)*4:]
	if slot[3] == level {
		lanes = M(uint64(slot[0]) | uint64(slot[1])<<32)
	}
	return lanes, slot[2]
}

// near is the number of neighbours of an entry that have lanes of it at a level.
func (g raggedTwin[R, M]) near(l raggedList[R, M], i, level uint32) (count int) {
	for _, u := range l.neighbours(i) {
		if m, _ := l.slot(i, u, level); m&l.mask[i] != 0 {
			count++
		}
	}
	return count
}

// gather adds up the neighbours' values at a level: in pieces of four, if many are near.
func (g raggedTwin[R, M]) gather(l raggedList[R, M], i uint32, lane int, level uint32) R {
	neighbours := l.neighbours(i)
	pieces := 4
	if g.near(l, i, level) <= 8 {
		pieces = max(len(neighbours), 1)
	}
	var sum, lost R
	for some := range slices.Chunk(neighbours, pieces) {
		piece := pieceFrom(sum)
		for _, u := range some {
			if m, at := l.slot(i, u, level); m>>lane&1 != 0 {
				piece += l.paths[at+uint32(bits.OnesCount64(uint64(m&(1<<lane-1))))]
			}
		}
		gain(&sum, &lost, piece)
	}
	return sum
}

func (g raggedTwin[R, M]) forward(groups int, c methods.RaggedForward) {
	l := raggedList[R, M]{
		memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint32](c.ListRow), memory[uint32](c.ListVertex), memory[uint32](c.ListAt),
		memory[uint32](c.Slots), memory[M](c.ListMask), memory[uint16](c.Places), memory[R](c.Paths),
	}
	ends, times := memory[uint32](c.Ends), memory[float64](c.Multiplicity)
	begin, loads := ends[c.Level], memory[uint64](c.Loads)
	g.each(l, c.Level, begin, ends[c.Level+1], func(i uint32) {
		loads[int((i-begin)/g.entries())%groups] += uint64(g.near(l, i, c.Level-1))
	}, func(i uint32, at, lane int) {
		l.paths[at] = 1
		if c.Level > 0 {
			if sum := g.gather(l, i, lane, c.Level-1); sum != 0 {
				l.paths[at] = R(times[l.vertex[i]]) * sum
			}
		}
	})
}

func (g raggedTwin[R, M]) backward(groups int, c methods.RaggedBackward) {
	l := raggedList[R, M]{
		memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint32](c.ListRow), memory[uint32](c.ListVertex), memory[uint32](c.ListAt),
		memory[uint32](c.Slots), memory[M](c.ListMask), memory[uint16](c.Places), memory[R](c.Paths),
	}
	ends, times, weight := memory[uint32](c.Ends), memory[float64](c.Multiplicity), memory[float64](c.TargetMass)
	mass, starts, tallies := memory[float64](c.SourceMass), memory[uint32](c.Starts), memory[float64](c.Tallies)
	begin, end := ends[c.Level], ends[c.Level+1]
	sums := make([][2]float64, end-begin)
	far := make([]uint32, end-begin)
	loads := memory[uint64](c.Loads)
	g.each(l, c.Level, begin, end, func(i uint32) {
		loads[int((i-begin)/g.entries())%groups] += uint64(g.near(l, i, c.Level+1))
	}, func(i uint32, at, lane int) {
		v := l.vertex[i]
		s := l.paths[at]
		d := s * g.gather(l, i, lane, c.Level+1)
		l.paths[at] = (R(weight[v]) + d) * R(times[v]) / s
		if seat := int(l.row[i]/c.N)*g.lanes() + lane; starts[seat] != c.Level {
			sums[i-begin][0] += float64(float64(d) * mass[seat])
			sums[i-begin][1] += float64(d)
			far[i-begin] += c.Level - starts[seat] - 1
		}
	})
	for i := begin; i < end; i++ {
		tally := tallies[l.row[i]*3:]
		tally[0] += sums[i-begin][0]
		tally[1] += sums[i-begin][1]
		tally[2] += float64(float64(R(weight[l.vertex[i]])) * float64(far[i-begin]))
	}
}

// over is backward plus the flows over arcs, which are added up by arc in the order of lanes.
func (g raggedTwin[R, M]) over(groups int, c methods.RaggedOver) {
	l := raggedList[R, M]{
		memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint32](c.ListRow), memory[uint32](c.ListVertex), memory[uint32](c.ListAt),
		memory[uint32](c.Slots), memory[M](c.ListMask), memory[uint16](c.Places), memory[R](c.Paths),
	}
	ends, times, weight := memory[uint32](c.Ends), memory[float64](c.Multiplicity), memory[float64](c.TargetMass)
	mass, starts, tallies := memory[float64](c.SourceMass), memory[uint32](c.Starts), memory[float64](c.Tallies)
	begin, end := ends[c.Level], ends[c.Level+1]
	loads := memory[uint64](c.Loads)
	var score, got float64
	var far uint32
	g.each(l, c.Level, begin, end, func(i uint32) {
		loads[int((i-begin)/g.entries())%groups] += uint64(g.near(l, i, c.Level+1))
		cells := memory[float64](c.Cells)[l.row[i]/c.N*c.Arcs:]
		for e := l.ptr[l.vertex[i]]; e < l.ptr[l.vertex[i]+1]; e++ {
			m, at := l.slot(i, l.adj[e], c.Level+1)
			s := l.paths[l.at[i]:]
			for lanes := l.mask[i]; lanes != 0; lanes &= lanes - 1 {
				if lane := bits.TrailingZeros64(uint64(lanes)); m>>lane&1 != 0 {
					sent := mass[int(l.row[i]/c.N)*g.lanes()+lane] * float64(s[0])
					cells[e] += float64(sent * float64(l.paths[at+uint32(bits.OnesCount64(uint64(m&(1<<lane-1))))]))
				}
				s = s[1:]
			}
		}
		score, got, far = 0, 0, 0
	}, func(i uint32, at, lane int) {
		v, seat := l.vertex[i], int(l.row[i]/c.N)*g.lanes()+lane
		s := l.paths[at]
		d := s * g.gather(l, i, lane, c.Level+1)
		l.paths[at] = (R(weight[v]) + d) * R(times[v]) / s
		if starts[seat] != c.Level {
			score += float64(float64(d) * mass[seat])
			got += float64(d)
			far += c.Level - starts[seat] - 1
		}
		if at+1 == int(l.at[i])+bits.OnesCount64(uint64(l.mask[i])) {
			tally := tallies[l.row[i]*3:]
			tally[0] += score
			tally[1] += got
			tally[2] += float64(float64(R(weight[v])) * float64(far))
		}
	})
}

func (g raggedTwin[R, M]) tally(packs int, c methods.RaggedTally) {
	n, chunks, words, group := int(c.N), int(c.Chunks), g.lanes()/driver.Team, g.teams*driver.Team
	tallies, rows, parts := memory[float64](c.Tallies), memory[float64](c.Rows), memory[float64](c.Parts)
	for pack := range packs {
		clear(rows[pack*words*n : (pack+1)*words*n])
		clear(parts[pack*words*chunks*2*driver.Team : (pack+1)*words*chunks*2*driver.Team])
		for piece := range chunks {
			cells := make([][2]float64, group)
			for v := piece * wave.Chunk; v < min(n, (piece+1)*wave.Chunk); v++ {
				tally := tallies[(pack*n+v)*3:]
				rows[pack*words*n+v] = tally[0]
				cell := &cells[(v-piece*wave.Chunk)%group]
				cell[0] += tally[1]
				cell[1] += tally[2]
			}
			for side := range 2 {
				sum := 0.0
				for i := range cells {
					sum += cells[i][side]
				}
				parts[((pack*words*chunks+piece)*2+side)*driver.Team] = sum
			}
		}
	}
}
