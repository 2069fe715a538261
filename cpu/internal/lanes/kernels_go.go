package lanes

import (
	"math"
	"math/bits"
	"unsafe"
)

// goKernels returns the Portable twins of the assembly kernels.
func goKernels[T float32 | float64]() kernels[T] {
	set := kernels[T]{forward: forward[T], backward: backward[T], backwardDrawn: backwardDrawn[T]}
	if set, is := any(&set).(*kernels[float64]); is {
		set.backwardFlows = backwardFlows
	}
	return set
}

// rowLength returns the number of lanes of a frame's rows.
func rowLength[T float32 | float64](f *frame) int {
	return int(uintptr(f.rowBytes) / unsafe.Sizeof(T(0)))
}

func forward[T float32 | float64](f *frame, rows []T, from, to, out int) int {
	var sum [MaxLanes]T
	lanes := rowLength[T](f)
	for i := from; i < to; i++ {
		v := f.vertex[i]
		count, m := f.takePart(neighbours(f.inOffsets, f.inTargets, v), f.mask[i], f.here)
		if m == 0 {
			continue
		}
		gather(f, rows, lanes, count, &sum)
		mu, row := T(1), rows[int(v)*lanes:][:lanes]
		if f.multiplicity != nil {
			mu = T(f.multiplicity[v])
		}
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			row[lane] = sum[lane] * mu
			f.reached[lane] += f.weight[v]
		}
		f.seen[v] |= m
		f.next[v] = m
		f.vertex[out], f.mask[out] = v, m
		out++
	}
	return out
}

func backward[T float32 | float64](f *frame, rows []T, from, to int) {
	var sum [MaxLanes]T
	lanes := rowLength[T](f)
	for i := from; i < to; i++ {
		v, m := f.vertex[i], f.mask[i]
		count, _ := f.takePart(neighbours(f.offsets, f.targets, v), m, f.next)
		gather(f, rows, lanes, count, &sum)
		mu, weight, row := 1.0, T(f.weight[v]), countsIn(f, rows[int(v)*lanes:][:lanes], i)
		if f.multiplicity != nil {
			mu = f.multiplicity[v]
		}
		var score [8]float64
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			d := float64(row[lane] * sum[lane])
			f.got[lane] += d
			score[lane%8] += float64(f.source[lane] * d) // the conversion keeps arm64 from fusing
			row[lane] = hopped(f, sum[lane], weight/row[lane]) * T(mu)
		}
		f.scores[v] += scoreSum(&score) / mu
		f.here[v] = m
	}
}

func backwardDrawn[T float32 | float64](f *frame, rows []T, from, to int) {
	var sum [MaxLanes]T
	lanes := rowLength[T](f)
	for i := from; i < to; i++ {
		v, m := f.vertex[i], f.mask[i]
		count, _ := f.takePart(neighbours(f.offsets, f.targets, v), m, f.next)
		gather(f, rows, lanes, count, &sum)
		mu, row := 1.0, countsIn(f, rows[int(v)*lanes:][:lanes], i)
		if f.multiplicity != nil {
			mu = f.multiplicity[v]
		}
		var score, drawn, square [8]float64
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			d := float64(float64(row[lane]*sum[lane]) * f.stretch[lane])
			f.got[lane] += d
			score[lane%8] += float64(f.source[lane] * d)
			x := float64(f.draws[lane] * d)
			drawn[lane%8] += x
			square[lane%8] += float64(x * d)
			weight := T(f.weight[v] * f.share[lane])
			row[lane] = hopped(f, sum[lane], weight/row[lane]) * T(mu)
		}
		f.scores[v] += scoreSum(&score) / mu
		if f.drawn != nil {
			f.drawn[v] += scoreSum(&drawn) / mu
			f.squares[v] += scoreSum(&square) / mu / mu
		}
		f.here[v] = m
	}
}

// countsIn returns the row of an entry, with the path counts by entry in it, if the frame has any.
func countsIn[T float32 | float64](f *frame, row []T, i int) []T {
	if f.counts != nil {
		for left := f.mask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			row[lane] = T(f.paths(i, lane))
		}
	}
	return row
}

