package preprocess

import (
	"context"
	"slices"
)

// A vertex is massless if no path that counts begins or ends there. Whatever the question asks about pairs (a table of
// trips, shares by distance, a cutoff), such a vertex only makes paths longer. So a tree of such vertices is dropped
// (keepLeaves). Of a chain of them only the two ends are searched, as far apart as the chain is long. The flow over the
// chain is the score of each vertex inside.

// massless marks, by graph vertex, where no path that counts begins or ends. nil: the step of that name is off, or does
// not apply.
func (r *reducer) massless() []bool {
	q, n := r.plan.Question, r.plan.Vertices
	if r.plan.off("massless") || !twoMasses(q) {
		return nil
	}
	begin, end := r.opts.begin(n), r.opts.end(n)
	massless := make([]bool, n)
	for v := range massless {
		massless[v] = begin[v] == 0 && end[v] == 0
	}
	return massless
}

// massy marks, by local vertex, where paths that count begin or end.
func (b *Block) massy() []bool {
	massy := make([]bool, b.Vertices())
	for v := range massy {
		massy[v] = b.From[v] > 0 || b.To[v] > 0
	}
	for _, x := range b.Waived {
		massy[x.Target] = true
	}
	for _, v := range b.Sources {
		massy[v] = true
	}
	return massy
}

// Bare reports whether the vertices inside the chains of a block have no mass: all paths begin and end at junctions.
func (b *Block) Bare() bool {
	if b.Chains == nil {
		return false
	}
	massy := b.massy()
	return !slices.ContainsFunc(b.Chains.Inner, func(v uint32) bool { return massy[v] })
}

// bareGain is the least ratio of edges to chains of a block whose bare chains are searched one source at a time.
const bareGain = 1.5

// bareLanes is the number of sources per batch of a block with bare chains; each source takes a search of its own.
const bareLanes = 64

// contract is the step "massless". It finds the chains of undirected blocks whose inner vertices have no mass. Vertices
// with mass are junctions, whatever their degree.
func (r *reducer) contract(ctx context.Context, _ Forms) error {
	q := r.plan.Question
	if !twoMasses(q) {
		return nil
	}
	// Questions without another formula, for hops and lengths alike. A prepared graph of hops has no place for lengths.
	alone := r.cutoff != noCutoff || q.Decay.Share != "" || q.HasTrips()
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.Directed() || b.OneMass() || b.Distances || !b.HasLengths() && q.Decay.Share == "" && !q.HasTrips() {
			continue
		}
		massy := b.massy()
		bare, inside := 0, 0
		for v := range b.Vertices() {
			if b.Offsets[v+1]-b.Offsets[v] == 2 {
				inside++
				if !massy[v] {
					bare++
				}
			}
		}
		m := float64(b.Edges())
		chains := m - float64(bare)
		if b.Vertices()-bare < 2 { // one vertex that sends to itself
			continue
		}
		if bareGain*chains > m || !alone && chains > 1.5*(m-float64(inside)) { // else sources inside chains share searches
			continue
		}
		if r.edges != nil && !b.splittable() {
			continue
		}
		if !b.HasLengths() {
			b.Lengths = slices.Repeat([]int64{1}, len(b.Targets))
		}
		if r.edges != nil {
			if err := b.split(ctx, r.edges); err != nil {
				return err
			}
			massy = b.massy()
		}
		var err error
		if b.Chains, err = chainsBetween(ctx, b, massy); err != nil {
			return err
		}
	}
	return nil
}
