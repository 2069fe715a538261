package preprocess

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// Trips are pairs of vertices with the number of trips from one to the other. Paths, their order and counts do not
// depend on them: in the formulas of Block a pair counts for its trips instead of the product of two masses. Each row
// of a block becomes a waiver with a negative mass, From is 1 where a search begins, and To is 0.
//
// Reductions that move masses from vertex to vertex have no formula for a table, and are off. Vertices without trips
// are removed by the step "massless".

// tripBytes is the memory of a row while a graph is reduced: as given, as routed, as a waiver, and as one that is sorted.
const tripBytes = 16 + 16 + 16 + 16

// checkTrips checks that the options have the trips that the question is about, in a graph of n vertices.
func (o *Options) checkTrips(n int) error {
	if !o.Question.HasTrips() && o.Trips != nil {
		return fmt.Errorf("%w: %d trips, while the question is about none", errOptions, len(o.Trips))
	}
	total := int64(0)
	for i, x := range o.Trips {
		switch {
		case int(x.Source) >= n || int(x.Target) >= n || i > 0 && o.Trips[i-1].Compare(x) >= 0:
			return fmt.Errorf("%w: trips from %d to %d of %d vertices at place %d; want each pair once, ascending", errOptions, x.Source, x.Target, n, i)
		case x.Count < 1 || x.Count > building.MostMass-total:
			return fmt.Errorf("%w: %d trips at place %d; want 1 to %d, in all", errOptions, x.Count, i, int64(building.MostMass))
		}
		total += x.Count
	}
	if total > o.Question.Trips.Total {
		return fmt.Errorf("%w: %d trips in all, and the question says %d", errOptions, total, o.Question.Trips.Total)
	}
	return nil
}

// routeTrips leaves the rows that have a path, of whatever length, to later steps, and sums the others.
func (r *reducer) routeTrips(ctx context.Context) error {
	routed, err := r.routed(ctx)
	if err != nil {
		return err
	}
	p, left := r.plan, make([]building.Trip, 0, len(r.opts.Trips))
	for i, x := range r.opts.Trips {
		switch {
		case x.Source == x.Target:
			p.Self = p.Self.Plus(x.Count, 1)
		case routed(i, x):
			p.Routed = p.Routed.Plus(x.Count, 1)
			left = append(left, x)
			continue
		default:
			p.NoPath = p.NoPath.Plus(x.Count, 1)
		}
		p.Unrouted = append(p.Unrouted, x)
	}
	r.opts.Trips = left
	return nil
}

// routed reports, for each row by its place, whether a path leads from its source to its target.
func (r *reducer) routed(ctx context.Context) (func(i int, x building.Trip) bool, error) {
	trips := r.opts.Trips
	if !r.graph.Directed() {
		of, _, err := components(ctx, r.graph)
		return func(_ int, x building.Trip) bool { return of[x.Source] == of[x.Target] }, err
	}
	var search strongSearch
	strong, err := search.find(ctx, r.graph)
	if err != nil {
		return nil, err
	}
	none := make([]int64, r.graph.Vertices())
	there, err := condense(ctx, r.graph, strong, none)
	if err != nil {
		return nil, err
	}
	reached := make([]bool, len(trips))
	if err := r.fits(r.held() + 8*sweepWords*int64(there.Vertices())); err != nil {
		return nil, err
	}
	rows, sums := make([][sweepWords]uint64, there.Vertices()), make([]int64, sweepBits)
	for first := 0; first < len(trips); {
		var about []uint32 // strong components of sources
		bits, end := map[uint32]int{}, first
		for ; end < len(trips); end++ {
			of := strong.of[trips[end].Source]
			if _, met := bits[of]; met {
				continue
			}
			if len(about) == sweepBits {
				break
			}
			bits[of] = len(about)
			about = append(about, of)
		}
		sweep(ctx, there, about, rows, sums)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i, x := range trips[first:end] {
			bit := bits[strong.of[x.Source]]
			reached[first+i] = rows[there.at(strong.of[x.Target])][bit/64]>>(bit%64)&1 == 1
		}
		first = end
	}
	return func(i int, _ building.Trip) bool { return reached[i] }, nil
}

