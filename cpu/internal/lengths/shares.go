package lengths

import (
	"context"
	"math/bits"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// If masses count by their distance (preprocess.Block.Decay), or trips by their pair (Block.HasTrips), a vertex has a
// different seed in every lane. Kernels add it to the weight that a vertex has for all lanes, which is 0. Where all distances
// have shares in the table, the kernel of dependencies looks them up itself, and seeds are not stored. Where all shares are 1,
// vertices have their weights as without Decay.

// seeded says whether a block has such seeds.
func seeded(b *preprocess.Block) bool { return b.Decay != nil && !alike(b) || b.HasTrips() }

// alike says whether a block with Decay is searched as one without.
func alike(b *preprocess.Block) bool {
	return b.Decay != nil && b.Decay.Alike() && !b.HasDraws() && !b.HasFlows() && !b.Access
}

// inKernels says whether kernels look the shares of such a block up: each distance has one in the table.
func inKernels(b *preprocess.Block) bool {
	if b.Decay == nil || alike(b) || b.HasDraws() || b.HasFlows() || b.Access {
		return false
	}
	_, all := b.Decay.Near()
	return all
}

// seeds are the seeds of a group's sources.
type seeds struct {
	rows   []float64            // by rank, lane
	far    [lanes]float64       // by lane, of a block with Flows and Decay: sum of the seeds times their distances
	access [lanes]engine.Access // of the sources, where the block has Access
	all    []engine.Access      // of the batch's sources
	seen   [lanes]float64       // by lane: sum of the seeds, also where kernels look shares up, if origins are spread
}

// seed computes the seeds of all vertices, their sum in each lane, and from it the mass of the lane's source.
func (s *Search) seed(ctx context.Context, sources []uint32) error {
	switch {
	case s.block.HasTrips():
		return s.seedTrips(ctx, sources)
	case s.block.Decay == nil:
		return nil
	}
	s.seeds.access, s.seeds.far = [lanes]engine.Access{}, [lanes]float64{}
	if alike(s.block) { // whole numbers below 2^53, so differences are exact
		for i, v := range sources {
			s.source[i] = s.block.Sends(v, s.reached[i]-s.weight[v], s.scores)
		}
		return s.arrive(ctx, len(sources))
	}
	if s.reached = [lanes]float64{}; s.shares == nil || s.block.Decay.Spreads() {
		if err := s.seedMasses(ctx); err != nil {
			return err
		}
	}
	for i, v := range sources {
		s.source[i] = s.block.Sends(v, s.reached[i], s.scores)
		s.flows.want += float64(s.source[i] * s.seeds.far[i])
	}
	if s.shares != nil {
		s.seeds.seen, s.reached = s.reached, [lanes]float64{} // kernels add it up, too
	}
	if s.block.HasDraws() {
		return s.spreadSeeds(ctx, len(sources))
	}
	if s.block.Access {
		s.seeds.all = append(s.seeds.all, s.seeds.access[:len(sources)]...)
	}
	return s.arrive(ctx, len(sources))
}

// arrive adds up the masses that arrive at vertices with Hung.
func (s *Search) arrive(ctx context.Context, sources int) error {
	if s.wide != nil {
		return arriveAll(ctx, s, s.wide, s.source[:sources], s.far)
	}
	return arriveAll(ctx, s, s.narrow, s.source[:sources], int32(s.far))
}

func arriveAll[D int32 | int64](ctx context.Context, s *Search, distances []D, masses []float64, far D) error {
	shares, _ := s.block.Decay.Near()
	for v, hung := range s.block.Hung {
		if !hung {
			continue
		}
		if err := s.looked(ctx, 1); err != nil {
			return err
		}
		sum, row := s.arrives[v], distances[v*lanes:][:len(masses)]
		for lane, d := range row {
			switch {
			case d > 0 && int64(d) < int64(len(shares)):
				sum += float64(masses[lane] * shares[d]) // the conversion keeps arm64 from fusing
			case d != 0 && d != far:
				sum += float64(masses[lane] * s.block.Decay.Share(int64(d)))
			}
		}
		s.arrives[v] = sum
	}
	return nil
}

// spreadSeeds multiplies the seeds of each source of a block with Draws by the source's factor.
func (s *Search) spreadSeeds(ctx context.Context, sources int) error {
	var factors [lanes]float64
	for lane := range sources {
		factors[lane] = s.block.Spread(s.reached[lane])
		s.reached[lane] *= factors[lane]
	}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			if s.block.To[s.order[r]] == 0 {
				continue
			}
			if err := s.looked(ctx, 1); err != nil {
				return err
			}
			for lane, factor := range factors {
				s.seeds.rows[r*lanes+lane] *= factor
			}
		}
	}
	return nil
}

