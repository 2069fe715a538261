package acyclic

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// finding is what RunDistances adds up, and the vertices with results.
type finding struct {
	found    []engine.Found
	at       []uint32        // vertices with results
	touched  []uint64        // a bit for every vertex in a list of the batch, in Run
	inverses [tabled]float64 // 1/d of short distances d
	stands   []stand         // by vertex, of a block whose vertices follow others
}

// stand is what a vertex stands for in the sums of the sources that reach it: itself, and all vertices behind it that
// have one predecessor each.
type stand struct {
	count, sum, far uint64 // of these vertices; the sum and the largest of their distances from it
	covered         bool   // its one predecessor stands for it
}

// standsOf returns what each vertex stands for. Distances have no limit.
func standsOf(b *preprocess.Block) []stand {
	stands := slices.Repeat([]stand{{count: 1}}, b.Vertices())
	ascends := b.Ascends()
	for v := range stands { // successors come first
		if ascends {
			v = len(stands) - 1 - v
		}
		if e := b.In.Offsets[v]; b.In.Offsets[v+1] == e+1 {
			length := uint64(b.In.ArcLength(e))
			by, x := &stands[b.In.Targets[e]], &stands[v]
			x.covered = true
			by.count, by.sum, by.far = by.count+x.count, by.sum+x.sum+length*x.count, max(by.far, x.far+length)
		}
	}
	return stands
}

// RunDistances computes a batch of a block with Distances and Lengths. It runs the forward sweep
// only, and adds up the distances from all sources to each vertex, in the order of the
// sources. Got and Want are both the number of reached vertices: there is no independent count.
func (s *Search) RunDistances(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.work = engine.Work{}
	if s.block != b {
		s.found, s.at, s.met = pages.Cleared(s.found, b.Vertices()), pages.Resize(s.at, b.Vertices()+1)[:0], pages.Resize(s.met, b.Vertices())
		for d := range s.inverses {
			s.inverses[d] = 1 / float64(d)
		}
		s.prepareDistances(b)
		if s.stands = nil; b.Follow() {
			s.stands = standsOf(b)
		}
	}
	for _, v := range s.at {
		s.found[v] = engine.Found{}
	}
	s.at = s.at[:0]
	sources := b.Sources[batch.First : batch.First+batch.Count]
	met := uint64(0)
	for first := 0; first < len(sources); first += lanes {
		group := sources[first:min(first+lanes, len(sources))]
		if err := s.reach(ctx, batch.First+first, group); err != nil {
			return engine.Result{}, err
		}
		s.seat(group)
		if err := s.sweep(ctx, s.kernels.relax, false); err != nil {
			return engine.Result{}, err
		}
		switch {
		case len(s.short) > 0:
			met += collect(s, s.short, group)
		case len(s.narrow) > 0:
			met += collect(s, s.narrow, group)
		default:
			met += collect(s, s.wide, group)
		}
	}
	s.gots[0], s.wants[0] = float64(met), float64(met)
	return engine.Result{Batch: batch, Found: s.found, At: s.at, Got: s.gots[:1], Want: s.wants[:1], Together: true, Work: s.work}, nil
}

// tabled is the number of distances whose inverses are in a table: dividing takes longer.
const tabled = 1 << 12

// collect adds up the distances of a group of sources, and returns how many pairs of source and
// vertex are connected.
func collect[D distance](s *Search, rows []D, sources []uint32) (met uint64) {
	for lane, v := range sources {
		s.met[v] &^= 1 << lane
	}
	if s.block.Own {
		return collectOwn(s, rows, sources)
	}
	at, count := s.at[:cap(s.at)], len(s.at)
	for _, v := range s.list {
		row, f, reached := (*[lanes]D)(rows[int(v)*lanes:]), &s.found[v], s.met[v]
		at[count] = v
		count += int(-int64(reached)&^-int64(f.Reach)>>63) & 1 // 1 at the vertex's first distance
		farness, farthest := uint64(0), uint64(0)
		// Sixteen at a time, as in package lengths: sums are then equal to the last bit.
		for first := uint32(0); first < lanes; first += 16 {
			inverse := 0.0
			for left := reached & (0xffff << first); left != 0; left &= left - 1 {
				d := uint64(row[bits.TrailingZeros32(left)])
				farness += d
				farthest = max(farthest, d)
				if d < tabled {
					inverse += s.inverses[d]
				} else {
					inverse += 1 / float64(d)
				}
			}
			f.Inverse += inverse
		}
		f.Reach += uint64(bits.OnesCount32(reached))
		f.Farness += farness
		f.Eccentricity = max(f.Eccentricity, farthest)
		met += uint64(bits.OnesCount32(reached))
	}
	s.at = at[:count]
	return met
}

// collectOwn is collect for a block with Own: it adds up, for each source, its distances to the counted
// vertices.
func collectOwn[D distance](s *Search, rows []D, sources []uint32) (met uint64) {
	counted, inverse := s.block.Counted(), !s.block.Follow()
	var own [lanes]engine.Found
	if inverse {
		slices.Sort(s.list) // the order of sums is that of vertices
	} else {
		for lane, v := range sources {
			x := &s.stands[v]
			own[lane] = engine.Found{Reach: x.count - 1, Farness: x.sum, Eccentricity: x.far}
			met += x.count - 1
		}
	}
	x := stand{count: 1}
	for _, v := range s.list {
		if !inverse {
			if x = s.stands[v]; x.covered {
				continue
			}
		}
		met += uint64(bits.OnesCount32(s.met[v])) * x.count
		if counted == nil || counted[v] {
			row := (*[lanes]D)(rows[int(v)*lanes:])
			for left := s.met[v]; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros32(left)
				d, f := uint64(row[lane]), &own[lane]
				f.Reach += x.count
				f.Farness += d*x.count + x.sum
				f.Eccentricity = max(f.Eccentricity, d+x.far)
				if inverse {
					f.Inverse += 1 / float64(d)
				}
			}
		}
	}
	for lane, v := range sources {
		s.found[v], s.at = own[lane], append(s.at, v)
	}
	return met
}
