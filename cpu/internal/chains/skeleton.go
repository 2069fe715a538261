package chains

import (
	"slices"

	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// skeleton is a block as junctions and chains, in the form that searches
// read. The first end of a chain is place 0, at position 0, and the vertices inside are
// places 1, 2, ... A chain with k-1 vertices inside has k slots: slot
// i is for place i, and slot 0 for the first end. Without lengths every place is its position.
type skeleton struct {
	*csr.Chains
	weight   []float64 // by junction
	lump     []float64 // by junction: the weight of the junction and of the chains that begin there
	arms     []arm     // the chains at each junction
	first    []uint32  // by junction, and one more: where its arms begin
	whole    []whole   // by chain
	hollow   []uint32  // the chains that have vertices
	slot     []uint32  // by chain, and one more: its first slot
	upTo     []float64 // by slot: weight of the places 1..i
	position []int64   // by slot: distance along the chain from its first end; without lengths by place, for all chains
	places   []place   // by local vertex
	most     int       // largest number of slots of a chain
	total    float64   // weight of the block
	unit     bool      // arcs have no lengths
}

// arm is a chain seen from one of its ends.
type arm struct {
	length int64
	to     uint32 // the other end
	chain  uint32
}

// whole has the numbers of a chain: ends, length, and the weight of all vertices inside.
type whole struct {
	ends   [2]uint32
	length int64
	weight float64
}

// place is the place of a vertex: a junction, or a place in a chain.
type place struct {
	index uint32 // of the chain or junction
	at    uint32 // 0: a junction
}

func newSkeleton(b *preprocess.Block) *skeleton {
	junctions, chains := len(b.Chains.Junctions), len(b.Chains.Ends)
	slots := len(b.Chains.Inner) + chains
	k := &skeleton{
		Chains: b.Chains,
		weight: make([]float64, junctions),
		lump:   make([]float64, junctions),
		whole:  make([]whole, chains),
		slot:   make([]uint32, chains+1),
		upTo:   make([]float64, slots),
		places: make([]place, b.Vertices()),
		unit:   !b.HasLengths(),
	}
	for e := range k.Ends {
		k.most = max(k.most, k.Length(e))
	}
	if k.unit {
		k.position = make([]int64, k.most)
		for i := range k.position {
			k.position[i] = int64(i)
		}
	} else {
		k.position = make([]int64, slots)
	}
	for j, v := range k.Junctions {
		k.places[v] = place{index: uint32(j)}
		k.weight[j], k.lump[j] = b.To[v], b.To[v]
		k.total += b.To[v]
	}
	for e, ends := range k.Ends {
		slots := k.Length(e)
		k.slot[e+1] = k.slot[e] + uint32(slots)
		length := k.measure(b, e)
		upTo := k.weights(uint32(e))
		for i, v := range k.Inner[k.First[e]:k.First[e+1]] {
			k.places[v] = place{uint32(e), uint32(i + 1)}
			upTo[i+1] = upTo[i] + b.To[v]
		}
		inside := upTo[slots-1]
		k.whole[e] = whole{ends, length, inside}
		k.lump[ends[0]] += inside
		k.total += inside
		if slots > 1 {
			k.hollow = append(k.hollow, uint32(e))
		}
	}
	k.joinArms()
	return k
}

// measure returns the length of chain e. With lengths it also finds the positions of its places.
func (k *skeleton) measure(b *preprocess.Block, e int) int64 {
	if k.unit {
		return int64(k.Length(e))
	}
	ends, position := k.Ends[e], k.positions(uint32(e))
	before, at := k.Junctions[ends[0]], int64(0)
	for i, v := range k.Inner[k.First[e]:k.First[e+1]] {
		at += b.Length(before, v)
		position[i+1], before = at, v
	}
	return at + b.Length(before, k.Junctions[ends[1]])
}

func (k *skeleton) joinArms() {
	k.arms, k.first = make([]arm, 2*len(k.Ends)), make([]uint32, len(k.Junctions)+1)
	for _, ends := range k.Ends {
		k.first[ends[0]+1]++
		k.first[ends[1]+1]++
	}
	for j := range k.Junctions {
		k.first[j+1] += k.first[j]
	}
	next := slices.Clone(k.first)
	for e, ends := range k.Ends {
		for side, x := range ends {
			k.arms[next[x]] = arm{k.whole[e].length, ends[1-side], uint32(e)}
			next[x]++
		}
	}
}

// weights returns the weights of chain e by slot.
func (k *skeleton) weights(e uint32) []float64 {
	lo, hi := k.slot[e], k.slot[e+1]
	return k.upTo[lo:hi:hi]
}

// positions returns the positions of chain e by slot.
func (k *skeleton) positions(e uint32) []int64 {
	lo, hi := k.slot[e], k.slot[e+1]
	if k.unit {
		lo, hi = 0, hi-lo
	}
	return k.position[lo:hi:hi]
}

// parting says from which end the places of a chain are reached: from the first end if
// 2*position < twice, from the second if 2*position > twice, and
// from both at a tie. So the places 1..near are reached from the first end, and places
// after next from the second. If next is not near, it is reached from both. Seen from a
// root, with ends a and b, twice is length + d(b) - d(a), from 0 to 2*length.
func (k *skeleton) parting(positions []int64, twice int64) (near, next int) {
	if k.unit {
		return int(max(twice-1, 0)) / 2, min(int(twice)/2, len(positions)-1)
	}
	low, high := 0, len(positions) // invariant: 2*position of low is less than twice, or low is 0; that of high is not
	for low+1 < high {
		middle := int(uint(low+high) / 2)
		if 2*positions[middle] < twice {
			low = middle
		} else {
			high = middle
		}
	}
	if high < len(positions) && 2*positions[high] == twice {
		return low, high
	}
	return low, low
}

// shares divides 1 in the ratio of x to y.
func shares(x, y float64) (ofX, ofY float64) {
	one := 1 / (x + y)
	return x * one, y * one
}
