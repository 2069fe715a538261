package gpu

import "math/bits"

// frontierTwin is kernels/frontier.cl in Go. A mask is the kernel's: 32 bits
// for one word of lanes, 64 for two.
type frontierTwin[R real, M uint32 | uint64] struct{}

func (f frontierTwin[R, M]) lanes() int {
	if M(0)-1 == M(1<<31)*2-1 {
		return team
	}
	return 2 * team
}

const unseen = 0xffff

func (f frontierTwin[R, M]) clear(n, packs, depth int, marks, planes []M, levels []uint16, counts []uint32) {
	for i := range packs * n * f.lanes() {
		levels[i] = unseen
	}
	clear(marks[:packs*n*4])
	clear(planes[:packs*n*2])
	clear(counts[:depth])
}

func (f frontierTwin[R, M]) seed(n, first int, seed, source []uint32, marks []M, listRow, listVertex, counts, ends []uint32) {
	ends[0], counts[0] = 0, uint32(first)
	for i := range first {
		at := int(seed[i])
		v := source[at]
		row := at/f.lanes()*n + int(v)
		marks[row*4] = 1 << (at % f.lanes())
		listRow[i], listVertex[i] = uint32(row), v
	}
}

func (f frontierTwin[R, M]) forward(n, level, capacity, first, last int, ptr, adj []uint32, multiplicity []float64, seed, source []uint32,
	marks, planes []M, paths []R, levels []uint16, listRow, listVertex []uint32, listMask []M, counts, ends []uint32) {
	begin := ends[level]
	end := begin + counts[level]
	ends[level+1] = end
	if int(end) > capacity {
		return
	}
	here, next, old, before := level%4, (level+1)%4, (level+2)%4, (level+3)%4
	mark := func(row, v uint32, lanes M) {
		word := &marks[int(row)*4+next]
		if *word == 0 {
			if to := end + counts[level+1]; int(to) < capacity {
				listRow[to], listVertex[to] = row, v
			}
			counts[level+1]++
		}
		*word |= lanes
	}
	for i := begin; i < end; i++ {
		row, v := listRow[i], listVertex[i]
		base := row - v
		lanes := marks[int(row)*4+here]
		listMask[i] = lanes
		for bit := range 2 {
			if level>>bit&1 != 0 {
				planes[int(row)*2+bit] |= lanes
			}
		}
		for left := lanes; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(uint64(left))
			sum := R(0)
			for _, u := range adj[ptr[v]:ptr[v+1]] {
				if marks[int(base+u)*4+before]>>lane&1 != 0 {
					sum += paths[int(base+u)*f.lanes()+lane]
				}
			}
			at := int(row)*f.lanes() + lane
			paths[at] = 1
			if sum != 0 {
				paths[at] = R(multiplicity[v]) * sum
			}
			levels[at] = uint16(level)
		}
		for _, u := range adj[ptr[v]:ptr[v+1]] {
			at := int(base+u) * 4
			if fresh := lanes &^ (marks[at+before] | marks[at+here]); fresh != 0 {
				mark(base+u, u, fresh)
			}
		}
	}
	for _, at := range seed[first:last] {
		mark(at/uint32(f.lanes())*uint32(n)+source[at], source[at], 1<<(int(at)%f.lanes()))
	}
	if level >= 2 {
		for i := ends[level-2]; i < ends[level-1]; i++ {
			marks[int(listRow[i])*4+old] = 0
		}
	}
}

func (f frontierTwin[R, M]) backward(level int, ptr, adj []uint32, weight, multiplicity []float64, planes []M, paths, shares []R,
	listRow, listVertex []uint32, listMask []M, ends []uint32) {
	var flip [2]M
	for bit := range flip {
		if (level+1)>>bit&1 == 0 {
			flip[bit] = ^M(0)
		}
	}
	for i := ends[level]; i < ends[level+1]; i++ {
		row, v := listRow[i], listVertex[i]
		for left := listMask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(uint64(left))
			sum := R(0)
			for _, u := range adj[ptr[v]:ptr[v+1]] {
				at := int(row - v + u)
				if (planes[at*2]^flip[0])&(planes[at*2+1]^flip[1])>>lane&1 != 0 {
					sum += shares[at*f.lanes()+lane]
				}
			}
			at := int(row)*f.lanes() + lane
			settle(&paths[at], &shares[at], sum, R(weight[v]), R(multiplicity[v]))
		}
	}
}
