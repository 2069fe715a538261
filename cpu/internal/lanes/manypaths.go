package lanes

import (
	"math"
	"math/bits"
	"slices"

	"bcstage/preprocess"
)

// Path counts that 16 bits do not hold, where counts are kept by entry: counts has manyPaths, and many the number. Kernels do not
// know of many: entries that have one go by the Portable kernels, one at a time. Of the counts of
// soc-Slashdot0902, directed, four in a million are such.

const (
	// manyPaths is what sums of path counts end at that are larger.
	manyPaths = math.MaxUint16
	// manyShare: for how many vertices of a block there may be one number in many. With each, a few arcs are looked at once
	// more, and kernels begin anew: a batch takes some hundredths longer with the most.
	manyShare = 64
	// manyAnyway is how many there may be in any block.
	manyAnyway = 64
)

// mostMany is how many numbers there may be in many.
func mostMany(b *preprocess.Block) int { return max(manyAnyway, b.Vertices()/manyShare) }

// paths is S of an entry that has the lane.
func (f *frame) paths(entry, lane int) float64 {
	if x := f.counts[entry*MaxLanes+lane]; x < manyPaths {
		return float64(x)
	}
	return f.many[entry*MaxLanes+lane]
}

// countMany counts the paths of those of some entries whose counts have ended at manyPaths, adding up in the order of
// searches that have float64. When there are more than there may be, the batch does not fit, and the rest is left.
func (s *entryPaths) countMany(first, end int) {
	s.most = [16]uint16{} // for those that come
	if s.many == nil {
		s.many = map[int]float64{}
	}
	for i := first; i < end && len(s.many) <= mostMany(s.block); i++ {
		counts, v, has := s.counts[i*MaxLanes:][:MaxLanes], s.vertex[i], false
		for left := s.mask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			if counts[lane] < manyPaths {
				continue
			}
			sum := 0.0
			for _, u := range neighbours(s.inOffsets, s.inTargets, v) {
				if s.here[u]>>lane&1 != 0 {
					sum += s.paths(int(s.entryHere[u]), lane)
				}
			}
			s.many[i*MaxLanes+lane], has = sum*s.members(v), true
		}
		if has {
			s.withMany = append(s.withMany, uint32(i))
		}
	}
}

// besideMany is kernels of which entries with a number in many go by the Portable ones.
func (s *entryPaths) besideMany(ways kernels[float64]) kernels[float64] {
	if len(s.withMany) == 0 {
		return ways
	}
	type kernel func(f *frame, rows []float64, from, to int)
	beside := func(way, twin kernel) kernel {
		return func(f *frame, rows []float64, from, to int) {
			at, _ := slices.BinarySearch(s.withMany, uint32(from))
			for ; at < len(s.withMany) && int(s.withMany[at]) < to; at++ {
				i := int(s.withMany[at])
				way(f, rows, from, i)
				twin(f, rows, i, i+1)
				from = i + 1
			}
			way(f, rows, from, to)
		}
	}
	twins := portableEntries().back
	return kernels[float64]{
		backward:      beside(ways.backward, twins.backward),
		backwardDrawn: beside(ways.backwardDrawn, twins.backwardDrawn),
		backwardFlows: beside(ways.backwardFlows, twins.backwardFlows),
	}
}

// lineKernel is a way back of lineKernels.
type lineKernel func(f *frame, rows []float64, line, entries int)

// runBesideMany runs a kernel over the entries of the frame's line, so many, and its twin over those with a number in many.
func (s *byLines) runBesideMany(rows []float64, line, entries int, kernel, twin lineKernel) {
	if !s.byEntry || entries == 0 || len(s.withMany) == 0 {
		kernel(&s.frame, rows, line, entries)
		return
	}
	l := &s.line
	sums := l.rowSums
	from, _ := slices.BinarySearch(s.withMany, l.entryNumber[0])
	for _, number := range s.withMany[from:] {
		i, has := slices.BinarySearch(l.entryNumber[:entries], number)
		if i == entries {
			break
		}
		if has {
			kernel(&s.frame, rows, line, i)
			l.pass(i)
			twin(&s.frame, rows, line, 1)
			l.pass(1)
			entries -= i + 1
		}
	}
	kernel(&s.frame, rows, line, entries)
	l.begun, l.rowSums = 0, sums
}

// pass has the line begin so many entries later.
func (l *lineFrame) pass(entries int) {
	sums := 0
	for _, end := range l.entryEnd[:entries] {
		sums += nonzero(uint64(end - l.begun))
		l.begun = end
	}
	l.rowSums = l.rowSums[sums*lineLanes:]
	l.entryAt, l.entryMask, l.entryEnd, l.entryNumber = l.entryAt[entries:], l.entryMask[entries:], l.entryEnd[entries:], l.entryNumber[entries:]
}
