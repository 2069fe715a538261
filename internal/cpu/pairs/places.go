package pairs

import "math/bits"

// places has the place of each vertex that a search has found. Where vertices are few, or a search has found a quarter of
// them, that is an array by vertex. Else it is a hash table of what was found, probed linearly: in large graphs most
// searches meet before they have found one vertex in a hundred, and threads need no array each.
type places struct {
	array []uint32 // by vertex; nil: there are slots
	slots []uint64 // vertex<<32 | base+place; free where the low half is below base: it is of an earlier search
	shift uint     // the probes for a vertex begin at hash>>shift
	base  uint32
	used  int

	vertices int
}

const (
	fewVertices = 1 << 20 // have an array at once: it fits a cache
	fewestSlots = 1 << 8
)

func newPlaces(vertices int) places {
	p := places{vertices: vertices}
	p.grow(nil)
	return p
}

// clear forgets all places.
func (p *places) clear() {
	if uint64(p.base)+uint64(p.used) > 1<<31 { // all places fit above
		clear(p.slots)
		p.base, p.used = 1, 0
	}
	p.base += uint32(p.used)
	p.used = 0
}

// set gives a vertex without a place the next one; order has the vertices of all places before.
func (p *places) set(v uint32, order []uint32) {
	if p.array != nil {
		p.array[v] = uint32(len(order))
	} else {
		p.insert(v, order)
	}
}

// of returns the place of a vertex that has one.
func (p *places) of(v uint32) uint32 {
	if p.array != nil {
		return p.array[v]
	}
	return p.probe(v)
}

func (p *places) insert(v uint32, order []uint32) {
	if 2*len(order) >= len(p.slots) {
		if p.grow(order); p.array != nil {
			p.array[v] = uint32(len(order))
			return
		}
	}
	p.put(v, uint32(len(order)))
	p.used++
}

// home is where the probes for a vertex begin: Fibonacci hashing (D.E. Knuth, "The art of computer programming", 6.4).
func (p *places) home(v uint32) uint32 { return v * 0x9e3779b9 >> (p.shift & 31) }

func (p *places) put(v, place uint32) {
	last := uint32(len(p.slots) - 1)
	at := p.home(v)
	for uint32(p.slots[at]) >= p.base {
		at = (at + 1) & last
	}
	p.slots[at] = uint64(v)<<32 | uint64(p.base+place)
}

func (p *places) probe(v uint32) uint32 {
	last := uint32(len(p.slots) - 1)
	for at := p.home(v); ; at = (at + 1) & last {
		if slot := p.slots[at]; uint32(slot>>32) == v && uint32(slot) >= p.base {
			return uint32(slot) - p.base
		}
	}
}

// grow makes more slots, or the array where that takes less or vertices are few, for the vertices of order.
func (p *places) grow(order []uint32) {
	const slot, place = 8, 4 // bytes
	size := max(2*len(p.slots), fewestSlots)
	if p.slots, p.base = nil, 1; p.vertices < fewVertices || slot*size > place*p.vertices {
		p.array = make([]uint32, p.vertices)
		for place, v := range order {
			p.array[v] = uint32(place)
		}
		return
	}
	p.slots, p.shift = make([]uint64, size), uint(32-bits.TrailingZeros(uint(size)))
	for place, v := range order {
		p.put(v, uint32(place))
	}
}
