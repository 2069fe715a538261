package gpu

import (
	"math/bits"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
)

// frontierTwin is kernels/frontier.cl in Go. A mask is the kernel's: 32 bits
// for one word of lanes, 64 for two.
type frontierTwin[R real, M uint32 | uint64] struct {
	teams            int
	directed, linear bool
	shares           int
}

func (f frontierTwin[R, M]) lanes() int {
	if M(0)-1 == M(1<<31)*2-1 {
		return driver.Team
	}
	return 2 * driver.Team
}

const unseen = 0xffff

func frontierTwins(p simProgram, groups [2]int, call any) bool {
	switch {
	case p.float32 && p.words == 1:
		return frontierTwin[float32, uint32]{p.teams, p.directed, p.linear, p.shares}.run(groups, call)
	case p.float32:
		return frontierTwin[float32, uint64]{p.teams, p.directed, p.linear, p.shares}.run(groups, call)
	case p.words == 1:
		return frontierTwin[float64, uint32]{p.teams, p.directed, p.linear, p.shares}.run(groups, call)
	}
	return frontierTwin[float64, uint64]{p.teams, p.directed, p.linear, p.shares}.run(groups, call)
}

func (f frontierTwin[R, M]) run(groups [2]int, call any) bool {
	switch c := call.(type) {
	case methods.FrontierClear:
		f.clear(c)
	case methods.ListSources:
		f.seed(c)
	case methods.FrontierForward:
		f.forward(c)
	case methods.FrontierBackward:
		f.backward(c)
	case methods.FrontierWaive:
		f.waive(c)
	case methods.FrontierTally:
		f.tally(groups[1], c)
	case methods.FrontierSend:
		f.send(groups[1], c)
	default:
		return false
	}
	return true
}

func (f frontierTwin[R, M]) clear(c methods.FrontierClear) {
	rows := int(c.Packs * c.N)
	levels := memory[uint16](c.Levels)
	for i := range rows * f.lanes() {
		levels[i] = unseen
	}
	clear(memory[M](c.Marks)[:rows*4])
	clear(memory[M](c.Planes)[:rows*2])
	if f.directed {
		clear(memory[M](c.Seen)[:rows*4])
	}
	clear(memory[uint32](c.Found)[:c.Depth])
}

func (f frontierTwin[R, M]) seed(c methods.ListSources) {
	seed, source, marks := memory[uint32](c.Seed), memory[uint32](c.Source), memory[M](c.Marks)
	listRow, listVertex := memory[uint32](c.ListRow), memory[uint32](c.ListVertex)
	memory[uint32](c.Ends)[0], memory[uint32](c.Found)[0] = 0, c.First
	for i := range c.First {
		at := int(seed[i])
		v := source[at]
		row := at/f.lanes()*int(c.N) + int(v)
		marks[row*4] = 1 << (at % f.lanes())
		listRow[i], listVertex[i] = uint32(row), v
	}
}

// reachedList is the list of the next level's rows while it is made.
type reachedList[M uint32 | uint64] struct {
	marks          []M // four words by row; the level's is at next
	next           int
	rows, vertices []uint32
	end, capacity  uint32 // where the list begins, and its last possible end
	found          *uint32
}

// mark sets lanes of a row, and lists the row if it had none.
func (l reachedList[M]) mark(row, v uint32, lanes M) {
	word := &l.marks[int(row)*4+l.next]
	if *word == 0 {
		if to := l.end + *l.found; to < l.capacity {
			l.rows[to], l.vertices[to] = row, v
		}
		*l.found++
	}
	*word |= lanes
}

func (f frontierTwin[R, M]) forward(c methods.FrontierForward) {
	ptr, adj, multiplicity := memory[uint32](c.Ptr), memory[uint32](c.Adj), memory[float64](c.Multiplicity)
	seed, source := memory[uint32](c.Seed), memory[uint32](c.Source)
	inPtr, inAdj := memory[uint32](c.InPtr), memory[uint32](c.InAdj)
	marks, planes, seen := memory[M](c.Marks), memory[M](c.Planes), memory[M](c.Seen)
	paths, levels := memory[R](c.Paths), memory[uint16](c.Levels)
	listRow, listVertex, listMask := memory[uint32](c.ListRow), memory[uint32](c.ListVertex), memory[M](c.ListMask)
	found, ends := memory[uint32](c.Found), memory[uint32](c.Ends)
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
		listMask[i] = lanes
		for bit := range 2 {
			if level>>bit&1 != 0 && !f.directed {
				planes[int(row)*2+bit] |= lanes
			}
		}
		for left := lanes; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(uint64(left))
			sum := f.gather(inAdj[inPtr[v]:inPtr[v+1]], func(u uint32) R {
				if marks[int(base+u)*4+before]>>lane&1 == 0 {
					return 0
				}
				return paths[int(base+u)*f.lanes()+lane]
			})
			at := int(row)*f.lanes() + lane
			paths[at] = 1
			if sum != 0 {
				paths[at] = divisor(f.shares, R(multiplicity[v])*sum)
			}
			levels[at] = uint16(level)
		}
		for _, u := range adj[ptr[v]:ptr[v+1]] {
			at := int(base+u) * 4
			was := marks[at+before]
			if f.directed {
				was = seen[at+(level+1)%2]
			}
			if fresh := lanes &^ (was | marks[at+here]); fresh != 0 {
				reached.mark(base+u, u, fresh)
			}
		}
	}
	for _, at := range seed[c.First:c.Last] {
		reached.mark(at/uint32(f.lanes())*c.N+source[at], source[at], 1<<(int(at)%f.lanes()))
	}
	for i := ends[max(level-1, 0)]; f.directed && i < end; i++ {
		seen[int(listRow[i])*4+level%2] |= listMask[i]
	}
	if level >= 2 {
		for i := ends[level-2]; i < ends[level-1]; i++ {
			marks[int(listRow[i])*4+old] = 0
		}
	}
}

