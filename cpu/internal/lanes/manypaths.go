package lanes

import (
	"math"
	"math/bits"
	"slices"

	"bcstage/preprocess"
)

// Path counts by entry that exceed 16 bits: counts has manyPaths, and many the number. Vector kernels do not
// read many, so the Portable kernels compute the entries with such a number, one at a time. In soc-Slashdot0902,
// directed, four counts in a million are so large.

const (
	// manyPaths is the value at which counts saturate.
	manyPaths = math.MaxUint16
	// manyShare is the number of vertices of a block per number allowed in many. Each such number costs a second look at a
	// few arcs, and a new start of kernels: with the most numbers a batch takes some hundredths longer.
	manyShare = 64
	// manyAnyway is how many numbers any block may have in many.
	manyAnyway = 64
)

// mostMany returns how many numbers a block may have in many.
func mostMany(b *preprocess.Block) int { return max(manyAnyway, b.Vertices()/manyShare) }

// paths returns S of an entry that has the lane.
func (f *frame) paths(entry, lane int) float64 {
	if x := f.counts[entry*MaxLanes+lane]; x < manyPaths {
		return float64(x)
	}
	return f.many[entry*MaxLanes+lane]
}

// countMany counts the paths of entries first..end-1 again where counts has manyPaths. It adds in the order of
// searches in float64. It stops at more than mostMany numbers, since the batch does not fit then.
func (s *entryPaths) countMany(first, end int) {
	s.most = [16]uint16{} // for later entries
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

// besideMany wraps kernels such that the Portable ones compute entries with a number in many.
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
	twins := goKernels[float64]()
	return kernels[float64]{
		backward:      beside(ways.backward, twins.backward),
		backwardDrawn: beside(ways.backwardDrawn, twins.backwardDrawn),
		backwardFlows: beside(ways.backwardFlows, twins.backwardFlows),
	}
}

// lineKernel is a backward kernel of lineKernels.
type lineKernel func(f *frame, rows []float64, line, entries int)

// runBesideMany runs a kernel over the first entries of the frame's line, and its twin over entries with a number in many.
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

// pass makes the line begin so many entries later.
func (l *lineFrame) pass(entries int) {
	sums := 0
	for _, end := range l.entryEnd[:entries] {
		sums += nonzero(uint64(end - l.begun))
		l.begun = end
	}
	l.rowSums = l.rowSums[sums*lineLanes:]
	l.entryAt, l.entryMask, l.entryEnd, l.entryNumber = l.entryAt[entries:], l.entryMask[entries:], l.entryEnd[entries:], l.entryNumber[entries:]
}
