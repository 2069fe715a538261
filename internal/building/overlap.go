package building

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/parallel"
)

// Overlap counts the ids in the two columns of an edge table.
type Overlap struct {
	Sources, Destinations int // distinct ids of each column
	Both                  int // ids that are in both
}

// ByChance reports whether so few ids are in both columns that they are probably
// two sets of ids, such as numbers of users and of things, where equal ids mean
// nothing. In a table of one set, most ids of the smaller column are in the other
// one, too, or would be in a larger table.
func (o Overlap) ByChance() bool {
	least := min(o.Sources, o.Destinations)
	return o.Both > 0 && least >= fewestByChance && o.Both < least/ofOneByChance
}

const (
	fewestByChance = 1000 // ids in each column
	ofOneByChance  = 100  // ids of the smaller column per id in both, at most, in one set
)

// overlapOf counts the ids of both columns of edges between n vertices. The
// result is zero as soon as too many are in both for chance, which in most graphs
// shows in the first n/4 edges.
func overlapOf(ctx context.Context, n int, chunks []pairs, threads int) (Overlap, error) {
	if n < fewestByChance {
		return Overlap{}, nil
	}
	sets := [2][]uint64{make([]uint64, n/64+1), make([]uint64, n/64+1)}
	var o Overlap
	for some := n / 4; len(chunks) > 0; some *= 2 {
		first, rest := cutEdges(chunks, some)
		err := parallel.Each(ctx, threads, len(sets), func(_, column int) {
			for _, chunk := range first {
				if ctx.Err() == nil {
					mark(sets[column], [2][]uint32{chunk.src, chunk.dst}[column])
				}
			}
		})
		if err != nil {
			return Overlap{}, err
		}
		o = Overlap{}
		for i, sources := range sets[0] {
			destinations := sets[1][i]
			o.Sources += bits.OnesCount64(sources)
			o.Destinations += bits.OnesCount64(destinations)
			o.Both += bits.OnesCount64(sources & destinations)
		}
		if o.Both >= n/ofOneByChance {
			return Overlap{}, nil
		}
		chunks = rest
	}
	return o, nil
}

// cutEdges splits edges behind the first ones; both parts share their memory.
func cutEdges(chunks []pairs, first int) (before, after []pairs) {
	for i, chunk := range chunks {
		if rows := len(chunk.src); rows < first {
			first -= rows
			continue
		}
		before = append(slices.Clone(chunks[:i]), pairs{chunk.src[:first], chunk.dst[:first]})
		after = slices.Clone(chunks[i:])
		after[0] = pairs{chunk.src[first:], chunk.dst[first:]}
		if len(after[0].src) == 0 {
			after = after[1:]
		}
		return before, after
	}
	return chunks, nil
}

func mark(set []uint64, members []uint32) {
	for _, v := range members {
		set[v/64] |= 1 << (v % 64)
	}
}
