package gpu

import "math/bits"

// kernels/bitlanes.cl in Go: what one launch does.
func bitlanesTwins(_ simProgram, groups [2]int, call any) bool {
	switch c := call.(type) {
	case bitlanesClear:
		bitlanesClearTwin(groups[1], c)
	case bitlanesSeed:
		bitlanesSeedTwin(c)
	case bitlanesLevel:
		bitlanesLevelTwin(c)
	case bitlanesSettle:
		bitlanesSettleTwin(c)
	default:
		return false
	}
	return true
}

// bitRows are the rows of a buffer.
func bitRows(b buffer) [][rowWords]uint32 {
	words := memory[uint32](b)
	rows := make([][rowWords]uint32, len(words)/rowWords)
	for i := range rows {
		rows[i] = [rowWords]uint32(words[i*rowWords:])
	}
	return rows
}

func putRow(b buffer, i int, row [rowWords]uint32) { copy(memory[uint32](b)[i*rowWords:], row[:]) }

func bitlanesClearTwin(packs int, c bitlanesClear) {
	for pack, used := range memory[uint32](c.Used)[:packs] {
		var unused [rowWords]uint32
		for lane := int(used); lane < rowWords*team; lane++ {
			unused[lane/team] |= 1 << (lane % team)
		}
		for v := range int(c.N) {
			putRow(c.Here, pack*int(c.N)+v, [rowWords]uint32{})
			putRow(c.Seen, pack*int(c.N)+v, unused)
		}
	}
}

func bitlanesSeedTwin(c bitlanesSeed) {
	n, packs, source := int(c.N), int(c.Packs), memory[uint32](c.Source)
	met, open := memory[uint32](c.Met), memory[uint32](c.Open)
	clear(met[:3*packs])
	clear(open[:3*packs])
	for pack := range packs {
		met[pack], open[pack] = 1, 1
		for lane := range rowWords * team {
			v := source[pack*rowWords*team+lane]
			if v == noLane {
				continue
			}
			word := (pack*n+int(v))*rowWords + lane/team
			memory[uint32](c.Here)[word] |= 1 << (lane % team)
			memory[uint32](c.Seen)[word] |= 1 << (lane % team)
		}
	}
}

func bitlanesLevelTwin(c bitlanesLevel) {
	n, packs, level := int(c.N), int(c.Packs), int(c.Level)
	ptr, adj := memory[uint32](c.Ptr), memory[uint32](c.Adj)
	here, seen, counts := bitRows(c.Here), bitRows(c.Seen), memory[uint32](c.Counts)
	met, open := memory[uint32](c.Met), memory[uint32](c.Open)
	for pack := range packs {
		if before := (level-1)%3*packs + pack; met[before] == 0 || open[before] == 0 {
			continue
		}
		now := level%3*packs + pack
		for v := range n {
			at := pack*n + v
			var found [rowWords]uint32
			for _, u := range adj[ptr[v]:ptr[v+1]] {
				for k, x := range here[pack*n+int(u)] {
					found[k] |= x &^ seen[at][k]
				}
			}
			after, count := seen[at], 0
			for k, x := range found {
				after[k] |= x
				count += bits.OnesCount32(x)
				if after[k] != ^uint32(0) {
					open[now] = 1
				}
			}
			putRow(c.Next, at, found)
			putRow(c.Seen, at, after)
			if counts[v] += uint32(count); count > 0 {
				met[now] = 1
			}
		}
	}
}

func bitlanesSettleTwin(c bitlanesSettle) {
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
	for pack := range int(c.Packs) {
		at := int(c.Level+1)%3*int(c.Packs) + pack
		memory[uint32](c.Met)[at], memory[uint32](c.Open)[at] = 0, 0
	}
}
