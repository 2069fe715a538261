package lanes

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/invariants"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// entryPaths is search with another forward pass: it keeps path counts by frontier entry, not by vertex. A row has 0 in
// the lanes that its entry does not have. So rows of the previous level are added up
// whole, without masks, and rows are written one after the other.
//
// Path counts are whole numbers, and few are large. With 16 bits a search reads a quarter of the bytes
// from the caches, for which it mostly waits. Larger counts are kept as float64, elsewhere. If they
// are many, the batch is computed again by vertex. Counts that fit are exact, so both ways give the same bits.
type entryPaths struct {
	search[float64]
	ways entryKernels
	each int // entriesEach, but in tests

	countMemory []uint16
	withMany    []uint32  // entries that have a number in many, in order
	fraction    []float64 // by vertex: what its target mass has beside the whole part; empty: nothing
	joined      []int     // positions in counts of sources whose vertex other lanes reach in the same level
}

const (
	// entriesEach is the largest mean number of entries per vertex.
	entriesEach = 12
	// countRows is how many rows are listed before they are added up: the list stays in the nearest cache.
	countRows = 1 << 12
	// largestMass is the bound below which frame.mass holds every sum.
	largestMass = 1 << 32
)

// begin prepares the forward pass.
func (s *entryPaths) begin(b *preprocess.Block, sources []uint32) {
	if s.block != b {
		s.splitMasses(b)
	}
	s.search.begin(b, sources)
	s.entryHere, s.entryNext = pages.Resize(s.entryHere, b.Vertices()), pages.Resize(s.entryNext, b.Vertices())
	s.joined, s.most, s.waived, s.withMany = s.joined[:0], [16]uint16{}, s.waived[:0], s.withMany[:0]
	clear(s.many)
	if b.Waived == nil {
		return
	}
	for i, v := range sources {
		for _, x := range b.WaivedBy(v) {
			s.waived = append(s.waived, waiver{vertex: x.Target, lane: i, mass: x.Mass})
		}
	}
	s.sortWaived()
}

// lookUpWaived sets the level of the waivers whose targets are in a level, and their mass per path.
func (s *entryPaths) lookUpWaived(at int) {
	for i := range s.waived {
		x := &s.waived[i]
		if s.next[x.vertex]>>x.lane&1 == 1 {
			paths := s.paths(int(s.entryNext[x.vertex]), x.lane)
			x.perPath, x.level = x.mass*s.members(x.vertex)/paths, at
		}
	}
}

// outByEntries finds levels and path counts, or reports that the counts do not fit.
func (s *entryPaths) outByEntries(ctx context.Context) (fits bool, err error) {
	last := slices.Max(s.start[:len(s.sources)])
	for at := 0; ; at++ {
		first := len(s.vertex)
		if at > 0 {
			s.stop(at)
			if err := s.candidates(ctx, s.levels[at-1]); err != nil {
				return false, err
			}
			if err := s.reach(ctx, at, first); err != nil {
				return false, err
			}
			if len(s.many) > mostMany(s.block) || len(s.vertex) > s.each*len(s.seen) {
				return false, nil
			}
			s.leave(s.here, s.levels[at-1])
			s.here, s.next = s.next, s.here
			s.entryHere, s.entryNext = s.entryNext, s.entryHere
		}
		s.levels = append(s.levels, level{first, len(s.vertex), len(s.vertex)})
		s.seed(at)
		if l := s.levels[at]; l.first == l.seeds && at > last {
			return true, nil
		}
	}
}

