package chains

import "bcstage/preprocess"

// skeleton is a block as junctions and chains, in the form that searches
// read. The vertices inside a chain of length k have the positions 1..k-1,
// counted from its first end. The chain has k slots: slot i is for
// position i, and slot 0 is unused.
type skeleton struct {
	*preprocess.Chains
	weight  []float64 // by junction
	lump    []float64 // by junction: the weight of the junction and of the chains that begin there
	arms    []arm     // the chains at each junction
	first   []uint32  // by junction, and one more: where its arms begin
	whole   []whole   // by chain
	hollow  []uint32  // the chains that have vertices
	slot    []uint32  // by chain, and one more: its first slot
	upTo    []span    // by slot: the positions 1..i
	places  []place   // by local vertex
	longest int       // length of the longest chain
	total   float64   // weight of the block
}

// arm is a chain seen from one of its ends.
type arm struct {
	to     uint32 // the other end
	chain  uint32
	length int32
}

// whole has the sums over all vertices inside a chain.
type whole struct {
	ends   [2]uint32
	weight float64
	moment [2]float64 // weight times distance from the first end, from the second
}

// span has the sums over some positions of a chain.
type span struct {
	weight float64
	moment float64 // weight times position
}

// place is the place of a vertex: a junction, or a position in a chain.
type place struct {
	index    uint32 // of the chain or junction
	position uint32 // 0: a junction
}

func newSkeleton(b *preprocess.Block) *skeleton {
	junctions, chains := len(b.Chains.Junctions), len(b.Chains.Ends)
	k := &skeleton{
		Chains: b.Chains,
		weight: make([]float64, junctions),
		lump:   make([]float64, junctions),
		whole:  make([]whole, chains),
		slot:   make([]uint32, chains+1),
		upTo:   make([]span, len(b.Chains.Inner)+chains),
		places: make([]place, b.Vertices()),
	}
	for j, v := range k.Junctions {
		k.places[v] = place{index: uint32(j)}
		k.weight[j], k.lump[j] = b.To[v], b.To[v]
		k.total += b.To[v]
	}
	for e, ends := range k.Ends {
		length := k.Length(e)
		k.slot[e+1] = k.slot[e] + uint32(length)
		upTo := k.spans(uint32(e))
		for i, v := range k.Inner[k.First[e]:k.First[e+1]] {
			k.places[v] = place{uint32(e), uint32(i + 1)}
			upTo[i+1].weight = upTo[i].weight + b.To[v]
			upTo[i+1].moment = upTo[i].moment + b.To[v]*float64(i+1)
		}
		all := upTo[length-1]
		k.whole[e] = whole{ends, all.weight, [2]float64{all.moment, all.weight*float64(length) - all.moment}}
		k.lump[ends[0]] += all.weight
		k.total += all.weight
		k.longest = max(k.longest, length)
		if length > 1 {
			k.hollow = append(k.hollow, uint32(e))
		}
	}
	k.joinArms()
	return k
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
	next := append([]uint32(nil), k.first...)
	for e, ends := range k.Ends {
		for side, x := range ends {
			k.arms[next[x]] = arm{to: ends[1-side], chain: uint32(e), length: int32(k.Length(e))}
			next[x]++
		}
	}
}

// spans returns the spans of chain e by position.
func (k *skeleton) spans(e uint32) []span {
	lo, hi := k.slot[e], k.slot[e+1]
	return k.upTo[lo:hi:hi]
}
