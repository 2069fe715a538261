package preprocess

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/parallel"
)

// cutter cuts the ordered vertices into ever smaller segments.
type cutter struct {
	of      []distances
	mean    []float32 // of the distances
	order   []uint32
	spare   []uint32  // room; a segment uses the part at its place in order
	along   []float32 // room, likewise
	batches int       // in all
	points  int       // of a segment, at most, from which its direction is found
	benches []*bench  // by worker
}

// bench is the memory that a worker needs to cut a segment. It is too large for a stack, which
// starts small and grows.
type bench struct {
	points [sample][landmarks]float32
	counts [buckets]uint32
}

func newCutter(of []distances) *cutter {
	t := &cutter{of: of, mean: make([]float32, len(of)), points: sample}
	for v := range of {
		t.mean[v] = of[v].mean()
	}
	return t
}

// segment is order[lo:hi], to be cut at middle. It holds the batches
// first..first+count-1, or part of the batch first if count is 0.
type segment struct{ lo, middle, hi, first, count int }

// cut orders some of the vertices, in place, for that many batches.
func (t *cutter) cut(ctx context.Context, vertices []uint32, batches, threads int) error {
	n := len(vertices)
	t.order, t.batches = vertices, batches
	t.spare, t.along = slices.Grow(t.spare[:0], n)[:n], slices.Grow(t.along[:0], n)[:n]
	for len(t.benches) < max(threads, 1) {
		t.benches = append(t.benches, nil)
	}
	// Cut level by level until there are enough segments for all threads. Then finish each
	// segment by itself, so that no thread waits for a level.
	segments := t.add(nil, 0, len(t.order), 0, t.batches)
	for len(segments) > 0 {
		apart := len(segments) >= threads*apiece || threads <= 1
		err := parallel.Each(ctx, threads, len(segments), func(worker, i int) {
			if t.benches[worker] == nil {
				t.benches[worker] = new(bench)
			}
			if apart {
				t.finish(ctx, segments[i], t.benches[worker])
			} else {
				t.split(ctx, segments[i], t.benches[worker])
			}
		})
		if err != nil || apart {
			return err
		}
		var halves []segment
		for _, s := range segments {
			halves = t.halve(halves, s)
		}
		segments = halves
	}
	return nil
}

// apiece is the least number of segments per thread before they are finished apart, so that all
// threads end at about the same time.
const apiece = 4

// finish cuts a segment, and its halves, until nothing is left to cut.
func (t *cutter) finish(ctx context.Context, s segment, by *bench) {
	if ctx.Err() != nil {
		return
	}
	t.split(ctx, s, by)
	var room [2]segment
	for _, half := range t.halve(room[:0], s) {
		t.finish(ctx, half, by)
	}
}

// halve adds the halves of a segment that are to be cut.
func (t *cutter) halve(to []segment, s segment) []segment {
	left := s.count / 2
	right := s.count - left
	if s.count <= 1 {
		right = 0
	}
	to = t.add(to, s.lo, s.middle, s.first, left)
	return t.add(to, s.middle, s.hi, s.first+left, right)
}

// add chooses where to cut: between batches or, in a batch, at the end of a whole number of
// smallest runs. It adds the segment unless it is a smallest run.
func (t *cutter) add(to []segment, lo, hi, first, count int) []segment {
	if hi-lo <= smallestRun {
		return to
	}
	s := segment{lo: lo, hi: hi, first: first, count: count}
	if count > 1 {
		s.middle, _ = batchBounds(len(t.order), t.batches, first+count/2)
	} else {
		smallest := (hi - lo + smallestRun - 1) / smallestRun
		s.middle = lo + (smallest+1)/2*smallestRun
	}
	return append(to, s)
}

// split moves the vertices of a segment to the side of middle where they belong, in linear time.
// Vertices on one side keep their order. It stops when ctx ends.
func (t *cutter) split(ctx context.Context, s segment, by *bench) {
	order, spare, along := t.order[s.lo:s.hi], t.spare[s.lo:s.hi], t.along[s.lo:s.hi]
	low, high := t.project(ctx, order, along, &by.points)
	if high < low {
		return
	}
	scale := float32(0)
	if high > low {
		scale = (buckets - 1) / (high - low)
	}
	counts := &by.counts
	clear(counts[:])
	for _, x := range along {
		counts[int((x-low)*scale)]++
	}
	// All below the pivot go left; of those at the pivot, the first few.
	pivot, room := 0, uint32(s.middle-s.lo)
	for room > counts[pivot] {
		room -= counts[pivot]
		pivot++
	}
	left, right := 0, s.middle-s.lo
	for i, v := range order {
		if i%parallel.Interval == parallel.Interval-1 && ctx.Err() != nil {
			return
		}
		bucket := int((along[i] - low) * scale)
		if bucket < pivot || bucket == pivot && room > 0 {
			if bucket == pivot {
				room--
			}
			spare[left] = v
			left++
		} else {
			spare[right] = v
			right++
		}
	}
	copy(order, spare)
}

