package preprocess

import (
	"iter"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/wholes"
)

// merge makes one vertex of every class of twins, in place. like is, by
// vertex, the smallest vertex of its class.
func (b *Block) merge(like []uint32) {
	number := make([]uint32, len(like)) // of the class
	classes := 0
	for v, u := range like {
		if number[v] = number[u]; u == uint32(v) {
			number[v] = uint32(classes)
			classes++
		}
	}
	b.Multiplicity = make([]float64, classes)
	b.within = make([]float64, classes)
	from, to, others := make([]float64, classes), make([]float64, classes), make([]float64, len(like))
	joined := make([]bool, classes) // true twins
	for v, u := range like {
		x := number[u]
		b.Multiplicity[x]++
		others[v] = to[x]
		from[x] += b.From[v]
		to[x] += b.To[v]
		if u != uint32(v) {
			_, joined[x] = slices.BinarySearch(b.Neighbours(u), uint32(v))
		}
	}
	behind := make([]float64, classes)
	for v, u := range slices.Backward(like) { // no difference: masses may have parts
		x := number[u]
		others[v] += behind[x]
		behind[x] += b.To[v]
		b.within[x] += float64(b.From[v] * others[v]) // the conversion keeps arm64 from fusing
	}
	places := b.group(number)
	if b.Decay.spreading() {
		b.spread = &spreadTwins{first: b.classes, from: csr.Pick(b.From, places), to: csr.Pick(others, places), share: make([]float64, classes), apart: make([]bool, classes)}
	}

	edges, shares := int64(0), make([]float64, classes)
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
		switch {
		case b.Cutoff > 0 && apart > int64(b.Cutoff):
		case b.Decay != nil:
			shares[x] = b.Decay.Share(apart)
		default:
			shares[x] = 1
		}
		if b.spread != nil {
			b.spread.share[x], b.spread.apart[x] = shares[x], !joined[x]
		}
		if b.within[x] *= shares[x]; joined[x] || b.spread != nil {
			b.within[x] = 0
		}
		b.From[x], b.To[x] = from[x], to[x]
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
	if b.hanging == nil {
		return
	}
	if b.nearness = shares; b.spread != nil {
		b.spread.vertices, b.spread.hanging = b.vertices, b.hanging
	}
}

// group sorts the block's graph vertices by class, and returns the local vertices in that order.
func (b *Block) group(number []uint32) (places []uint32) {
	b.classes, places = csr.Group(number, len(b.Multiplicity))
	b.vertices = csr.Pick(b.vertices, places)
	return places
}

// settle adds a block of merged twins to the closed forms, and reports whether it did. Every
// class must be a neighbour of every other, so that only pairs within classes have vertices
// between them, and their shares must be whole numbers.
func (b *Block) settle(closed wholes.Forms) bool {
	classes := b.Vertices()
	if len(b.Targets) != classes*(classes-1) || b.HasLengths() || b.Repeats() || b.spread != nil || b.Sees {
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
				closed.AddPart(vertex, float64(each))
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
