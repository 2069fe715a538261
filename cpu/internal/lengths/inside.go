package lengths

import (
	"context"
	"math"
	"math/bits"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Inside is chains of vertices that are not vertices of a block: its arcs pass them. Paths begin at vertices of the block
// only, and end inside chains, too. A chain joins two vertices of the block, or leads from one to none that is reached.
// Its first slot stands for its first end, the others for its places.
type Inside struct {
	chains   []chain
	position []int32      // by slot: distance from the first end
	upTo     []float64    // by slot: target mass of the chain's places up to it
	last     [2][]float64 // by slot: source mass that reaches the place from the first or second end, but no place behind it
	tied     [2][]float64 // by slot: source mass that reaches the place from both ends, times the share by each
	Scores   []float64    // by slot, once it was searched
}

type chain struct {
	ends       [2]uint32 // the second may be none
	length     int32
	first, end uint32    // slots
	through    [2]uint16 // lanes with shortest paths through the chain, to each end
	passing    float64   // flow from one end to the other
}

// NoEnd stands for the second end of a chain that leads to no vertex of the block.
const NoEnd = math.MaxUint32

// Clear removes all chains.
func (in *Inside) Clear() { in.chains, in.position = in.chains[:0], in.position[:0] }

// Longest stands for lengths above it. Cutoffs are at most 1<<28.
const Longest = 1<<29 + 2

// Open begins a chain of at most Longest.
func (in *Inside) Open(from, to uint32, length int32) {
	in.chains = append(in.chains, chain{ends: [2]uint32{from, to}, length: length, first: uint32(len(in.position))})
	in.Add(0)
}

// Add adds a place to the last chain.
func (in *Inside) Add(position int32) {
	in.position = append(in.position, position)
	in.chains[len(in.chains)-1].end = uint32(len(in.position))
}

// Close ends the last chain. at is, by slot, a vertex whose target mass is to[vertex]; that of first slots is ignored.
func (in *Inside) Close(to []float64, at []uint32) {
	n := len(in.position)
	in.upTo, in.Scores = pages.Resize(in.upTo, n), pages.Cleared(in.Scores, n)
	for side := range 2 {
		in.last[side], in.tied[side] = pages.Cleared(in.last[side], n), pages.Cleared(in.tied[side], n)
	}
	for _, c := range in.chains {
		in.upTo[c.first] = 0
		for i := c.first + 1; i < c.end; i++ {
			in.upTo[i] = in.upTo[i-1] + to[at[i]]
		}
	}
}

// RunInside is Run for a block with vertices inside chains. Distances fit in 32 bits.
func (s *Search) RunInside(ctx context.Context, b *preprocess.Block, batch engine.Batch, in *Inside) (engine.Result, error) {
	s.inside = in
	defer func() { s.inside, s.block = nil, nil }()
	result, err := s.Run(ctx, b, batch)
	if err == nil {
		in.score()
	}
	return result, err
}

// prepareInside makes room for a block with vertices inside chains.
func (s *Search) prepareInside(n int) {
	if s.inside != nil {
		s.wanted = nil // what lies inside is wanted
		s.seeds.rows, s.counts = pages.Resize(s.seeds.rows, n*lanes), pages.Resize(s.counts, n*lanes)
	}
}

// enter sends to the places that paths reach from the ends of their chains. D of an end has their mass beside the formula of
// preprocess.Block; its part of c becomes a seed.
func (s *Search) enter(ctx context.Context, _ []uint32) error {
	in := s.inside
	if in == nil {
		return nil
	}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			clear(s.seeds.rows[r*lanes : (r+1)*lanes])
		}
	}
	for i := range in.chains {
		c := &in.chains[i]
		if err := s.looked(ctx, 2); err != nil {
			return err
		}
		s.enterChain(c)
	}
	s.sentInside = [lanes]float64{}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			s.plant(r)
		}
	}
	return nil
}

// plant turns the mass that a rank sends into its chains into scores and seeds.
func (s *Search) plant(r int) {
	v, mu, score := s.order[r], 1.0, 0.0
	if s.multiplicity != nil {
		mu = s.multiplicity[v]
	}
	rows, seeds := (*[lanes]float64)(s.rows[r*lanes:]), (*[lanes]float64)(s.seeds.rows[r*lanes:])
	for left := s.counted[r]; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros16(left)
		sent := seeds[lane]
		s.reached[lane] += sent
		if s.start[r]>>lane&1 != 0 {
			s.sentInside[lane] += sent
		} else {
			score += float64(s.source[lane] * sent) // the conversion keeps arm64 from fusing
		}
		seeds[lane] = sent * mu / rows[lane]
	}
	s.scores[v] += score / mu
}

