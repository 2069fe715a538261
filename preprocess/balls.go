package preprocess

import (
	"context"
	"math"
	"slices"

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
	// fewShare: a search by lanes takes as long for an arc as searches from so many sources, one at a time.
	fewShare = 5
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
	b.Ball.Alone = alone <= fewShare*shared
	return nil
}

const (
	// linkSamples is the number of sources near each other whose shortest paths are compared.
	linkSamples = 4
	// linksApart is the distance of these among the sources of a directed block: four are a row of sixteen.
	linksApart = 4
	// fewLinks: sources have few arcs in common if each is on the shortest paths of so many of these, or fewer.
	// For distances alone, rows need less time, so fewer links are few.
	fewLinks, fewReach = 3.4, 2.6
	// leastArcs is the number of arcs per vertex, leastOut that of directed blocks, and leastSources the number of sources,
	// below which searches to compare cost more than they can save. Sparser blocks are networks of streets or power lines.
	leastArcs, leastOut, leastSources = 3.5, 2.5, 1000
	// mostWidths: the farthest vertex is so many lengths of the shortest arc away, a vertex.
	mostWidths = .5
)

// measureLinks sets Ball.Alone of a block with lengths: whether near sources have few arcs on shortest paths in common, and
// distances are few. It compares some sources of one batch. Of blocks with a Cutoff it measures those whose shares end far away.
// In directed blocks, rows find distances alone in less time, and package acyclic all paths. Measured:
// docs/decisions/020-searches-by-lengths.md.
func (b *Block) measureLinks(ctx context.Context) error {
	if near := b.Cutoff > 0 && (b.Decay == nil || b.Local()); near || b.Kind() != engine.KindLengths && b.Kind() != engine.KindLengthReach {
		return nil
	}
	least, apart := leastArcs, 1
	if b.Directed() {
		least, apart = leastOut, linksApart
	}
	if len(b.Sources) < leastSources || float64(len(b.Targets)) < least*float64(b.Vertices()) || b.Directed() && (b.Distances || b.Ascends()) {
		return nil
	}
	var r reacher
	whole := &Block{Graph: b.Graph, Cutoff: math.MaxInt}
	taken := make([]bool, len(b.Targets))
	links, distinct, farthest := 0, 0, int64(0)
	first := len(b.Sources) / b.Lanes / 2 * b.Lanes
	for at := first; at < min(first+linkSamples*apart, len(b.Sources)); at += apart {
		if err := r.search(ctx, whole, b.Sources[at:at+1]); err != nil {
			return err
		}
		for _, v := range r.order {
			near := r.distance[v]
			farthest = max(farthest, near)
			for i := b.Offsets[v]; i < b.Offsets[v+1]; i++ {
				if near+b.Lengths[i] == r.distance[b.Targets[i]] {
					links++
					if !taken[i] {
						taken[i] = true
						distinct++
					}
				}
			}
		}
	}
	few := fewLinks
	if b.Distances {
		few = fewReach
	}
	b.Ball.Alone = links >= b.Vertices() && float64(links) <= few*float64(distinct) && float64(farthest/slices.Min(b.Lengths)) <= mostWidths*float64(b.Vertices())
	return nil
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
