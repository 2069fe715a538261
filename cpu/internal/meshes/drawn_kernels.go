package meshes

import "math/bits"

// DrawnLanes is how many drawn sources are searched together: a register holds their levels
// of a vertex.
const DrawnLanes = 16

// portableDrawn returns the set for drawn sources that runs on all processors, the twin of all others. It works on
// the first DrawnLanes lanes of levels; rows, sums and perLane have so many lanes.
func portableDrawn() kernels {
	return kernels{levelKernels: levelKernels{name: "go", relax: relax, measure: measureDrawn}, count: countDrawn, depend: dependDrawn}
}

func drawnRow(rows []float64, r uint32) []float64 {
	return rows[int(r)*DrawnLanes:][:DrawnLanes]
}

func measureDrawn(f *frame, from, to int) {
	for r := from; r < to; r++ {
		sum := uint32(0)
		for i, x := range f.levels[r*lanes:][:DrawnLanes] {
			sum += uint32(x)
			f.perLane[i] += x
		}
		f.sums[r] = sum
	}
}

// beforeDrawn is before for DrawnLanes lanes.
func (f *frame) beforeDrawn(u, v uint32) (m uint64) {
	row := f.levels[int(v)*lanes:][:DrawnLanes]
	for lane, x := range f.levels[int(u)*lanes:][:DrawnLanes] {
		if x+1 == row[lane] {
			m |= 1 << lane
		}
	}
	return m
}

func countDrawn(f *frame, rows []float64, list, late []uint32) (left int) {
	for _, r := range list {
		count, ready, behind := f.visit(r, (*frame).beforeDrawn)
		late[left] = r
		left += nonzero(behind)
		if ready == 0 {
			continue
		}
		sum, mu, numbers := f.gatherDrawn(rows, count, ready), f.members(r), drawnRow(rows, r)
		for m := ready; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			numbers[lane] = sum[lane] * mu
		}
	}
	return left
}

func dependDrawn(f *frame, rows []float64, from, to int) {
	for i := to - 1; i >= from; i-- {
		r, m, count := f.rank[i], f.mask[i], f.listBehind(i, (*frame).beforeDrawn)
		sum, numbers, row := f.gatherDrawn(rows, count, m), drawnRow(rows, r), f.levels[int(r)*lanes:]
		mu, weight := f.members(r), f.weight[f.order[r]]
		var score, drawn, square [4]float64
		for left := m; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			distance := float64(f.slope*(float64(row[lane])-f.from[lane])) + f.level // the conversions keep arm64 from fusing
			d := float64(float64(numbers[lane]*sum[lane]) * float64(distance*f.stretch))
			numbers[lane] = (weight/float64(distance*numbers[lane]) + sum[lane]) * mu
			f.got[lane] += d
			score[lane%4] += float64(f.source[lane] * d)
			x := float64(f.draws[lane] * d)
			drawn[lane%4] += x
			square[lane%4] += float64(x * d)
		}
		parts := &f.parts[r]
		for i, p := range [4]*[4]float64{&score, &drawn, &square, &square} {
			parts[i] += (p[0] + p[1]) + (p[2] + p[3])
		}
	}
}

// gatherDrawn adds the first count listed rows in their ready lanes.
func (f *frame) gatherDrawn(rows []float64, count int, ready uint64) (sum [DrawnLanes]float64) {
	for k, u := range f.list[:count] {
		row := drawnRow(rows, u)
		for m := f.listMask[k] & ready; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			sum[lane] += row[lane]
		}
	}
	return sum
}