// backwardFlows adds the products of an arc up in four parts, lane modulo 4, line by line. It
// multiplies and adds in one operation.
func backwardFlows(f *frame, rows []float64, from, to int) {
	lanes := rowLength[float64](f)
	for i := from; i < to; i++ {
		v, m := f.vertex[i], f.mask[i]
		count := 0
		for e := f.offsets[v]; e < f.offsets[v+1]; e++ {
			u := f.targets[e]
			f.list[count], f.listMask[count], f.listSlot[count] = u, f.next[u]&m, f.slots[e]
			count += nonzero(f.next[u] & m)
		}
		f.rowLoads += int64(count)
		mu, row := f.members(v), countsIn(f, rows[int(v)*lanes:][:lanes], i)
		var score [8]float64
		for line := 0; line < lanes; line += 8 {
			if m>>line&0xff == 0 {
				continue
			}
			var sum, sent [8]float64
			for left := m >> line & 0xff; left != 0; left &= left - 1 {
				lane := line + bits.TrailingZeros64(left)
				sent[lane-line] = float64(f.source[lane] * row[lane])
			}
			for k, u := range f.list[:count] {
				flow := f.listFlow[4*k:][:4]
				for lane := range sum {
					c := 0.0
					if f.listMask[k]>>(line+lane)&1 != 0 {
						c = rows[int(u)*lanes+line+lane]
					}
					sum[lane] += c
					flow[lane%4] = math.FMA(sent[lane], c, flow[lane%4])
				}
			}
			for left := m >> line & 0xff; left != 0; left &= left - 1 {
				lane := line + bits.TrailingZeros64(left)
				d := float64(row[lane] * sum[lane-line])
				f.got[lane] += d
				score[lane%8] += float64(f.source[lane] * d)
				row[lane] = (f.weight[v]/row[lane] + sum[lane-line]) * mu
			}
		}
		for k, slot := range f.listSlot[:count] {
			flow := f.listFlow[4*k:][:4]
			f.flows[slot] += (flow[0] + flow[2]) + (flow[1] + flow[3])
			clear(flow)
		}
		f.scores[v] += scoreSum(&score) / mu
		f.here[v] = m
	}
}

// hopped returns what c counts for one level before, and a seed. Searches of float32 have no hop.
func hopped[T float32 | float64](f *frame, sum, seed T) T {
	if unsafe.Sizeof(seed) == 4 {
		return sum + seed
	}
	return T(math.FMA(float64(sum), f.hop[0], float64(seed)))
}

// neighbours returns the neighbours of v in compressed sparse rows.
func neighbours(offsets []int64, targets []uint32, v uint32) []uint32 {
	return targets[offsets[v]:offsets[v+1]]
}

// takePart lists the neighbours that are in a level in some lanes of m. It returns
// their number and the union of these lanes.
func (f *frame) takePart(neighbours []uint32, m uint64, level []uint64) (count int, all uint64) {
	count, all = takePart(neighbours, m, level, f.list, f.listMask)
	f.rowLoads += int64(count)
	return count, all
}

func takePart(neighbours []uint32, m uint64, level []uint64, list []uint32, masks []uint64) (count int, all uint64) {
	for _, u := range neighbours {
		common := level[u] & m
		all |= common
		list[count], masks[count] = u, common
		count += nonzero(common)
	}
	return count, all
}

// PieceRows is how many rows of float32 are added before their sum is added to a
// total of float64. The neighbours of a hub have thousands of equal numbers, and a float32 sum
// rounds all of them the same way. The error is 1e-3 of the sum for 200 000 numbers,
// and 2e-6 at most for 64.
const PieceRows = 64

// gather adds the first count listed rows in their lanes: rows of float64 one
// after the other, rows of float32 in pieces.
func gather[T float32 | float64](f *frame, rows []T, lanes, count int, sum *[MaxLanes]T) {
	clear(sum[:lanes])
	if count <= PieceRows || unsafe.Sizeof(T(0)) == 8 {
		addRows(f, rows, lanes, 0, count, sum)
		return
	}
	var total [MaxLanes]float64
	for first := 0; first < count; first += PieceRows {
		clear(sum[:lanes])
		addRows(f, rows, lanes, first, min(first+PieceRows, count), sum)
		for lane, x := range sum[:lanes] {
			total[lane] += float64(x)
		}
	}
	for lane, x := range total[:lanes] {
		sum[lane] = T(x)
	}
}

// addRows adds the listed rows first..end-1 in their lanes.
func addRows[T float32 | float64](f *frame, rows []T, lanes, first, end int, sum *[MaxLanes]T) {
	masks := f.listMask[first:end]
	for k, u := range f.list[first:end] {
		row := rows[int(u)*lanes:][:lanes]
		for left := masks[k]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			sum[lane] += row[lane]
		}
	}
}
