package preprocess

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
)

// A vertex v with one successor u that does not reach v follows u: its paths are those of u, one arc longer. With an
// arc of length l,
//
//	reach(v) = reach(u) + 1
//	farness(v) = farness(u) + l (reach(u) + 1)
//	eccentricity(v) = eccentricity(u) + l
//
// So searches begin at the other vertices only, and each finds its own numbers (Block.Own). Sums of 1/distance do not
// follow, nor do numbers within a cutoff or between some ends.

// fewLeading returns the least ratio of the sources of searches that sum by vertex to the vertices that follow no other, for
// searches to begin at these. Devices search by vertex, where arcs have no lengths.
func fewLeading(lengths bool) int {
	if lengths {
		return 2
	}
	return 3
}

// mayFollow reports whether the question allows that vertices follow others, and so many vertices of whole components
// do that searches begin at the others. In a graph with cycles fewer vertices may follow. An error is the context's.
func (r *reducer) mayFollow(ctx context.Context, list []uint32) (bool, error) {
	if chosenEnds(r.opts.Question) || r.cutoff != noCutoff || !r.fitsOwn(len(list)) {
		return false, nil
	}
	for _, m := range r.opts.Question.Sums() {
		ahead, against := r.graph, r.graph.In
		if !m.Outward() {
			ahead, against = against, ahead
		}
		begin, lead := 0, 0
		for _, v := range parallel.Over(ctx, list) {
			begin += min(len(against.Neighbours(v)), 1)
			if row := ahead.Neighbours(v); len(row) > 1 || len(row) == 1 && len(ahead.Neighbours(row[0])) == 0 {
				lead++
			}
		}
		if m.Search == measures.Distances && (m.Of == measures.Harmonic || fewLeading(r.graph.HasLengths())*lead > begin) {
			return false, ctx.Err()
		}
	}
	return true, ctx.Err()
}

// follow marks the vertices of a directed block that follow others, and makes the others its sources, if they are few.
// of has the strong component of each vertex; nil: there are no cycles.
func (b *Block) follow(ctx context.Context, of []uint32) error {
	follows, begin, lead := make([]bool, b.Vertices()), 0, 0
	for v := range parallel.Until(ctx, uint32(len(follows))) {
		begin += min(len(b.Neighbours(v)), 1)
		row := b.In.Neighbours(v)
		follows[v] = len(row) == 1 && len(b.In.Neighbours(row[0])) > 0 && (of == nil || of[row[0]] != of[v])
		if len(row) > 0 && !follows[v] {
			lead++
		}
	}
	if fewLeading(b.HasLengths())*lead <= begin {
		b.Own, b.follows = true, follows
	}
	return ctx.Err()
}

// otherFollow marks the vertices with one successor that are no sources.
func (b *Block) otherFollow() {
	b.follows = make([]bool, b.Vertices())
	for v := range b.follows {
		b.follows[v] = b.Offsets[v+1]-b.Offsets[v] == 1
	}
	for _, v := range b.Sources {
		if int(v) < len(b.follows) { // the file is checked later
			b.follows[v] = false
		}
	}
}

// Follow reports whether some vertices of the block follow others. Then sums of 1/distance are not asked for.
func (r *Reaches) Follow() bool { return r.follows != nil }

// eachFollowing calls add for the sources among some vertices, and for all that follow them, with their numbers.
func (b *Block) eachFollowing(at []uint32, found []engine.Found, add func(vertices []uint32, found []engine.Found)) {
	type following struct {
		vertex uint32
		found  engine.Found
	}
	var stack []following
	one := make([]engine.Found, 1)
	for _, source := range at {
		if found[source].Reach > 0 {
			stack = append(stack, following{source, found[source]})
		}
		for len(stack) > 0 {
			next := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			one[0] = next.found
			add(b.vertices[next.vertex:next.vertex+1], one)
			for e := b.In.Offsets[next.vertex]; e < b.In.Offsets[next.vertex+1]; e++ {
				if v := b.In.Targets[e]; b.follows[v] {
					f, length := next.found, uint64(b.In.ArcLength(e))
					f.Reach++
					f.Farness += length * f.Reach
					f.Eccentricity += length
					stack = append(stack, following{v, f})
				}
			}
		}
	}
}