// sowTrips gives the blocks their rows of the table.
func (r *reducer) sowTrips(ctx context.Context, _ wholes.Forms) error {
	if !r.plan.Question.HasTrips() {
		return nil
	}
	local, of := make([]uint32, r.plan.Vertices), slices.Repeat([]uint32{csr.None}, r.plan.Vertices)
	for i := range r.plan.Blocks {
		for j, v := range r.plan.Blocks[i].vertices {
			local[v], of[v] = uint32(j), uint32(i)
		}
	}
	for _, x := range parallel.Over(ctx, r.opts.Trips) {
		b := &r.plan.Blocks[of[x.Source]] // its component, since a path leads to the target
		b.Waive(local[x.Source], local[x.Target], -float64(x.Count))
	}
	for i := range r.plan.Blocks {
		if err := r.plan.Blocks[i].seatTrips(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// seatTrips chooses the end from which each row of a block is searched. In a directed block it is the side that
// turnBlocks has chosen; else it is either end, so that few vertices search for all.
func (b *Block) seatTrips(ctx context.Context) error {
	if !b.Directed() {
		if err := b.coverTrips(ctx); err != nil {
			return err
		}
	} else if b.turned {
		for i, x := range b.Waived {
			b.Waived[i].Source, b.Waived[i].Target = x.Target, x.Source
		}
	}
	n := b.Vertices()
	b.Waived = sumWaived(n, b.Waived)
	b.From, b.To = make([]float64, n), make([]float64, n)
	for _, x := range b.Waived {
		b.From[x.Source] = 1
	}
	return nil
}

// sumWaived sorts waivers between n vertices and adds up those of equal pairs, in their order.
func sumWaived(n int, waived []waiver) []waiver {
	spare := make([]waiver, len(waived))
	seat(n, waived, spare, func(x waiver) uint32 { return x.Target })
	seat(n, spare, waived, func(x waiver) uint32 { return x.Source })
	sums := waived[:0]
	for _, x := range waived {
		if last := len(sums) - 1; last >= 0 && sums[last].Source == x.Source && sums[last].Target == x.Target {
			sums[last].Mass += x.Mass
		} else {
			sums = append(sums, x)
		}
	}
	return sums
}

// seat writes waivers in the order of one of their ends, and keeps that of equal ones.
func seat(n int, waived, to []waiver, end func(waiver) uint32) {
	next := make([]int, n+1)
	for _, x := range waived {
		next[end(x)+1]++
	}
	for v := range n {
		next[v+1] += next[v]
	}
	for _, x := range waived {
		at := &next[end(x)]
		to[*at] = x
		*at++
	}
}

// coverTrips turns rows of an undirected block round, whose paths are the same both ways, so that they begin at few
// vertices. These are a cover of the graph of all pairs, found greedily: take the vertex with most remaining pairs,
// repeatedly. All origins, or all destinations, are used if they are no more. (The smallest cover is NP-hard where the
// graph of pairs is not bipartite.)
func (b *Block) coverTrips(ctx context.Context) error {
	n := b.Vertices()
	origins, destinations := make([]bool, n), make([]bool, n)
	began, ended := 0, 0
	for _, x := range b.Waived {
		if !origins[x.Source] {
			origins[x.Source] = true
			began++
		}
		if !destinations[x.Target] {
			destinations[x.Target] = true
			ended++
		}
	}
	pairs := slices.Clone(b.Waived)
	for i, x := range pairs {
		pairs[i].Source, pairs[i].Target = min(x.Source, x.Target), max(x.Source, x.Target)
	}
	pairs = sumWaived(n, pairs)
	taken, count, err := coverOf(ctx, n, pairs)
	if err != nil {
		return err
	}
	if count >= min(began, ended) {
		taken = origins
		if ended < began {
			taken = destinations
		}
	}
	for i, x := range b.Waived { // both ends may be taken: equal pairs then begin at the same
		source, target := min(x.Source, x.Target), max(x.Source, x.Target)
		if !taken[source] {
			source, target = target, source
		}
		b.Waived[i].Source, b.Waived[i].Target = source, target
	}
	return nil
}

// coverOf chooses among n vertices such that each of the distinct pairs has a chosen one.
func coverOf(ctx context.Context, n int, pairs []waiver) (taken []bool, count int, err error) {
	first := make([]uint32, n+1) // by vertex, and the end: where its partners begin
	for _, x := range pairs {
		first[x.Source+1]++
		first[x.Target+1]++
	}
	for v := range n {
		first[v+1] += first[v]
	}
	partners, next := make([]uint32, 2*len(pairs)), slices.Clone(first[:n])
	for _, x := range pairs {
		partners[next[x.Source]] = x.Target
		next[x.Source]++
		partners[next[x.Target]] = x.Source
		next[x.Target]++
	}
	left := make([]uint32, n) // by vertex: pairs without a chosen vertex
	most := uint32(0)
	for v := range left {
		left[v] = first[v+1] - first[v]
		most = max(most, left[v])
	}
	lists := make([][]uint32, most+1) // by the number of pairs left when the vertex was listed
	for v, pairs := range left {
		lists[pairs] = append(lists[pairs], uint32(v))
	}
	taken = make([]bool, n)
	for size := most; size > 0; size-- {
		for at := 0; at < len(lists[size]); at++ {
			v := lists[size][at]
			switch {
			case left[v] < size:
				lists[left[v]] = append(lists[left[v]], v)
				continue
			case ctx.Err() != nil:
				return nil, 0, ctx.Err()
			}
			taken[v] = true
			count++
			for _, u := range partners[first[v]:first[v+1]] {
				if !taken[u] {
					left[u]--
				}
			}
			left[v] = 0
		}
		lists[size] = nil
	}
	return taken, count, nil
}

// HasTrips reports whether only the pairs of Waived count.
func (p *Paths) HasTrips() bool { return len(p.Waived) > 0 && p.Waived[0].Mass < 0 }
