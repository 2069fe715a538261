package preprocess

import "bcstage/internal/budget"

// spreadTwins are the members of classes of twins whose masses are spread over what they reach (question.Gravity). A
// class reaches the same target mass outside it, sees, in one search. A member also reaches the other members, at one
// distance. So the search uses, with f the share at that distance and W the target mass of the class, the source mass
//
//	sum over members x of From(x) / (sees + f (W - To(x)) + stay)
//
// Of each member's part, f (W - To(x)) is for the vertices between false twins. It is the search that adds these pairs to
// the scores, not Block.within, since they need what the search sees.
type spreadTwins struct {
	first    []uint32  // by class, and the end: where its members begin
	from, to []float64 // by member: its source mass, and the target mass of the others
	share    []float64 // by class: f; 0 beyond the Cutoff
	apart    []bool    // by class: its members are false twins
	hanging  *hanging  // what hangs on members, and
	vertices []uint32  // by member: its graph vertex
	class    []uint32  // in a part of a block, by local vertex; nil: a local vertex is a class
}

// part returns the members for a part of the block, whose local vertices are those listed.
func (t *spreadTwins) part(vertices []uint32) *spreadTwins {
	if t == nil {
		return nil
	}
	part := *t
	part.class = vertices
	return &part
}

// send returns the source mass of a class that sees that much target mass outside. It adds the pairs within the class to
// the scores of the vertices between them.
func (t *spreadTwins) send(b *Block, source uint32, sees float64, scores []float64) (mass float64) {
	class := source
	if t.class != nil {
		class = t.class[source]
	}
	within := 0.0
	for i := t.first[class]; i < t.first[class+1]; i++ {
		others := t.to[i] * t.share[class]
		each := 0.0
		if sees := sees + others; t.hanging == nil {
			each = b.Decay.spread(t.from[i], sees)
		} else {
			each = t.hanging.send(t.vertices[i], sees)
		}
		mass += each
		within += float64(each * others) // the conversion keeps arm64 from fusing
	}
	if within == 0 || !t.apart[class] {
		return mass
	}
	around := float64(b.around(source))
	for y, through := range b.between(source) {
		scores[y] += within * float64(through) / around
	}
	return mass
}

// bytes returns the memory of the members.
func (t *spreadTwins) bytes() int64 {
	if t == nil {
		return 0
	}
	return budget.Held(t.from) + budget.Held(t.to) + budget.Held(t.share) + budget.Held(t.apart)
}
