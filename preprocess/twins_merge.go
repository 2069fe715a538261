package preprocess

import (
	"iter"
	"math"
	"slices"

	"bcstage/internal/wholes"
)

// merge makes one vertex of every class of twins, in place. like is, by
// vertex, the smallest vertex of its class.
func (b *Block) merge(like []uint32) {
	number := make([]uint32, len(like)) // of a class, by its smallest vertex
	classes := 0
	for v, u := range like {
		if u == uint32(v) {
			number[v] = uint32(classes)
			classes++
		}
	}
	b.Multiplicity = make([]float64, classes)
	b.within = make([]float64, classes)
	from, to, same := make([]int64, classes), make([]int64, classes), make([]wholes.Wide, classes)
	joined := make([]bool, classes) // true twins
	for v, u := range like {
		x, begin, end := number[u], int64(b.From[v]), int64(b.To[v])
		b.Multiplicity[x]++
		from[x] += begin
		to[x] += end
		same[x] = same[x].Plus(begin, end)
		if u != uint32(v) {
			_, joined[x] = slices.BinarySearch(b.Neighbours(u), uint32(v))
		}
	}
	if b.Decay.spreading() {
		b.spread = b.newSpreadTwins(like, number)
	}
	b.group(like, number)

	edges := int64(0)
	for v, u := range like {
		first, last := b.Offsets[v], b.Offsets[v+1]
		if u != uint32(v) {
			continue
		}
		x := number[v] // at most v: the places written have been read
		// False twins are twice as far apart as the nearest neighbour.
		apart := int64(2)
		switch {
		case joined[x]:
			apart = 1
		case b.HasLengths() && first < last:
			apart = 2 * slices.Min(b.Lengths[first:last])
		}
		tooFar := b.Cutoff > 0 && apart > int64(b.Cutoff)
		switch {
		case tooFar:
		case b.spread != nil:
			b.spread.share[x], b.spread.apart[x] = b.Decay.Share(apart), !joined[x]
		case !joined[x]:
			b.within[x] = wholes.Wide{}.Plus(from[x], to[x]).Less(same[x]).Float()
			if b.Decay != nil {
				b.within[x] *= b.Decay.Share(apart)
			}
		}
		b.From[x], b.To[x] = float64(from[x]), float64(to[x])
		b.Offsets[x] = edges
		for e := first; e < last; e++ {
			if t := b.Targets[e]; like[t] == t {
				b.Targets[edges] = number[t]
				if b.HasLengths() {
					b.Lengths[edges] = b.Lengths[e]
				}
				edges++
			}
		}
	}
	b.Offsets[classes] = edges
	b.Offsets, b.Targets = b.Offsets[:classes+1], b.Targets[:edges]
	if b.HasLengths() {
		b.Lengths = b.Lengths[:edges]
	}
	b.From, b.To = b.From[:classes], b.To[:classes]
}

// group sorts the block's graph vertices by class.
func (b *Block) group(like, number []uint32) {
	b.classes = make([]uint32, len(b.Multiplicity)+1)
	for x, members := range b.Multiplicity {
		b.classes[x+1] = b.classes[x] + uint32(members)
	}
	next := slices.Clone(b.classes)
	vertices := make([]uint32, len(like))
	for v, u := range like {
		x := number[u]
		vertices[next[x]] = b.vertices[v]
		next[x]++
	}
	b.vertices = vertices
}

// settle adds a block of merged twins to the closed forms, and reports whether it did. Every
// class must be a neighbour of every other, so that only pairs within classes have vertices
// between them, and their shares must be whole numbers.
func (b *Block) settle(closed wholes.Forms) bool {
	classes := b.Vertices()
	if len(b.Targets) != classes*(classes-1) || b.HasLengths() || b.Repeats() || b.spread != nil {
		return false
	}
	for x, pairs := range b.within {
		if pairs >= 1<<53 || pairs != math.Trunc(pairs) || pairs > 0 && int64(pairs)%b.around(uint32(x)) != 0 {
			return false
		}
	}
	for x, pairs := range b.within {
		if pairs == 0 {
			continue
		}
		each := int64(pairs) / b.around(uint32(x))
		for _, y := range b.Neighbours(uint32(x)) {
			for _, vertex := range b.members(y) {
				closed.Add(vertex, each, 1)
			}
		}
	}
	return true
}

// around returns the number of paths between two members of a class.
func (b *Block) around(x uint32) (paths int64) {
	for y, through := range b.between(x) {
		paths += int64(b.Multiplicity[y]) * through
	}
	return paths
}

// between yields the classes that lie between the members of class x of false twins, with the number of paths through each
// member: its neighbours; the nearest ones where arcs have lengths. A longer path between two members
// begins and ends with arcs that are no shorter. m copies of an arc make m^2 paths.
func (b *Block) between(x uint32) iter.Seq2[uint32, int64] {
	return func(yield func(y uint32, through int64) bool) {
		first, end := b.Offsets[x], b.Offsets[x+1]
		least := int64(0)
		if b.HasLengths() && first < end {
			least = slices.Min(b.Lengths[first:end])
		}
		for e := first; e < end; {
			y, from := b.Targets[e], e
			for e < end && b.Targets[e] == y {
				e++
			}
			if (!b.HasLengths() || b.Lengths[from] == least) && !yield(y, (e-from)*(e-from)) {
				return
			}
		}
	}
}