// project finds the positions of the vertices along the direction in which they vary most, and
// their bounds. The upper bound is below the lower one if ctx has ended.
func (t *cutter) project(ctx context.Context, vertices []uint32, along []float32, points *[sample][landmarks]float32) (low, high float32) {
	direction := t.direction(vertices, points)
	i := 0
	for ; i+4 <= len(vertices); i += 4 {
		if i%parallel.Interval == parallel.Interval-4 && ctx.Err() != nil {
			return 1, 0
		}
		t.alongFour(vertices[i:i+4], along[i:i+4], &direction)
	}
	for ; i < len(vertices); i++ {
		v := vertices[i]
		along[i] = t.of[v].along(t.mean[v], &direction)
	}
	low, high = float32(math.Inf(1)), float32(math.Inf(-1))
	for _, x := range along {
		low, high = min(low, x), max(high, x)
	}
	return low, high
}

// direction is roughly the first principal component of a sample: two steps of
// the power method from the landmark whose distances vary most. points is room for the sample.
func (t *cutter) direction(vertices []uint32, points *[sample][landmarks]float32) (direction [landmarks]float32) {
	var mean, variance [landmarks]float32
	count := min(len(vertices), t.points)
	share := 1 / float32(count)
	exact := count&(count-1) == 0 // then a product equals the quotient, and takes a quarter of its time
	for i := range count {
		v := vertices[i*len(vertices)/count]
		of, middle, point := &t.of[v], t.mean[v], &points[i]
		for j, d := range of {
			x := float32(d) - middle
			point[j] = x
			if exact {
				mean[j] += float32(x * share)
			} else {
				mean[j] += x / float32(count)
			}
		}
	}
	for i := range points[:count] {
		point := &points[i]
		for j := range mean {
			x := point[j] - mean[j]
			point[j] = x
			variance[j] += float32(x * x)
		}
	}
	widest := 0
	for j, x := range variance {
		if x > variance[widest] {
			widest = j
		}
	}
	direction[widest] = 1
	for step := range 2 {
		var sum [landmarks]float32
		i := 0
		for ; i+4 <= count; i += 4 {
			four := points[i : i+4 : i+4]
			a, b, c, d := four[0][widest], four[1][widest], four[2][widest], four[3][widest]
			if step > 0 { // the first direction is along one axis
				a, b, c, d = dotFour(four, &direction)
			}
			for j := range sum {
				sum[j] = sum[j] + float32(a*four[0][j]) + float32(b*four[1][j]) + float32(c*four[2][j]) + float32(d*four[3][j])
			}
		}
		for ; i < count; i++ {
			along := dot(&points[i], &direction)
			for j, x := range points[i] {
				sum[j] += float32(along * x)
			}
		}
		length := float32(math.Sqrt(float64(dot(&sum, &sum))))
		if length == 0 {
			break
		}
		for j := range sum {
			direction[j] = sum[j] / length
		}
	}
	return direction
}

// dot rounds every product, so that no processor fuses it with the sum: plans must be equal
// everywhere.
func dot(a, b *[landmarks]float32) (sum float32) {
	for i := range a {
		sum += float32(a[i] * b[i])
	}
	return sum
}

// dotFour is dot of four points. Each sum has the order of dot's, and none waits for another.
func dotFour(points [][landmarks]float32, direction *[landmarks]float32) (a, b, c, d float32) {
	p, q, r, s := &points[0], &points[1], &points[2], &points[3]
	for i, x := range direction {
		a += float32(p[i] * x)
		b += float32(q[i] * x)
		c += float32(r[i] * x)
		d += float32(s[i] * x)
	}
	return a, b, c, d
}

// alongFour is along of four vertices, likewise.
func (t *cutter) alongFour(v []uint32, along []float32, direction *[landmarks]float32) {
	p, q, r, s := &t.of[v[0]], &t.of[v[1]], &t.of[v[2]], &t.of[v[3]]
	pm, qm, rm, sm := t.mean[v[0]], t.mean[v[1]], t.mean[v[2]], t.mean[v[3]]
	var a, b, c, d float32
	for i, x := range direction {
		a += float32((float32(p[i]) - pm) * x)
		b += float32((float32(q[i]) - qm) * x)
		c += float32((float32(r[i]) - rm) * x)
		d += float32((float32(s[i]) - sm) * x)
	}
	along[0], along[1], along[2], along[3] = a, b, c, d
}

// smallestRun is the number of sources at which cutting stops: the lanes of a cache line.
// Kernels skip the lines of a row in which an entry has no lanes, so sources that share levels
// should share a line. Against runs of 32, entries have lanes in 2.59 instead of 2.93 lines of
// rome99, 3.55 instead of 4.14 of power, 2.79 instead of 3.13 of t60k. Runs of 4 gain nothing
// more.
const smallestRun = 8

// sample is the number of points of a segment from which its direction is found. Streets need fewStreets: their searches take
// less time.
const sample, fewStreets = 256, 32

// buckets is the resolution of a segment along its direction.
const buckets = 1 << 10
