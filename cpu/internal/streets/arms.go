package streets

import (
	"context"
	"math"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
)

// arms is a block as junctions joined by chains. An arm is a chain as seen from one of its ends, so a chain between two
// junctions is two arms.
//
//	a --- x --- y --- b        arms: from a with places x, y; from b with places y, x
//	a --- x --- y              arm:  from a with places x, y
type arms struct {
	nodes  []node // by junction; the last two are nowhere, which no path reaches, and the end
	arms   []arm  // those of a junction are adjacent
	slots  []slot // those of an arm are adjacent: of the junction, and of places 1, 2, ...
	places []place
}

// node is a junction, with its numbers in a batch.
type node struct {
	distance uint32 // from the nearest source, or unreached
	first    uint32 // its first arm
	vertex   uint32
	local    uint32 // its number in the part
}

// arm is a chain as seen from a junction.
type arm struct {
	length int64  // endless if no path passes the chain
	to     uint32 // the junction at the other end, or nowhere
	slot   uint32 // its first
	inside uint32 // number of places
	first  bool   // it has places and was found before the chain's other arm
}

// slot is a place of an arm.
type slot struct {
	position int64 // distance from the junction
	vertex   uint32
}

// place says where a vertex is: at a junction, or inside a chain that has one arm or two.
type place struct {
	arms [2]uint32 // the second: none, if there is one; of a junction: its number
	at   uint32    // place in the first arm; 0: a junction
}

const (
	none      = math.MaxUint32
	unreached = math.MaxUint32
	// mostCutoff is the longest cutoff: see lengths.Inside.
	mostCutoff = 1 << 28
	endless    = math.MaxInt64
)

// newArms finds the arms of a block. Vertices that stand for several are junctions. They are in the order of the sources, so
// that batches find theirs side by side. The only error is the context's.
func newArms(ctx context.Context, b *preprocess.Block) (*arms, error) {
	a := &arms{places: make([]place, b.Vertices())}
	number := make([]uint32, b.Vertices()) // by vertex: its junction, and 1 more; 0: none
	var junctions []uint32
	join := func(v uint32) {
		junctions = append(junctions, v)
		number[v] = uint32(len(junctions))
	}
	arcs := 0 // of junctions
	for _, vertices := range [][]uint32{b.Sources, csr.Ascending(b.Vertices())} {
		for _, v := range vertices {
			if number[v] == 0 && isJunction(b, v) {
				join(v)
				arcs += len(b.Neighbours(v))
			}
		}
	}
	a.nodes = make([]node, 0, len(junctions)+2)
	a.arms, a.slots = make([]arm, 0, arcs), make([]slot, 0, arcs+2*(b.Vertices()-len(junctions)))
	for next, v := 0, uint32(0); ; next++ {
		for ; next == len(junctions) && int(v) < b.Vertices(); v++ { // a component of one chain
			if a.places[v].at == 0 && number[v] == 0 {
				join(v)
			}
		}
		if next == len(junctions) {
			break
		}
		if next%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from := junctions[next]
		a.places[from].arms[0] = uint32(next)
		a.nodes = append(a.nodes, node{distance: unreached, first: uint32(len(a.arms)), vertex: from})
		for e := b.Offsets[from]; e < b.Offsets[from+1]; e++ {
			a.walk(b, number, from, e)
		}
	}
	for i := range a.arms {
		if x := &a.arms[i]; x.to == none {
			x.to, x.length = uint32(len(junctions)), endless
		}
	}
	end := node{distance: unreached, first: uint32(len(a.arms))}
	a.nodes = append(a.nodes, end, end)
	return a, nil
}

// isJunction says whether a vertex is a junction wherever it is.
func isJunction(b *preprocess.Block, v uint32) bool {
	return len(b.Neighbours(v)) > 2 || b.Multiplicity != nil && b.Multiplicity[v] != 1
}

// walk follows an arm from a junction along an arc.
func (a *arms) walk(b *preprocess.Block, number []uint32, from uint32, arc int64) {
	made := uint32(len(a.arms))
	x := arm{to: none, slot: uint32(len(a.slots))}
	a.slots = append(a.slots, slot{vertex: from})
	for before, length := from, int64(0); ; {
		v := b.Targets[arc]
		length += b.Lengths[arc]
		if number[v] > 0 {
			x.to, x.length = number[v]-1, length
			break
		}
		x.inside++
		a.slots = append(a.slots, slot{length, v})
		if p := &a.places[v]; p.at == 0 {
			*p = place{[2]uint32{made, none}, x.inside}
			x.first = true
		} else {
			p.arms[1] = made
		}
		if len(b.Neighbours(v)) == 1 {
			break
		}
		if arc = b.Offsets[v]; b.Targets[arc] == before {
			arc++
		}
		before = v
	}
	a.arms = append(a.arms, x)
}

// slotsOf returns the slots of an arm.
func (a *arms) slotsOf(x *arm) []slot { return a.slots[x.slot : x.slot+x.inside+1] }

// junctionOf returns the junction of an arm.
func (a *arms) junctionOf(x *arm) uint32 { return a.places[a.slots[x.slot].vertex].arms[0] }
