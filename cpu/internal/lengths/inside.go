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
	target   []float64    // by slot: target mass
	by       [2][]float64 // by slot: source mass that reaches the place from the first or second end
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
	in.target, in.Scores = pages.Resize(in.target, n), pages.Cleared(in.Scores, n)
	in.by[0], in.by[1] = pages.Cleared(in.by[0], n), pages.Cleared(in.by[1], n)
	for _, c := range in.chains {
		for i := c.first + 1; i < c.end; i++ {
			in.target[i] = to[at[i]]
		}
	}
}

// RunInside is Run for a block with vertices inside chains. Distances fit in 32 bits.
func (s *Search) RunInside(ctx context.Context, b *preprocess.Block, batch engine.Batch, in *Inside) (engine.Result, error) {
	s.inside = in
	defer func() { s.inside, s.block, s.seeds.rows = nil, nil, nil }() // rows are in frame.rows
	result, err := s.Run(ctx, b, batch)
	if err == nil {
		in.score()
	}
	return result, err
}

// prepareInside makes room for a block of n vertices, with vertices inside chains. Every rank r has a link to rank n + r,
// whose row is its seeds. It returns the number of these links.
func (s *Search) prepareInside(n int) (links int) {
	if s.inside == nil {
		return 0
	}
	s.wanting.wanted = nil // what lies inside is wanted
	s.rows, s.passed = pages.Resize(s.rows, 2*n*lanes), pages.Resize(s.passed, 2*n)
	s.seeds.rows, s.counts = s.rows[n*lanes:], pages.Resize(s.counts, n*lanes)
	for i := range s.passed[n:] {
		s.passed[n+i] = 1<<lanes - 1
	}
	return n
}

// linkSeeds links a rank to its seeds. It returns the place after the last link.
func (s *Search) linkSeeds(r, after int) int {
	if s.inside == nil {
		return after
	}
	s.after.rank[after], s.after.mask[after] = uint32(len(s.order)+r), 1<<lanes-1
	return after + 1
}

// enter sends to the places that paths reach from the ends of their chains. D of an end has their mass beside the formula of
// preprocess.Block; its part of c, before it is multiplied, is a seed.
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
		if c.through = [2]uint16{}; c.end-c.first > 1 { // it has places that paths reach
			s.enterChain(c)
		}
	}
	several := uint16(0) // lanes with several paths to some vertex
	for lane, most := range s.most {
		if most != 1 {
			several |= 1 << lane
		}
	}
	for word, met := range s.met {
		for ; met != 0 && several != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			for left := s.counted[r] & several; left != 0; left &= left - 1 {
				i := r*lanes + bits.TrailingZeros16(left)
				s.seeds.rows[i] /= s.rows[i]
			}
		}
	}
	return nil
}

// crossing is a chain that a group searches. A place that paths reach from both ends counts for neither.
type crossing struct {
	from, to      *[lanes]int32      // distances of the ends
	sent          [2]*[lanes]float64 // by end: target mass that it sends
	position      []int32            // by place
	target        []float64          // by place
	by            [2][]float64       // by end and place: source mass that reaches it
	length, limit int32
	through       [2]uint16
	tied          uint32 // not 0 if paths reach a place from both ends
}

// enterChain sends to the places of a chain, in all lanes.
func (s *Search) enterChain(c *chain) {
	in := s.inside
	ra, rb, to := s.rank[c.ends[0]], s.rank[c.ends[0]], &unreachedRow
	some := s.counted[ra]
	if c.ends[1] != NoEnd {
		rb, to = s.rank[c.ends[1]], (*[lanes]int32)(s.narrow[int(c.ends[1])*lanes:])
		some |= s.counted[rb]
	}
	if some == 0 {
		return
	}
	first, end := c.first+1, c.end
	x := &s.crossing
	x.from, x.to, x.length, x.limit = (*[lanes]int32)(s.narrow[int(c.ends[0])*lanes:]), to, c.length, int32(s.limit)
	x.sent[0], x.sent[1] = (*[lanes]float64)(s.seeds.rows[int(ra)*lanes:]), (*[lanes]float64)(s.seeds.rows[int(rb)*lanes:])
	x.position, x.target, x.by[0], x.by[1] = in.position[first:end], in.target[first:end], in.by[0][first:end], in.by[1][first:end]
	x.through, x.tied = [2]uint16{}, 0
	s.kernels.enter(&s.frame, x)
	if c.through = x.through; x.tied != 0 {
		s.enterTied(x, (*[lanes]float64)(s.rows[int(ra)*lanes:]), (*[lanes]float64)(s.rows[int(rb)*lanes:]))
	}
}

// enterTied sends to the places that paths reach from both ends, in proportion to their counts.
func (s *Search) enterTied(c *crossing, pathsA, pathsB *[lanes]float64) {
	for k, p := range c.position {
		for lane := range lanes {
			if c.ties(lane) != p {
				continue
			}
			mass, target := s.source[lane], c.target[k]
			for side, share := range [2]float64{pathsA[lane] / (pathsA[lane] + pathsB[lane]), pathsB[lane] / (pathsA[lane] + pathsB[lane])} {
				c.by[side][k] += float64(mass * share) // the conversion keeps arm64 from fusing
				c.sent[side][lane] += float64(target * share)
			}
			s.reached[lane] += target
		}
	}
}

// ties returns the position that paths reach from both ends, negative if there is none within the limit.
func (c *crossing) ties(lane int) int32 {
	twice := c.length + c.to[lane] - c.from[lane]
	if twice&1 != 0 || twice>>1 > c.limit-c.from[lane] {
		return -1
	}
	return twice >> 1
}

func enter(f *frame, c *crossing) {
	var sent [2][lanes]float64
	for lane := range lanes {
		twice := c.length + c.to[lane] - c.from[lane]
		c.through[0] |= isZero(twice) << lane
		c.through[1] |= isZero(twice-2*c.length) << lane
	}
	for k, p := range c.position {
		var sums [2][8]float64
		for lane, mass := range f.source {
			x, y := c.from[lane], c.to[lane]
			twice := c.length + y - x
			if p <= min((twice-1)>>1, c.limit-x) {
				sent[0][lane] += c.target[k]
				sums[0][lane%8] += mass
			}
			if p > max(twice>>1, c.length-c.limit+y-1) {
				sent[1][lane] += c.target[k]
				sums[1][lane%8] += mass
			}
			if c.ties(lane) == p {
				c.tied = 1
			}
		}
		for side := range sums {
			c.by[side][k] += scoreSum(&sums[side])
		}
	}
	for side := range sent {
		for lane, mass := range sent[side] {
			c.sent[side][lane] += mass
		}
	}
	for lane := range f.reached {
		f.reached[lane] += sent[0][lane] + sent[1][lane]
	}
}

// unreachedRow are the distances of a vertex that no lane reaches.
var unreachedRow = func() (row [lanes]int32) {
	for lane := range row {
		row[lane] = farNarrow
	}
	return row
}()

// leave adds the flows that pass whole chains.
func (s *Search) leave(ctx context.Context, _ []uint32) error {
	if s.inside == nil {
		return nil
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
		flow := c.passing
		for i := c.end - 1; i > c.first; i-- {
			in.Scores[i] = flow
			flow += float64(in.by[0][i] * in.target[i])
		}
		flow = 0
		for i := c.first + 1; i < c.end; i++ {
			in.Scores[i] += flow
			flow += float64(in.by[1][i] * in.target[i])
		}
	}
}