func (f frontierTwin[R, M]) backward(c methods.FrontierBackward) {
	ptr, adj := memory[uint32](c.Ptr), memory[uint32](c.Adj)
	targetMass, multiplicity := memory[float64](c.TargetMass), memory[float64](c.Multiplicity)
	planes, seen, paths, shares := memory[M](c.Planes), memory[M](c.Seen), memory[R](c.Paths), memory[R](c.Shares)
	listRow, listVertex, listMask := memory[uint32](c.ListRow), memory[uint32](c.ListVertex), memory[M](c.ListMask)
	level, ends, starts := int(c.Level), memory[uint32](c.Ends), memory[uint32](c.Starts)
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
			sum := f.gather(adj[ptr[v]:ptr[v+1]], func(u uint32) R {
				at := int(row - v + u)
				if f.directed {
					if seen[at*4+2+(level+1)%2]>>lane&1 == 0 {
						return 0
					}
					return shares[at*f.lanes()+lane]
				}
				if (planes[at*2]^flip[0])&(planes[at*2+1]^flip[1])>>lane&1 == 0 {
					return 0
				}
				return shares[at*f.lanes()+lane]
			})
			at := int(row)*f.lanes() + lane
			distance := level - int(starts[int(row-v)/int(c.N)*f.lanes()+lane])
			mass := f.counted(targetMass[v], distance) * shared(f.shares, targetMass, int(c.N), distance)
			settle(&paths[at], &shares[at], sum, R(mass), R(multiplicity[v]))
		}
		if f.directed {
			seen[int(row)*4+2+level%2] |= listMask[i]
		}
	}
}

// counted is the mass that a target at a distance counts for.
func (f frontierTwin[R, M]) counted(mass float64, distance int) float64 {
	if f.linear {
		return mass / float64(max(distance, 1))
	}
	return mass
}

// gather adds up the neighbours' values, in pieces of NARROW.
func (f frontierTwin[R, M]) gather(neighbours []uint32, value func(uint32) R) R {
	const narrow = 8
	var sum, lost R
	for some := range slices.Chunk(neighbours, narrow) {
		piece := pieceFrom(sum)
		for _, u := range some {
			piece += value(u)
		}
		gain(&sum, &lost, piece)
	}
	return sum
}

func (f frontierTwin[R, M]) waive(c methods.FrontierWaive) {
	lanes, vertices, masses := memory[uint32](c.WaivedLane), memory[uint32](c.WaivedVertex), memory[float64](c.WaivedMass)
	levels, targetMass, paths, shares := memory[uint16](c.Levels), memory[float64](c.TargetMass), memory[R](c.Paths), memory[R](c.Shares)
	starts := memory[uint32](c.Starts)
	for i := range c.Count {
		lane, v := int(lanes[i]), int(vertices[i])
		at := (lane/f.lanes()*int(c.N)+v)*f.lanes() + lane%f.lanes()
		if uint32(levels[at]) == c.Level {
			distance := int(c.Level) - int(starts[lane])
			mass, rest := f.counted(targetMass[v], distance), f.counted(targetMass[v]-masses[i], distance)
			shares[at] = less(shares[at], paths[at], R(mass), R(rest))
			memory[uint32](c.WaivedLevel)[i] = c.Level
		}
	}
}

// tally reads distances from levels by lane.
func (f frontierTwin[R, M]) tally(words int, c methods.FrontierTally) {
	levels, starts, paths := memory[uint16](c.Levels), memory[uint32](c.Starts), memory[R](c.Paths)
	n, wide := int(c.N), f.lanes()/driver.Team
	sums := tallySums{f.teams, n, int(c.Chunks), memory[float64](c.TargetMass), memory[float64](c.SourceMass), memory[float64](c.Rows), memory[float64](c.Parts), c.Kind, f.shares}
	for word := range words {
		pack, k := word/wide, word%wide
		sums.tally(word, func(v, lane int) (float64, int) {
			at := ((pack*n+v)*wide+k)*driver.Team + lane
			if levels[at] == unseen {
				return 0, 0
			}
			d, distance := float64(paths[at]), int(levels[at])-int(starts[word*driver.Team+lane])
			if f.linear {
				d *= 2 * float64(distance)
			}
			return d, distance
		})
	}
}

func (f frontierTwin[R, M]) send(words int, c methods.FrontierSend) {
	levels, starts := memory[uint16](c.Levels), memory[uint32](c.Starts)
	n, each := int(c.N), f.lanes()/driver.Team
	level := func(word, v, lane int) (int, bool) {
		level := levels[(word/each*n+v)*f.lanes()+word%each*driver.Team+lane]
		if level == unseen {
			return -1, false
		}
		return int(level), uint32(level) == starts[word*driver.Team+lane]
	}
	send := sendRows(f.teams, each, int(c.Planes), n, int(c.Chunks), memory[float64](c.TargetMass), memory[float64](c.Multiplicity), memory[R](c.Paths), memory[R](c.Shares),
		memory[uint32](c.Depths), memory[float64](c.Parts), level)
	for word := range words {
		send(word)
	}
}
