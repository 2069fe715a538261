package meshes

import (
	"math"
	"math/bits"
)

// kernels are the inner loops. Every set gives the same bits: sums run in the order of
// the neighbours, and no operation is fused, except for flows and with hop. The lanes of a score are added level by level, the
// deepest first, as in scoreSum. Package cpu adds in the same order: it visits a vertex once in
// every level in which some lane has it.
type kernels struct {
	levelKernels
	// count visits the listed ranks, in the lanes that have no S yet and whose
	// predecessors all have theirs. It appends the visits, lists
	// in late the ranks with lanes left, and returns their number. Both lists may be the same.
	count func(f *frame, rows []float64, list, late []uint32) int
	// depend takes the visits from <= i < to in reverse, computes D and c, and adds to
	// scores and got. If the frame has slots, it also adds to the flow of each arc: the products of source, S
	// and the c of the arc's end.
	depend func(f *frame, rows []float64, from, to int)
}

// levelKernels are the kernels that work on levels alone.
type levelKernels struct {
	name string
	// relax lowers the levels of the listed ranks, one after the other, to one more than
	// the levels of their neighbours. It lists the changed ranks, and returns their number.
	// changed has room for all listed ranks.
	relax func(f *frame, list, changed []uint32) int
	// measure stores the sum of the levels of each rank from <= r < to in sums. It adds the levels of each lane
	// to perLane, and times the rank's target mass to weighed if the frame weighs.
	measure func(f *frame, from, to int)
	// collect adds the levels of each rank from <= r < to to its sum in sums. It raises most to
	// the largest of them, and adds their inverses to inverse. The inverses are listed by
	// level.
	collect func(f *frame, inverses []uint64, from, to int)
	// relaxShort and collectShort are relax and collect for short levels.
	relaxShort   func(f *frame, list, changed []uint32) int
	collectShort func(f *frame, inverses []uint64, from, to int)
}

// portable returns the set that runs on all processors, the twin of all others.
func portable() kernels {
	return kernels{portableLevels(), count, depend}
}

func portableLevels() levelKernels {
	return levelKernels{"go", relax, measure, collect, relaxShort, collectShort}
}

func relax(f *frame, list, changed []uint32) (count int) {
	for _, r := range list {
		row, lower := f.levelsOf(r), false
		least := [lanes]uint16{}
		for i := range least {
			least[i] = far
		}
		for _, u := range f.neighbours(r) {
			for i, x := range f.levelsOf(u) {
				least[i] = min(least[i], x)
			}
		}
		for i, x := range least {
			if x+1 < row[i] {
				row[i], lower = x+1, true
			}
		}
		changed[count] = r
		if lower {
			count++
		}
	}
	return count
}

func measure(f *frame, from, to int) {
	for r := from; r < to; r++ {
		sum, weight := uint32(0), f.weight[f.order[r]]
		for i, x := range f.levelsOf(uint32(r)) {
			sum += uint32(x)
			f.perLane[i] += x
			if f.weighs {
				f.weighed[i] += float64(weight * float64(x)) // never fused
			}
		}
		f.sums[r] = sum
	}
}

func collect(f *frame, inverses []uint64, from, to int) {
	for r := from; r < to; r++ {
		sum, most, inverse := f.sums[r], f.most[r], f.inverse[r]
		for _, x := range f.levelsOf(uint32(r)) {
			sum += uint32(x)
			most = max(most, uint32(x))
			inverse += inverses[x]
		}
		f.sums[r], f.most[r], f.inverse[r] = sum, most, inverse
	}
}

// before returns the lanes in which rank u is one level before rank v.
func (f *frame) before(u, v uint32) (m uint64) {
	first, second := f.levelsOf(u), f.levelsOf(v)
	for lane, x := range first {
		if x+1 == second[lane] {
			m |= 1 << lane
		}
	}
	return m
}

func count(f *frame, rows []float64, list, late []uint32) (left int) {
	for _, r := range list {
		count, ready, behind := f.visit(r, (*frame).before)
		late[left] = r
		left += nonzero(behind)
		if ready == 0 {
			continue
		}
		sum, mu, numbers := gather(f, rows, count, ready), f.members(r), rowOf(rows, r)
		for m := ready; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			numbers[lane] = sum[lane] * mu
		}
	}
	return left
}

