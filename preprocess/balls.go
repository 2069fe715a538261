package preprocess

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/internal/radix"
)

const (
	// ballSamples is the number of batches that are measured.
	ballSamples = 8
	// smallBall: a ball is small if it has fewer than one in smallBall of the block's vertices.
	smallBall = 2
)

// Local reports whether the batches of a block reach so small a part within its Cutoff that cores search the part alone.
func (b *Block) Local() bool {
	return b.Ball.Mean > 0 && b.Ball.Mean*smallBall < float64(b.Vertices())
}

// Measure sets what walks are chosen by and a search has to find out: the Ball of blocks that have a Cutoff, and the
// Around of others. Measuring a block stops as soon as its balls cannot be small any more, and sources share too much. The
// only error is the context's.
func (p *Plan) Measure(ctx context.Context) error {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Kind().Chained() || len(b.Sources) == 0 {
			continue
		}
		measures := []func(context.Context) error{b.measureBall, b.measureSharing, b.measureLinks}
		if b.Cutoff == 0 {
			measures = []func(context.Context) error{b.measureAround, b.measureLinks}
		}
		for _, measure := range measures {
			if err := measure(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureBall searches from batches spread over the block, the same ones each time.
func (b *Block) measureBall(ctx context.Context) error {
	var r reacher
	count := (len(b.Sources) + b.Lanes - 1) / b.Lanes
	looked, sum := min(count, ballSamples), 0
	b.Ball = ball{Streets: b.streets()}
	for i := range looked {
		first := i * count / looked * b.Lanes
		if err := r.search(ctx, b, b.Sources[first:min(first+b.Lanes, len(b.Sources))]); err != nil {
			return err
		}
		sum += len(r.order)
		b.Ball.Largest = max(b.Ball.Largest, len(r.order))
		if sum*smallBall >= looked*b.Vertices() {
			b.Ball.Largest = b.Vertices()
			break
		}
	}
	b.Ball.Mean = float64(sum) / float64(looked)
	return nil
}

const (
	// sharingSamples is the number of batches whose sources are searched one at a time.
	sharingSamples = 2
	// fewShare: a search by lanes takes as long for an arc as searches from so many sources, one at a time; fewAscend: if
	// arcs ascend, so that the search has no levels.
	fewShare, fewAscend = 5, 2.5
	// oneArcOf: a source looks at one arc of so many, or fewer, on average. Where sources see more, rows of lanes are
	// full. The first doubtful sources may see more.
	oneArcOf, doubtful = 12, 16
)

// measureSharing sets Ball.Alone: whether few sources of a batch share a vertex at one distance. It guesses that from some
// batches, and counts a vertex by its arcs. Measured: docs/decisions/033-sources-within-a-cutoff.md.
func (b *Block) measureSharing(ctx context.Context) error {
	if b.Kind() != engine.KindHops {
		return nil
	}
	var r reacher
	inner := *b // vertices of the last level look at no arc
	inner.Cutoff--
	batches := (len(b.Sources) + b.Lanes - 1) / b.Lanes
	samples := min(sharingSamples, batches)
	levels := make([]uint64, samples*b.Vertices()) // by batch and vertex: bits of the levels at which the batch has it
	alone, shared := 0, 0
	for j := range samples * b.Lanes {
		i := j % samples
		at := i*batches/samples*b.Lanes + j/samples
		if at >= len(b.Sources) {
			continue
		}
		if err := r.search(ctx, &inner, b.Sources[at:at+1]); err != nil {
			return err
		}
		for _, v := range r.order {
			arcs, bit, of := len(b.Neighbours(v)), uint64(1)<<min(r.distance[v], 63), &levels[i*b.Vertices()+int(v)]
			alone += arcs
			if *of&bit == 0 {
				*of |= bit
				shared += arcs
			}
		}
		if oneArcOf*alone > (doubtful+j)*len(b.Targets) {
			return nil
		}
	}
	few := float64(fewShare)
	if b.Directed() && csr.NearlyAscends(&b.Graph) {
		few = fewAscend
	}
	b.Ball.Alone = float64(alone) <= few*float64(shared)
	return nil
}

const (
	// Of up to linkRows rows of sources, the shortest paths of linkSamples are compared, linkStep lanes from one another.
	// Neighbours often hang on one vertex, and then have all links in common. Of directed blocks one row is compared, from
	// which a search by lanes takes sixteen at once.
	linkRows, linkSamples, linkStep, outStep = 4, 4, 5, 4
	// fewLinks: sources have few arcs in common if each is on the shortest paths of so many of these in a row, or fewer.
	// Searches by lanes correct more distances in shallow blocks, and need less time in directed blocks, and for distances
	// alone.
	fewLinks, fewShallow, fewOut, fewReach = 3.4, 3.8, 3.05, 2.6
	// A block is shallow if its depth, in arcs of mean length, is at most shallowArcs times log2 of its vertices.
	shallowArcs = 2.5
	// clearly: one row is enough where the number of common arcs differs from such a limit by that part.
	clearly = .1
	// leastArcs is the number of arcs per vertex, without leaves, leastOut that of directed blocks, and leastSources the number
	// of sources, below which searches to compare cost more than they can save. Sparser blocks are networks of streets or
	// power lines.
	leastArcs, leastOut, leastSources = 3.5, 2.5, 1000
	// mostWidths: the farthest vertex is so many lengths of the shortest arc away, a vertex.
	mostWidths = .5
	// scattered: sources have few arcs in common, wherever they are, if at most one of so many vertices is one; scatteredHops:
	// without lengths. Paths may then be longer than mostWidths. A block without lengths has so many levels that sources are at
	// a vertex in different ones.
	scattered, scatteredWidths, scatteredHops, scatteredLevels = 50, 4, 150, 32
	// scatteredArcs: besides, there are at most so many arcs a vertex times the square root of the vertices, which is about how
	// far apart sources of a plane are; scatteredFlows: with Flows, as arcs are looked at once more.
	scatteredArcs, scatteredFlows = .8, .4
)

// measureLinks sets Ball.Alone of a block with lengths: whether near sources have few arcs on shortest paths in common, and
// distances are few. Of blocks with a Cutoff it measures those whose shares end far away. In directed blocks, rows find
// distances alone in less time, and package acyclic all paths. Measured: docs/decisions/020-searches-by-lengths.md.
func (b *Block) measureLinks(ctx context.Context) error {
	if near := b.Cutoff > 0 && (b.Decay == nil || b.Local()); near || !b.single() {
		return nil
	}
	if few, err := b.scatter(ctx, len(b.Sources)); few || err != nil || b.HasFlows() || b.Own || b.Kind() != engine.KindLengths && b.Kind() != engine.KindLengthReach {
		return err
	}
	leaves, n, least, step := 0, b.Vertices(), leastArcs, linkStep
	switch {
	case b.Directed():
		least, step = leastOut, outStep
	case b.Distances:
		step = 1
	}
	for v := range n {
		if !b.Directed() && b.Offsets[v+1]-b.Offsets[v] == 1 {
			leaves++
		}
	}
	if len(b.Sources) < leastSources || float64(len(b.Targets)-2*leaves) < least*float64(n-leaves) || b.Directed() && (b.Distances || csr.NearlyAscends(&b.Graph)) {
		return nil
	}
	var r reacher
	whole := &Block{Graph: b.Graph, Cutoff: math.MaxInt}
	taken := make([]uint8, len(b.Targets)) // the last row that has an arc on a shortest path
	links, distinct, lengths, farthest := 0, 0, 0.0, int64(0)
	for row := 1; row <= linkRows; row++ {
		first := len(b.Sources) / b.Lanes * ((row + 1) % linkRows) / linkRows * b.Lanes // the first row is in the middle
		for i := range linkSamples {
			if err := r.search(ctx, whole, b.Sources[first+i*step:][:1]); err != nil {
				return err
			}
			for _, v := range r.order {
				near := r.distance[v]
				farthest = max(farthest, near)
				for i := b.Offsets[v]; i < b.Offsets[v+1]; i++ {
					if near+b.Lengths[i] == r.distance[b.Targets[i]] {
						links++
						lengths += float64(b.Lengths[i])
						if taken[i] != uint8(row) {
							taken[i] = uint8(row)
							distinct++
						}
					}
				}
			}
		}
		few := fewLinks
		switch {
		case b.Distances:
			few = fewReach
		case b.Directed():
			few = fewOut
		case float64(links)*float64(farthest) <= shallowArcs*math.Log2(float64(n))*lengths:
			few = fewShallow
		}
		common := float64(links) / float64(distinct)
		b.Ball.Alone = links >= row*n && common <= few && float64(farthest/slices.Min(b.Lengths)) <= mostWidths*float64(n)
		if b.Distances || b.Directed() || math.Abs(common-few) > clearly*few {
			break
		}
	}
	return nil
}

// single reports whether cores may search the block from one source at a time: such walks have no waivers, and shares by lengths
// alone, from sources that are not drawn.
func (b *Block) single() bool {
	return b.Waived == nil && (b.Decay == nil || b.HasLengths() && !b.HasDraws())
}

// scatter sets Ball.Alone of a block if so few of its vertices are sources that they are scattered, and reports whether it is set.
// Blocks without lengths have to be deep. The only error is the context's.
func (b *Block) scatter(ctx context.Context, sources int) (bool, error) {
	n, of, arcs := b.Vertices(), scattered, scatteredArcs
	if !b.HasLengths() {
		of = scatteredHops
	}
	if b.HasFlows() {
		arcs = scatteredFlows
	}
	if of*sources > n || float64(sources)*math.Sqrt(float64(n)) > arcs*float64(len(b.Targets)) || !b.single() || b.Kind().Chained() || b.Kind() == engine.KindReach || b.Cutoff > 0 && b.Decay == nil || b.Directed() && csr.NearlyAscends(&b.Graph) {
		return false, nil
	}
	var r reacher
	if err := r.search(ctx, &Block{Graph: b.Graph, Cutoff: math.MaxInt}, b.Sources[:1]); err != nil {
		return false, err
	}
	farthest := r.distance[r.order[len(r.order)-1]]
	if !b.HasLengths() {
		b.Ball.Alone = farthest >= scatteredLevels
	} else {
		b.Ball.Alone = float64(farthest/slices.Min(b.Lengths)) <= scatteredWidths*float64(n)
	}
	return b.Ball.Alone, nil
}

// unreached is the distance of a vertex that no search has reached.
const unreached = math.MaxInt64

// reacher finds the vertices that some sources of a block reach together within its Cutoff. The distance of a
// vertex is that from the nearest source. Between two searches no vertex has a distance, so the time of a search is
// proportional to what it reaches.
type reacher struct {
	block    *Block
	distance []int64  // by vertex, or unreached
	order    []uint32 // vertices that are reached, the nearest first
	queue    radix.Queue
}

// search finds the vertices. The only error is the context's.
func (r *reacher) search(ctx context.Context, b *Block, sources []uint32) (err error) {
	if r.block != b {
		r.block, r.distance, r.order = b, slices.Repeat([]int64{unreached}, b.Vertices()), nil
	}
	for _, v := range r.order {
		r.distance[v] = unreached
	}
	r.order = r.order[:0]
	if !b.HasLengths() {
		err = r.byLevels(ctx, b, sources)
	} else {
		err = r.byLengths(ctx, b, sources)
	}
	if err != nil {
		r.block = nil // some vertices have a distance but are not in order
	}
	return err
}

// byLevels searches breadth first.
func (r *reacher) byLevels(ctx context.Context, b *Block, sources []uint32) error {
	for _, v := range sources {
		if r.distance[v] == unreached {
			r.distance[v] = 0
			r.order = append(r.order, v)
		}
	}
	for at := 0; at < len(r.order); at++ {
		if at%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := r.order[at]
		d := r.distance[v] + 1
		if d > int64(b.Cutoff) {
			break
		}
		for _, u := range b.Neighbours(v) {
			if r.distance[u] == unreached {
				r.distance[u] = d
				r.order = append(r.order, u)
			}
		}
	}
	return nil
}

// byLengths takes the nearest vertex from a queue, repeatedly.
func (r *reacher) byLengths(ctx context.Context, b *Block, sources []uint32) error {
	r.queue.Reset(b.Vertices())
	for _, v := range sources {
		if r.distance[v] == unreached {
			r.distance[v] = 0
			r.queue.Push(0, v)
		}
	}
	limit := int64(b.Cutoff)
	for {
		if len(r.order)%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, more := r.queue.Pop(r.distance)
		if !more {
			r.sortTies()
			return nil
		}
		r.order = append(r.order, v)
		near, first, end := r.distance[v], b.Offsets[v], b.Offsets[v+1]
		lengths := b.Lengths[first:end]
		for i, u := range b.Targets[first:end] {
			old, d := r.distance[u], near+lengths[i]
			if d >= old || d > limit {
				continue
			}
			if old != unreached {
				r.queue.Drop(old, u)
			}
			r.distance[u] = d
			r.queue.Push(d, u)
		}
	}
}

// sortTies puts vertices at equal distances in the order of their numbers, so that the order does not depend on the
// unit of the lengths.
func (r *reacher) sortTies() {
	for first, end := 0, 0; first < len(r.order); first = end {
		end = first + 1
		for end < len(r.order) && r.distance[r.order[end]] == r.distance[r.order[first]] {
			end++
		}
		if end > first+1 {
			slices.Sort(r.order[first:end])
		}
	}
}
