package gpu

import (
	"math/bits"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
)

// bitlanesTwins is kernels/bitlanes.cl in Go, by launch.
func bitlanesTwins(_ simProgram, groups [2]int, call any) bool {
	switch c := call.(type) {
	case methods.BitlanesClear:
		bitlanesClearTwin(groups[1], c)
	case methods.BitlanesSeed:
		bitlanesSeedTwin(c)
	case methods.BitlanesLevel:
		bitlanesLevelTwin(c)
	case methods.BitlanesSettle:
		bitlanesSettleTwin(c)
	default:
		return false
	}
	return true
}

// bitRows are the rows of a buffer.
func bitRows(b driver.Buffer) [][methods.RowWords]uint32 {
	words := memory[uint32](b)
	rows := make([][methods.RowWords]uint32, len(words)/methods.RowWords)
	for i := range rows {
		rows[i] = [methods.RowWords]uint32(words[i*methods.RowWords:])
	}
	return rows
}

func putRow(b driver.Buffer, i int, row [methods.RowWords]uint32) {
	copy(memory[uint32](b)[i*methods.RowWords:], row[:])
}

// bitsOf are the bits of a pack's vertices; of one level if the buffer has several.
func bitsOf(b driver.Buffer, n, packs, pack, level int) []uint32 {
	words := (n + driver.Team - 1) / driver.Team
	return memory[uint32](b)[(level%3*packs+pack)*words:][:words]
}

func bit(of []uint32, v int) bool { return of[v/driver.Team]>>(v%driver.Team)&1 == 1 }

func setBit(of []uint32, v int) { of[v/driver.Team] |= 1 << (v % driver.Team) }

func bitlanesClearTwin(packs int, c methods.BitlanesClear) {
	for pack, used := range memory[uint32](c.Used)[:packs] {
		var unused [methods.RowWords]uint32
		for lane := int(used); lane < methods.RowWords*driver.Team; lane++ {
			unused[lane/driver.Team] |= 1 << (lane % driver.Team)
		}
		for v := range int(c.N) {
			putRow(c.Here, pack*int(c.N)+v, [methods.RowWords]uint32{})
			putRow(c.Seen, pack*int(c.N)+v, unused)
		}
		for level := range 3 {
			clear(bitsOf(c.Front, int(c.N), packs, pack, level))
			clear(bitsOf(c.Touched, int(c.N), packs, pack, level))
			memory[uint32](c.Met)[level*packs+pack] = 0
		}
		clear(bitsOf(c.Shut, int(c.N), packs, pack, 0))
		clear(bitsOf(c.Shuts, int(c.N), packs, pack, 0))
		memory[uint32](c.Done)[pack], memory[uint32](c.Over)[pack] = 0, 0
	}
}

func bitlanesSeedTwin(c methods.BitlanesSeed) {
	n, packs, source := int(c.N), int(c.Packs), memory[uint32](c.Source)
	ptr, adj := memory[uint32](c.Ptr), memory[uint32](c.Adj)
	here, seen := memory[uint32](c.Here), memory[uint32](c.Seen)
	for pack := range packs {
		front := bitsOf(c.Front, n, packs, pack, 1)
		for lane := range methods.RowWords * driver.Team {
			s := source[pack*methods.RowWords*driver.Team+lane]
			if s == seating.NoLane {
				continue
			}
			word := func(v uint32) int { return (pack*n+int(v))*methods.RowWords + lane/driver.Team }
			seen[word(s)] |= 1 << (lane % driver.Team)
			for _, v := range adj[ptr[s]:ptr[s+1]] {
				here[word(v)] |= 1 << (lane % driver.Team)
				seen[word(v)] |= 1 << (lane % driver.Team)
				memory[uint32](c.Counts)[v]++
				if !bit(front, int(v)) {
					memory[uint32](c.Met)[packs+pack]++
				}
				setBit(front, int(v))
			}
		}
	}
}

func bitlanesLevelTwin(c methods.BitlanesLevel) {
	n, packs, level := int(c.N), int(c.Packs), int(c.Level)
	ptr, adj, inPtr, inAdj := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[uint32](c.InPtr), memory[uint32](c.InAdj)
	here, seen, counts, met := bitRows(c.Here), bitRows(c.Seen), memory[uint32](c.Counts), memory[uint32](c.Met)
	for pack := range packs {
		if memory[uint32](c.Over)[pack] != 0 {
			continue
		}
		before, front := bitsOf(c.Front, n, packs, pack, level-1), bitsOf(c.Front, n, packs, pack, level)
		touched, next := bitsOf(c.Touched, n, packs, pack, level), bitsOf(c.Touched, n, packs, pack, level+1)
		shut := bitsOf(c.Shut, n, packs, pack, 0)
		narrow := level > 2 && met[(level-2)%3*packs+pack] < c.Small
		mark := met[(level-1)%3*packs+pack] < c.Small
		for v := range n {
			if bit(shut, v) || narrow && !bit(touched, v) {
				continue
			}
			at := pack*n + v
			var found [methods.RowWords]uint32
			for _, u := range inAdj[inPtr[v]:inPtr[v+1]] {
				if bit(before, int(u)) {
					for k, x := range here[pack*n+int(u)] {
						found[k] |= x &^ seen[at][k]
					}
				}
			}
			after, count, full := seen[at], 0, true
			for k, x := range found {
				after[k] |= x
				count += bits.OnesCount32(x)
				full = full && after[k] == ^uint32(0)
			}
			if full {
				setBit(bitsOf(c.Shuts, n, packs, pack, 0), v)
				memory[uint32](c.Done)[pack]++
			}
			if count == 0 {
				continue
			}
			putRow(c.Next, at, found)
			putRow(c.Seen, at, after)
			counts[v] += uint32(count)
			setBit(front, v)
			met[level%3*packs+pack]++
			if mark {
				for _, u := range adj[ptr[v]:ptr[v+1]] {
					setBit(next, int(u))
				}
			}
		}
	}
}

func bitlanesSettleTwin(c methods.BitlanesSettle) {
	n, level := int(c.N), uint64(c.Level)
	counts, sums := memory[uint32](c.Counts), memory[uint64](c.Totals)
	for v := range n {
		count := uint64(counts[v])
		if count == 0 {
			continue
		}
		counts[v] = 0
		sums[v] += count
		sums[n+v] += count * level
		sums[2*n+v] += count * uint64(c.Low)
		sums[3*n+v] += count * uint64(c.High)
		sums[4*n+v] = max(sums[4*n+v], level)
	}
	packs, met := int(c.Packs), memory[uint32](c.Met)
	for pack := range packs {
		clear(bitsOf(c.Front, n, packs, pack, int(level)+1))
		clear(bitsOf(c.Touched, n, packs, pack, int(level)+2))
		shuts := bitsOf(c.Shuts, n, packs, pack, 0)
		for i := range shuts {
			bitsOf(c.Shut, n, packs, pack, 0)[i] |= shuts[i]
		}
		clear(shuts)
		if met[int(level)%3*packs+pack] == 0 || memory[uint32](c.Done)[pack] == c.N {
			memory[uint32](c.Over)[pack] = 1
		}
		met[int(level+1)%3*packs+pack] = 0
	}
}
