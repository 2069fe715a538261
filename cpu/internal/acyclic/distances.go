package acyclic

import (
	"context"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// RunDistances computes a batch of a block with Distances and Lengths. It runs the forward sweep
// only, and adds up the distances from all sources to each vertex, in the order of the
// sources. Got and Want are both the number of reached vertices: there is no independent count.
func (s *Search) RunDistances(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.found, s.work = pages.Cleared(s.found, b.Vertices()), engine.Work{}
	if s.block != b {
		s.prepareDistances(b)
	}
	sources := b.Sources[batch.First : batch.First+batch.Count]
	met := uint64(0)
	for first := 0; first < len(sources); first += lanes {
		group := sources[first:min(first+lanes, len(sources))]
		if err := s.reach(ctx, group); err != nil {
			return engine.Result{}, err
		}
		s.seat(group)
		if err := s.sweep(ctx, s.kernels.relax); err != nil {
			return engine.Result{}, err
		}
		switch {
		case len(s.short) > 0:
			met += collect(s, s.short, farShort, group)
		case len(s.narrow) > 0:
			met += collect(s, s.narrow, farNarrow, group)
		default:
			met += collect(s, s.wide, farWide, group)
		}
	}
	s.work.RowLoads /= 2 // one sweep instead of two
	s.gots[0], s.wants[0] = float64(met), float64(met)
	return engine.Result{Batch: batch, Found: s.found, Got: s.gots[:1], Want: s.wants[:1], Together: true, Work: s.work}, nil
}

// collect adds up the distances of a group of sources, and returns how many pairs of source and
// vertex are connected.
func collect[D distance](s *Search, rows []D, far D, sources []uint32) (met uint64) {
	if s.block.Own {
		return collectOwn(s, rows, far, sources)
	}
	for _, v := range s.list {
		f := &s.found[v]
		// Sixteen at a time, as in package lengths: sums are then equal to the last bit.
		for part := range slices.Chunk(rows[int(v)*lanes:][:len(sources)], 16) {
			inverse := 0.0
			for _, d := range part {
				if d == 0 || d == far {
					continue
				}
				f.Farness += uint64(d)
				f.Reach++
				f.Eccentricity = max(f.Eccentricity, uint64(d))
				inverse += 1 / float64(d)
				met++
			}
			f.Inverse += inverse
		}
	}
	return met
}

// collectOwn is collect for a block with Own: it adds up, for each source, its distances to the counted
// vertices.
func collectOwn[D distance](s *Search, rows []D, far D, sources []uint32) (met uint64) {
	counted := s.block.Counted()
	var own [lanes]engine.Found
	slices.Sort(s.list) // the order of sums is that of vertices
	for _, v := range s.list {
		for lane, d := range rows[int(v)*lanes:][:len(sources)] {
			if d == 0 || d == far {
				continue
			}
			met++
			if counted == nil || counted[v] {
				f := &own[lane]
				f.Reach++
				f.Farness += uint64(d)
				f.Eccentricity = max(f.Eccentricity, uint64(d))
				f.Inverse += 1 / float64(d)
			}
		}
	}
	for lane, v := range sources {
		s.found[v] = own[lane]
	}
	return met
}