// enterChain sends to the places of a chain, in all lanes.
func (s *Search) enterChain(c *chain) {
	in := s.inside
	a, b := c.ends[0], c.ends[1]
	ra := s.rank[a]
	from := (*[lanes]int32)(s.narrow[int(a)*lanes:])
	pathsA, sentA := (*[lanes]float64)(s.rows[int(ra)*lanes:]), (*[lanes]float64)(s.seeds.rows[int(ra)*lanes:])
	to, pathsB, sentB, some := &unreachedRow, pathsA, sentA, s.counted[ra]
	if b != NoEnd {
		rb := s.rank[b]
		to = (*[lanes]int32)(s.narrow[int(b)*lanes:])
		pathsB, sentB = (*[lanes]float64)(s.rows[int(rb)*lanes:]), (*[lanes]float64)(s.seeds.rows[int(rb)*lanes:])
		some |= s.counted[rb]
	}
	position, upTo := in.position[c.first:c.end], in.upTo[c.first:c.end]
	last, whole := len(position)-1, upTo[len(upTo)-1]
	limit, lastA, lastB := int32(s.limit), in.last[0][c.first:c.end], in.last[1][c.first:c.end]
	toA, toB, massToA, massToB := uint16(0), uint16(0), 0.0, 0.0
	for left := some; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros16(left)
		mass, x, y := s.source[lane], from[lane], to[lane]
		switch c.length { // most lanes pass most chains, to an end within the limit
		case y - x:
			toB |= 1 << lane
			massToB += mass
			sentA[lane] += whole
			continue
		case x - y:
			toA |= 1 << lane
			massToA += mass
			sentB[lane] += whole
			continue
		}
		twice := c.length + y - x
		i, j, most, least := 0, last+1, min((twice-1)>>1, limit-x), max(twice>>1+1, c.length-limit+y)
		for i < last && position[i+1] <= most {
			i++
		}
		for j > i+1 && position[j-1] >= least {
			j--
		}
		lastA[i] += mass
		if j <= last {
			lastB[j] += mass
		}
		byA, byB := upTo[i], whole-upTo[j-1]
		if i < last && 2*position[i+1] == twice && position[i+1] <= limit-x {
			share := pathsA[lane] / (pathsA[lane] + pathsB[lane])
			in.tied[0][int(c.first)+i+1] += float64(mass * share)
			in.tied[1][int(c.first)+i+1] += float64(mass * (1 - share))
			target := upTo[i+1] - upTo[i]
			byA += float64(target * share)
			byB += float64(target * (1 - share))
		}
		sentA[lane] += byA
		sentB[lane] += byB
	}
	c.through = [2]uint16{toA, toB}
	if toB != 0 {
		lastA[last] += massToB
	}
	if toA != 0 {
		lastB[1] += massToA
	}
}

// unreachedRow are the distances of a vertex that no lane reaches.
var unreachedRow = func() (row [lanes]int32) {
	for lane := range row {
		row[lane] = farNarrow
	}
	return row
}()

// leave adds the flows that pass whole chains, and what the sources themselves send into chains.
func (s *Search) leave(ctx context.Context, _ []uint32) error {
	if s.inside == nil {
		return nil
	}
	for lane, sent := range s.sentInside {
		s.got[lane] += sent
	}
	for i := range s.inside.chains {
		c := &s.inside.chains[i]
		if c.through == [2]uint16{} {
			continue
		}
		if err := s.looked(ctx, 2); err != nil {
			return err
		}
		ra, rb := s.rank[c.ends[0]], s.rank[c.ends[1]]
		shareA, shareB := (*[lanes]float64)(s.rows[int(ra)*lanes:]), (*[lanes]float64)(s.rows[int(rb)*lanes:])
		pathsA, pathsB := (*[lanes]float64)(s.counts[int(ra)*lanes:]), (*[lanes]float64)(s.counts[int(rb)*lanes:])
		for left := c.through[1]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros16(left)
			c.passing += float64(float64(s.source[lane]*pathsA[lane]) * shareB[lane])
		}
		for left := c.through[0]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros16(left)
			c.passing += float64(float64(s.source[lane]*pathsB[lane]) * shareA[lane])
		}
	}
	return nil
}

// score turns what was sent into the scores of places.
func (in *Inside) score() {
	for _, c := range in.chains {
		upTo := in.upTo
		flow, mass := c.passing, 0.0
		for i := c.end - 1; i > c.first; i-- {
			in.Scores[i] = flow
			mass += in.last[0][i]
			flow += float64((mass + in.tied[0][i]) * (upTo[i] - upTo[i-1]))
		}
		flow, mass = 0, 0
		for i := c.first + 1; i < c.end; i++ {
			in.Scores[i] += flow
			mass += in.last[1][i]
			flow += float64((mass + in.tied[1][i]) * (upTo[i] - upTo[i-1]))
		}
	}
}
