package meshes

import (
	"context"
	"math/bits"
	"unsafe"

	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// In a directed block, distances exceed the breadth-first levels of the undirected one, sources need not reach all
// vertices, and some count targets for less. This file has what that takes.

const (
	// joinedShare: of a block that is worth a Search, one vertex reaches all but 1/joinedShare, and is reached by as many.
	// Lanes of other blocks disagree about the order of vertices.
	joinedShare = 8
	// farthestSeen is the longest distance of which a start and the distance surely fit in 16 bits.
	farthestSeen = 1 << 13
)

// Joined says whether a directed block is strongly connected but for a small part.
func Joined(b *preprocess.Block) bool {
	n := b.Vertices()
	return min(b.Around.Out, b.Around.In) >= n-n/joinedShare
}

// Near says whether 16 bits hold all levels of a directed block. A path that avoids some vertex has no more arcs than
// vertices that the one does not reach, or that do not reach it.
func Near(b *preprocess.Block) bool {
	n, a := b.Vertices(), b.Around
	return n <= farthestSeen || max(a.Ahead+a.Behind, n-a.Out, n-a.In) <= farthestSeen
}

// goneLanes are the lanes whose sources do not reach a vertex.
type goneLanes struct {
	rank  uint32
	lanes uint64
}

// bound makes room for the scores of all levels. In a directed block, a vertex that a source does not reach gets a level
// in its lane which no predecessor and no successor has: the bits of all other levels, united. Counts of paths there
// become 0, and nobody reads their c.
func (s *Search) bound(ctx context.Context, _ []uint32) error {
	top := uint16(len(s.ends) + s.farthest + int(s.latest))
	if s.gone = s.gone[:0]; s.block.Directed() {
		var err error
		if top, err = s.findGone(ctx); err != nil {
			return err
		}
	}
	for _, x := range s.gone {
		row := s.levelsOf(x.rank)
		for m := x.lanes; m != 0; m &= m - 1 {
			row[bits.TrailingZeros64(m)] = top
		}
	}
	s.buckets = pages.Resize(s.buckets, int(top)+1)
	return nil
}

// findGone lists the vertices that some source does not reach, and returns all other levels, their bits united.
func (s *Search) findGone(ctx context.Context) (united uint16, err error) {
	const one = 1<<48 | 1<<32 | 1<<16 | 1 // a 1 for each of four lanes
	four := uint64(0)                     // united, by every fourth lane
	for r := range uint32(len(s.rankOf)) {
		if r%segment == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		row := s.levelsOf(r)
		levels, beyond := uint64(0), uint64(0)
		for _, x := range (*[lanes / 4]uint64)(unsafe.Pointer(row)) {
			levels |= x
			beyond |= x + one // far + 1 has a bit more than all others
		}
		if beyond&((far+1)*one) == 0 {
			four |= levels
			continue
		}
		out := goneLanes{rank: r}
		for lane, x := range row {
			if x == far {
				out.lanes |= 1 << lane
			} else {
				united |= x
			}
		}
		s.gone = append(s.gone, out)
	}
	return united | uint16(four|four>>16|four>>32|four>>48), nil
}

// leaveOut leaves the vertices that sources do not reach out of want and reached.
func (s *Search) leaveOut(sources []uint32) {
	for _, x := range s.gone {
		weight, row := s.weight[s.order[x.rank]], s.levelsOf(x.rank)
		for i := range sources {
			if x.lanes>>i&1 == 1 {
				s.want[i] -= weight * (float64(row[i]) - float64(s.start[i]) - 1)
				s.reached[i] -= weight
			}
		}
	}
}

// waivers are the parts of targets' masses that sources of a batch do not count: see preprocess.Block.Waived.
type waivers struct {
	waived   []waiver
	waivedAt []uint32 // by rank: its first waiver plus 1; 0: none
}

type waiver struct {
	lane    int
	perPath float64
	next    uint32 // the next one of its rank, as in waivedAt
}

// noteWaived looks up the waivers of the sources for the vertices that they reach, while rows hold path counts. It
// subtracts them from want and reached.
func (s *Search) noteWaived() {
	if s.waived = s.waived[:0]; s.block.Waived == nil {
		return
	}
	s.waivedAt = pages.Cleared(s.waivedAt, len(s.rankOf))
	for i, r := range s.sources {
		for _, x := range s.block.WaivedBy(s.order[r]) {
			at := s.rankOf[x.Target] - 1
			paths := rowOf(s.rows, at)[i]
			if at == r || paths == 0 {
				continue
			}
			distance := int(s.levelsOf(at)[i]) - int(s.start[i])
			s.want[i] -= x.Mass * float64(distance-1)
			s.reached[i] -= x.Mass
			s.waived = append(s.waived, waiver{lane: i, perPath: x.Mass * s.members(at) / paths, next: s.waivedAt[at]})
			s.waivedAt[at] = uint32(len(s.waived))
		}
	}
}

// lastWaived returns the last of the visits first..end-1 whose vertex has waivers; first if none has.
func (s *Search) lastWaived(first, end int) int {
	if len(s.waived) == 0 {
		return first
	}
	for visit := end - 1; visit > first; visit-- {
		if s.waivedAt[s.rank[visit]] != 0 {
			return visit
		}
	}
	return first
}

// waive subtracts the waivers of a visit from c, which the visit has just computed.
func (s *Search) waive(visit int) {
	if len(s.waived) == 0 {
		return
	}
	r := s.rank[visit]
	for at := s.waivedAt[r]; at != 0; {
		x := &s.waived[at-1]
		if s.mask[visit]>>x.lane&1 == 1 {
			rowOf(s.rows, r)[x.lane] -= x.perPath
		}
		at = x.next
	}
}