// seedMasses computes the seeds of a block with Decay.
func (s *Search) seedMasses(ctx context.Context) error {
	if s.wide != nil {
		return seedMasses(ctx, s, s.wide, s.far)
	}
	return seedMasses(ctx, s, s.narrow, int32(s.far))
}

func seedMasses[D int32 | int64](ctx context.Context, s *Search, distances []D, far D) error {
	near, _ := s.block.Decay.Near()
	flows, access := s.block.HasFlows(), s.block.Access
	beside, more := near[min(1, len(near)):], flows || access // shares from distance 1 on
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			v := s.order[r]
			mass, seeds := s.block.To[v], (*[lanes]float64)(s.sown[int(uint64(r)&s.sownRows)*lanes:]) // one row for all ranks, if kernels look shares up
			if mass == 0 {
				*seeds = [lanes]float64{}
				continue
			}
			if err := s.looked(ctx, 1); err != nil {
				return err
			}
			row := (*[lanes]D)(distances[int(v)*lanes:])
			if all := seedNear(row, beside, mass, seeds, &s.reached); all && !more {
				continue
			}
			for lane, d := range row {
				if d == 0 || d == far { // the source itself, or unreached
					continue
				}
				share := s.block.Decay.Share(int64(d))
				if int64(d) > int64(len(beside)) {
					seeds[lane] = float64(mass * share)
					s.reached[lane] += seeds[lane]
				}
				if flows {
					s.seeds.far[lane] += float64(seeds[lane] * float64(d))
				}
				if access {
					s.seeds.access[lane].Add(mass, share, int64(d))
				}
			}
		}
	}
	return nil
}

// seedNear computes the seeds of a vertex at distances from 1 on that have shares in a list, and adds them to reached. The
// others are 0. It reports whether there are none.
func seedNear[D int32 | int64](row *[lanes]D, shares []float64, mass float64, seeds, reached *[lanes]float64) bool {
	others := 0
	for lane, d := range row {
		at, seed := uint64(d)-1, 0.0
		if at < uint64(len(shares)) {
			seed = float64(mass * shares[at]) // the conversion keeps arm64 from fusing
		} else {
			others++
		}
		seeds[lane] = seed
		reached[lane] += seed
	}
	return others == 0
}

// seedTrips is seed for blocks whose trips are given by a table.
func (s *Search) seedTrips(ctx context.Context, sources []uint32) error {
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			clear(s.seeds.rows[r*lanes : (r+1)*lanes])
		}
	}
	for lane, v := range sources {
		for _, x := range s.block.WaivedBy(v) {
			if err := s.looked(ctx, 1); err != nil {
				return err
			}
			distance := s.distance(x.Target, lane)
			if x.Target == v || distance == s.far {
				continue
			}
			trips := -x.Mass
			s.reached[lane] += trips
			s.seeds.rows[int(s.rank[x.Target])*lanes+lane] = trips
			if s.block.HasFlows() {
				s.flows.want += float64(float64(s.source[lane]*trips) * float64(distance))
			}
		}
	}
	return nil
}