// visit lists the predecessors of a vertex in lanes that have not visited it. It visits the vertex in
// the ready lanes, in which all predecessors are visited. In the lanes behind, some predecessor
// is not.
func (f *frame) visit(r uint32, before func(f *frame, u, v uint32) uint64) (count int, ready, behind uint64) {
	todo := f.everyLane &^ f.done[r]
	for _, u := range f.neighbours(r) {
		m := before(f, u, r) & todo
		f.list[count], f.listMask[count] = u, m
		count += nonzero(m)
		behind |= m &^ f.done[u]
	}
	if ready = todo &^ behind; ready != 0 {
		f.done[r] |= ready
		f.rank[f.visits], f.mask[f.visits] = r, ready
		f.visits++
		f.rowLoads += int64(count)
	}
	return count, ready, behind
}

func depend(f *frame, rows []float64, from, to int) {
	for i := to - 1; i >= from; i-- {
		count := f.listBehind(i, (*frame).before)
		if f.slots != nil {
			f.addFlows(rows, i, count)
		}
		settle(f, rows, i, gather(f, rows, count, f.mask[i]))
	}
}

// addFlows adds the flows of a visit over the arcs to the first count listed ranks.
func (f *frame) addFlows(rows []float64, visit, count int) {
	row := rowOf(rows, f.rank[visit])
	clear(f.sending[:])
	for m := f.mask[visit]; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros64(m)
		f.sending[lane] = f.source[lane] * float64(row[lane])
	}
	for k, u := range f.list[:count] {
		parts, row := [4]float64{}, rowOf(rows, u)
		for lane, sent := range f.sending {
			c := 0.0
			if f.listMask[k]>>lane&1 != 0 {
				c = float64(row[lane])
			}
			parts[lane%4] = math.FMA(sent, c, parts[lane%4])
		}
		f.flows[f.listSlot[k]] += (parts[0] + parts[2]) + (parts[1] + parts[3])
	}
}

// listBehind lists the successors of a visit in its lanes, and returns their
// number.
func (f *frame) listBehind(visit int, before func(f *frame, u, v uint32) uint64) (count int) {
	r, m := f.rank[visit], f.mask[visit]
	for e := f.offsets[r]; e < f.offsets[r+1]; e++ {
		u := f.targets[e]
		common := before(f, r, u) & m
		f.list[count], f.listMask[count] = u, common
		if f.slots != nil {
			f.listSlot[count] = f.slots[e]
		}
		count += nonzero(common)
	}
	f.rowLoads += int64(count)
	return count
}

// settle turns the sums of a visit's listed rows into D and c.
func settle(f *frame, rows []float64, visit int, sum [lanes]float64) {
	r, m := f.rank[visit], f.mask[visit]
	numbers, sent := rowOf(rows, r), f.sent[:lanes]
	mu, weight, shares := f.members(r), f.weight[f.order[r]], f.sharesOf(visit)
	clear(sent)
	for left := m; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros64(left)
		d := float64(numbers[lane] * sum[lane]) // the conversion keeps arm64 from fusing
		f.got[lane] += d
		sent[lane] = float64(f.source[lane] * d)
		numbers[lane] = math.FMA(sum[lane], f.hop[0], float64(weight*shares[lane])/numbers[lane]) * mu
	}
	if m != f.everyLane {
		kept := f.sent[int(f.slot[visit]/2)*lanes:][:lanes]
		for lane, x := range sent {
			kept[lane] += x
		}
		if sent = kept; f.slot[visit]&1 == 0 {
			return
		}
	}
	f.score(f.order[r], mu, f.levelsOf(r), sent)
}

func rowOf(rows []float64, r uint32) *[lanes]float64 {
	return (*[lanes]float64)(rows[int(r)*lanes:])
}

// gather adds the first count listed rows in their ready lanes.
func gather(f *frame, rows []float64, count int, ready uint64) (sum [lanes]float64) {
	for k, u := range f.list[:count] {
		row := rowOf(rows, u)
		for m := f.listMask[k] & ready; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			sum[lane] += row[lane]
		}
	}
	return sum
}

// score adds sent to the score of a vertex, level by level, and clears the buckets.
func (f *frame) score(v uint32, mu float64, row *[lanes]uint16, sent []float64) {
	least, most := row[0], row[0]
	for lane, x := range sent {
		level := row[lane]
		least, most = min(least, level), max(most, level)
		f.buckets[level][lane%8] += x
	}
	for level := int(most); level >= int(least); level-- {
		f.scores[v] += scoreSum(&f.buckets[level]) * f.shareOf[level] / mu
		f.buckets[level] = [8]float64{}
	}
}

// scoreSum adds eight partial sums.
func scoreSum(p *[8]float64) float64 {
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}

// members returns the multiplicity of a rank.
func (f *frame) members(r uint32) float64 {
	if f.multiplicity == nil {
		return 1
	}
	return f.multiplicity[f.order[r]]
}

// nonzero returns 1 if m is not 0, and 0 otherwise.
func nonzero(m uint64) int { return int((m | -m) >> 63) }
