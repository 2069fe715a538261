package acyclic

import (
	"slices"

	"bcstage/preprocess"
)

// Bytes returns the memory that a Search needs for a block.
func Bytes(b *preprocess.Block) int64 {
	const (
		row    = (8 + 2) * lanes // rows, counts
		vertex = 8 + 4 + 4       // scores, start, at
	)
	more := int64(0)
	if b.HasFlows() {
		more += 8 * int64(b.Flows.Count())
	}
	if b.HasDraws() {
		more += 2 * 8 * int64(b.Vertices()) // sums and squares
	}
	return int64(b.Vertices())*(row+vertex) + searchBytes(b) + more
}

// DistanceBytes returns the memory that a Search needs for a block in which it finds
// distances alone.
func DistanceBytes(b *preprocess.Block) int64 {
	found := int64(48 + 4 + 4) // with met and at
	if b.Follow() {
		found += 32
	}
	return int64(b.Vertices())*found + searchBytes(b)
}

// searchBytes returns the memory of distances: rows, the list, marks, those ahead, vertices of a batch and lengths of 1.
func searchBytes(b *preprocess.Block) int64 {
	row := int64(8)
	d := directionOf(b)
	switch farOf(b, d) {
	case farShort:
		row = 2
	case farNarrow:
		row = 4
	}
	bytes := int64(b.Vertices())*(row*lanes+4+8) + int64(b.Vertices())/4
	if !b.HasLengths() {
		bytes += 8 * int64(len(b.Targets))
	}
	if d.knots != nil {
		// Knots, lanes, rows of the largest one, arcs inside and visits.
		bytes += (4+4+4+8)*int64(b.Vertices()) + int64(largestKnot(d.knots))*row*lanes + (4+8)*int64(d.inside)
		for _, knot := range d.knots {
			bytes += 2 * 24 * int64(min(knot, 1))
		}
	}
	return bytes
}

// farOf returns the distance that marks unreached vertices: the least of farShort, farNarrow and farWide that exceeds
// all distances within the cutoff, and all lengths. With knots it is farNarrow or farWide.
func farOf(b *preprocess.Block, d direction) int64 {
	if !b.HasLengths() && b.Vertices() <= farShort && d.knots == nil {
		return farShort
	}
	longest, length := longestPath(b, d), int64(1)
	if len(b.Lengths) > 0 {
		length = slices.Max(b.Lengths)
	}
	if b.Cutoff > 0 {
		longest = min(longest, int64(b.Cutoff))
		if d.knots != nil { // no arc back may seem to end at far: its end may not have c = 0 there yet
			longest += length
		}
	}
	switch most := max(longest, length); {
	case most < farShort && d.knots == nil:
		return farShort
	case most < farNarrow:
		return farNarrow
	}
	return farWide
}

// longestPath returns the length of the longest path, a bound on all
// distances.
func longestPath(b *preprocess.Block, d direction) (longest int64) {
	there := make([]int64, b.Vertices())
	for i := range there {
		v := i
		if d.descends {
			v = len(there) - 1 - i
		}
		if first, end := d.knotFrom(v); first < end {
			far := slices.Max(there[first:end])
			for x := first; x < end; x++ { // every path leaves each vertex once at most
				most := int64(0)
				for e := b.Offsets[x]; e < b.Offsets[x+1]; e++ {
					most = max(most, b.ArcLength(e))
				}
				far = min(far+most, farWide)
			}
			for x := first; x < end; x++ {
				there[x] = far
			}
		}
		longest = max(longest, there[v])
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			y := b.Targets[e]
			there[y] = min(max(there[y], there[v]+b.ArcLength(e)), farWide)
		}
	}
	return longest
}