// reach counts the paths to a level's candidates, from first on.
func (s *entryPaths) reach(ctx context.Context, at, first int) error {
	s.growCounts(len(s.vertex))
	s.mass = [MaxLanes]uint32{}
	s.parts = pages.Resize(s.parts, cap(s.vertex))
	out := first
	for from, count := first, len(s.vertex); from < count; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		begin, rows := out, 0
		from, out, rows = s.ways.list(&s.frame, from, min(from+spanEntries, count), out, 0, countRows)
		clear(s.list[rows:][:lineBeyond]) // so that prefetched rows belong to existing vertices
		s.ways.count(&s.frame, begin, out)
		s.rowLoads += int64(rows)
		if slices.Max(s.most[:]) == manyPaths {
			s.countMany(begin, out)
		}
	}
	s.vertex, s.mask = s.vertex[:out], s.mask[:out]
	s.lookUpWaived(at)
	if invariants.On {
		if err := s.checkCounts(first); err != nil {
			return err
		}
	}
	s.addFractions(first)
	for i := range s.sources {
		s.meet(i, at, float64(s.mass[i])+s.reached[i])
	}
	for _, number := range s.joined { // the backward pass does not use sources
		s.counts[number] = 0
	}
	s.joined = s.joined[:0]
	return nil
}

// splitMasses prepares addFractions for a block.
func (s *entryPaths) splitMasses(b *preprocess.Block) {
	s.fraction = s.fraction[:0]
	if !slices.ContainsFunc(b.To, func(w float64) bool { return w != math.Trunc(w) }) {
		return
	}
	for _, w := range b.To {
		s.fraction = append(s.fraction, w-math.Trunc(w))
	}
}

// addFractions sets reached to the fractions of the masses of a level. Kernels add up whole parts: few masses have more.
func (s *entryPaths) addFractions(first int) {
	s.reached = [MaxLanes]float64{}
	if len(s.fraction) == 0 || s.block.Relative() && !s.block.Decay.Spreads() {
		return
	}
	for i, v := range s.vertex[first:] {
		if fraction := s.fraction[v]; fraction > 0 {
			for left := s.mask[first+i]; left != 0; left &= left - 1 {
				s.reached[bits.TrailingZeros64(left)] += fraction
			}
		}
	}
}

// growCounts makes room for the rows of so many entries. Room grows by a quarter at least, so that
// unexpected levels do not each copy all rows before.
func (s *entryPaths) growCounts(entries int) {
	if entries*MaxLanes <= len(s.counts) {
		return
	}
	had := s.counts
	s.countMemory, s.counts = pages.InOrder[uint16](nil, max(entries, entryRoom(s.block, MaxLanes), len(had)/MaxLanes*5/4)*MaxLanes)
	copy(s.counts, had)
}

// seed starts the sources of a level.
func (s *entryPaths) seed(at int) {
	for i, v := range s.sources {
		if s.start[i] != at {
			continue
		}
		entry := len(s.vertex)
		s.growCounts(entry + 1)
		if s.here[v] == 0 {
			s.entryHere[v] = uint32(entry)
			clear(s.counts[entry*MaxLanes:][:MaxLanes])
		} else {
			s.joined = append(s.joined, int(s.entryHere[v])*MaxLanes+i)
		}
		s.counts[int(s.entryHere[v])*MaxLanes+i] = 1
		bit := uint64(1) << i
		s.seen[v] |= bit
		s.here[v] |= bit
		s.vertex, s.mask = append(s.vertex, v), append(s.mask, bit)
		s.levels[at].seeds++
	}
}

// checkCounts checks counts as checkPaths does rows.
func (s *entryPaths) checkCounts(first int) error {
	for i, v := range s.vertex[first:] {
		for left := s.mask[first+i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			if err := invariants.Paths(v, float64(s.counts[(first+i)*MaxLanes+lane])); err != nil {
				return fmt.Errorf("lane %d: %w", lane, err)
			}
		}
	}
	return nil
}

// CountsByEntry says whether path counts of a block can be kept by entry. Whole parts of sums of target masses must
// have 32 bits, and entries need 32-bit numbers.
func CountsByEntry(b *preprocess.Block) bool {
	if b.Lanes != MaxLanes || b.Entries == 0 || b.Entries > entriesEach*b.Vertices() || b.Vertices() > math.MaxUint32/entriesEach {
		return false // Entries is 0 where it is unknown
	}
	mass := int64(0)
	for _, w := range b.To {
		if w >= largestMass {
			return false
		}
		if mass += int64(w); mass >= largestMass {
			return false
		}
	}
	for _, members := range b.Multiplicity {
		if members >= manyPaths {
			return false
		}
	}
	return true
}
