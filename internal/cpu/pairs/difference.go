package pairs

import (
	"cmp"
	"slices"

	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// For the difference between two graphs, a pair counts x(v) = p(v) - q(v): the share of its shortest paths that pass v
// in one graph, less that in the other. All paths are counted instead of drawn, so a pair whose paths are the same in
// both counts 0 everywhere. Both shares are in [0, 1], so |x| <= 1, the range that package internal/bound needs
// (Signed). Over all inner vertices p sums to d - 1, by the definition of a path of d arcs, and so does q.
//
// Sums are whole numbers in units of 2^-shareBits, rounded once per pair and vertex: 2e-10 at most, where intervals are
// 1e-5 and more. Squares are rounded up.
const shareBits = 31

// differs holds the shares of one pair, and those of all pairs that are not in any Counts yet.
type differs struct {
	share   []float64 // by vertex of the first graph
	touched []uint32  // vertices with a share
	list    []shareAt
}

// shareAt is a part of |x|: at vertices of the first graph where x > 0, and beyond them where x < 0.
type shareAt struct{ at, units uint32 }

// targets are those of a group: their mass, and that of the groups before.
type targets struct{ before, mass uint64 }

// NewDifferences returns a Sampler of what differs between two graphs without lengths. The block has the vertices of the
// first graph, then those of the second. twin has, by vertex of the block, the same vertex in the other graph, or
// csr.None. By vertex of the block, group has its group, or csr.None if it is not drawn. Each vertex is in the group in one graph only: the first, if
// it is there. An ordered pair of one group is drawn in proportion to From of its source times To of its target, whole
// numbers; nil: 1 each. It counts in the graphs that have both ends.
//
// Counts.Inner and Shares then have 2*vertices sums, in units of 1/DifferenceOne: by vertex of the first graph of
// max(x, 0), and then of max(-x, 0). Counts.Length sums ceil(sum of |x|), and Squares its square.
func NewDifferences(block *preprocess.Block, twin, group []uint32, vertices int) *Sampler {
	s := &Sampler{block: block, twin: twin, vertices: vertices, group: make([]uint32, len(group))}
	for v, of := range group {
		if of != csr.None {
			s.members = append(s.members, uint32(v))
		}
	}
	slices.SortFunc(s.members, func(u, v uint32) int { return cmp.Or(cmp.Compare(group[u], group[v]), cmp.Compare(u, v)) })
	from, to := make([]float64, len(group)), make([]float64, len(s.members)) // a source has its mass for each unit of a target
	before := uint64(0)
	for first, end := 0, 0; first < len(s.members); first = end {
		sent, sum := 0.0, 0.0
		for ; end < len(s.members) && group[s.members[end]] == group[s.members[first]]; end++ {
			to[end] = massOf(block.To, s.members[end])
			sum += to[end]
		}
		for _, v := range s.members[first:end] {
			mass := massOf(block.From, v)
			s.group[v], from[v] = uint32(len(s.groups)), mass*sum
			sent += mass
		}
		s.pairs += sent * sum
		s.groups = append(s.groups, targets{before, uint64(sum)})
		before += uint64(sum)
	}
	if s.apart = s.pairs > 1<<53; s.apart {
		for v := range from {
			from[v] *= 0x1p62 / s.pairs
		}
	}
	s.from, s.to = newEnds(from, 1), newEnds(to, 1)
	return s
}

func massOf(masses []float64, v uint32) float64 {
	if masses == nil {
		return 1
	}
	return masses[v]
}

// pair draws an ordered pair of one group. The unit of the source that is drawn tells the unit of its target, if all
// products are whole numbers in float64. Else a source's products are rounded by 2^-62 of all, and the target is drawn apart.
func (s *Sampler) pair(r *random) (source, target uint32) {
	source, unit := s.from.draw(r)
	of := s.groups[s.group[source]]
	if s.apart {
		unit = r.below(of.mass)
	}
	return source, s.members[s.to.at(of.before+unit%of.mass)]
}

// Pairs is the number of ordered pairs that a Sampler of NewDifferences draws from, those of equal ends included, or the sum
// of their products.
func (s *Sampler) Pairs() float64 { return s.pairs }

// DifferenceOne is a sum of 1 in the Counts of differences.
const DifferenceOne = 1 << shareBits

func (d *differs) hand(total *Counts) {
	for _, s := range d.list {
		x := uint64(s.units)
		total.Inner[s.at] += int64(x)
		total.Shares[s.at] += int64((x*x + DifferenceOne - 1) >> shareBits)
	}
	d.list = d.list[:0]
}

// differ counts what differs between the paths of a pair and those of its twins.
func (x *search) differ(source, target uint32) {
	d, n := &x.differs, uint32(x.vertices)
	if d.share == nil {
		d.share = make([]float64, n)
	}
	d.touched = d.touched[:0]
	add := func(v uint32, share float64) {
		if d.share[v] == 0 {
			d.touched = append(d.touched, v)
		}
		d.share[v] += share
	}
	if source < n && target < n {
		x.spread(source, target, add)
	}
	if source, target = x.second(source), x.second(target); source != csr.None && target != csr.None {
		x.spread(source, target, func(v uint32, share float64) {
			if v = x.twin[v]; v != csr.None {
				add(v, -share)
			}
		})
	}
	length := uint64(0)
	for _, v := range d.touched {
		at, share := v, d.share[v]
		d.share[v] = 0
		if share < 0 {
			at, share = n+v, -share
		}
		if units := min(uint32(share*DifferenceOne+0.5), DifferenceOne); units > 0 {
			d.list = append(d.list, shareAt{at, units})
			length += uint64(units)
		}
	}
	whole := int64((length + DifferenceOne - 1) >> shareBits)
	x.counts.Length += whole
	x.counts.Squares += whole * whole
}

// second returns the number of a vertex in the second graph, or csr.None.
func (x *search) second(v uint32) uint32 {
	if int(v) < x.vertices {
		return x.twin[v]
	}
	return v
}

// spread calls add once for each vertex inside the shortest paths of a pair, with the share of them that pass it.
func (x *search) spread(source, target uint32, add func(v uint32, share float64)) {
	near, far := x.join(source, target, nil)
	if near == nil {
		return
	}
	over := func(i int) float64 {
		return float64(near.count(int(x.leave[i])) * far.count(far.number(x.lead[i])))
	}
	total := 0.0
	for i := range x.lead {
		total += over(i)
	}
	near.clearShares()
	far.clearShares()
	for i, v := range x.lead {
		share := over(i) / total
		near.shares[near.levels[near.depth()]+int(x.leave[i])] += share
		far.shares[far.levels[far.depth()]+far.number(v)] += share
	}
	near.spread(add)
	far.spread(add)
}

func (s *side) clearShares() {
	count := s.levels[len(s.levels)-1]
	if cap(s.shares) < count {
		s.shares = make([]float64, count)
	}
	s.shares = s.shares[:count]
	clear(s.shares)
}

// spread takes shares of the last level back to the end, which has none itself: over each predecessor by its number of
// paths.
func (s *side) spread(add func(v uint32, share float64)) {
	for l := s.depth(); l > 0; l-- {
		from, to := s.level(l)
		for p := from; p < to; p++ {
			switch share := s.shares[p]; {
			case share == 0:
			case l == 1:
				add(s.first[p-from], share)
			default:
				add(s.order[p], share)
				each := share / s.through(p, l)
				for q := range s.predecessors(p, l) {
					s.shares[q] += float64(s.paths[q] * each) // not fused: equal bits on every machine
				}
			}
		}
	}
}
