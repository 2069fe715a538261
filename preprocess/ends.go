package preprocess

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// checkEnds checks that the options name the ends that the question is about, in a graph of n vertices.
func (o *Options) checkEnds(n int) error {
	for _, ends := range []struct {
		name string
		set  question.Set
		list []uint32
	}{{"sources", o.Question.Sources, o.Sources}, {"targets", o.Question.Targets, o.Targets}} {
		if ends.set == (question.Set{}) && ends.list != nil {
			return fmt.Errorf("%w: %d %s, while the question is about all", errOptions, len(ends.list), ends.name)
		}
		for i, v := range ends.list {
			if int(v) >= n || i > 0 && v <= ends.list[i-1] {
				return fmt.Errorf("%w: %s: vertex %d of %d at place %d, want each once, ascending", errOptions, ends.name, v, n, i)
			}
		}
	}
	return nil
}

// chosenEnds reports whether paths begin, or end, at some vertices only.
func chosenEnds(q question.Question) bool {
	return q.Sources != (question.Set{}) || q.Targets != (question.Set{})
}

// twoMasses reports whether a vertex's source mass may differ from its target mass, or from 1.
func (o *Options) twoMasses() bool {
	q := o.Question
	return chosenEnds(q) || q.HasTrips() || q.Gravity != (question.Gravity{}) || o.Origins != nil || o.Destinations != nil
}

// dropOnes drops masses that are all 1. Vertices have them without a table, too, and then the formulas for counts hold.
func (o *Options) dropOnes() {
	for _, masses := range []*[]int64{&o.Origins, &o.Destinations} {
		if !slices.ContainsFunc(*masses, func(mass int64) bool { return mass != 1 }) {
			*masses = nil
		}
	}
}

// checkMasses checks that the options name the masses that the question is about, in a graph of n vertices.
func (o *Options) checkMasses(n int) error {
	for _, side := range []struct {
		name   string
		asked  question.Masses
		masses []int64
	}{{"origins", o.Question.Origins, o.Origins}, {"destinations", o.Question.Destinations, o.Destinations}} {
		if (side.asked.Column != "") != (side.masses != nil) || side.masses != nil && len(side.masses) != n {
			return fmt.Errorf("%w: %d %s for %d vertices, column %q", errOptions, len(side.masses), side.name, n, side.asked.Column)
		}
		total := int64(0)
		for v, mass := range side.masses {
			if total += mass; mass < 0 || mass > building.MostMass || total > building.MostMass {
				return fmt.Errorf("%w: %s: vertex %d has a mass of %d; want 0 to %d, in all", errOptions, side.name, v, mass, int64(building.MostMass))
			}
		}
		if side.masses != nil && total != side.asked.Total {
			return fmt.Errorf("%w: %s: %d in all, and the question says %d", errOptions, side.name, total, side.asked.Total)
		}
	}
	return nil
}

// begin returns the source masses, by vertex, and end the target masses.
func (o *Options) begin(n int) []int64 {
	if o.Question.HasTrips() {
		return o.tripsBy(n, func(x building.Trip) uint32 { return x.Source })
	}
	return massesAt(n, o.Question.Sources, o.Sources, o.Origins)
}

func (o *Options) end(n int) []int64 {
	if o.Question.HasTrips() {
		return o.tripsBy(n, func(x building.Trip) uint32 { return x.Target })
	}
	return massesAt(n, o.Question.Targets, o.Targets, o.Destinations)
}

// tripsBy sums the trips of each vertex that is the end.
func (o *Options) tripsBy(n int, end func(building.Trip) uint32) []int64 {
	sums := make([]int64, n)
	for _, x := range o.Trips {
		sums[end(x)] += x.Count
	}
	return sums
}

// massesAt returns the given masses (nil: 1 each) of the vertices where paths begin, or end; 0 for the others.
func massesAt[M int64 | uint32](n int, set question.Set, list []uint32, given []M) []M {
	if set == (question.Set{}) {
		if given != nil {
			return given
		}
		return slices.Repeat([]M{1}, n)
	}
	mass := make([]M, n)
	for _, v := range list {
		if mass[v] = 1; given != nil {
			mass[v] = given[v]
		}
	}
	return mass
}

// ownMass returns, by vertex, 1 if paths begin, or end, at it, else 0.
func ownMass(n int, set question.Set, list []uint32) []uint32 {
	return massesAt[uint32](n, set, list, nil)
}

// dropIdle drops the blocks that no path enters, or none leaves.
func (r *reducer) dropIdle(context.Context, wholes.Forms) error {
	if !r.opts.twoMasses() {
		return nil
	}
	always := r.plan.Question.Searches(measures.Reached) // whatever the source mass
	some := func(mass []float64) bool { return slices.ContainsFunc(mass, func(x float64) bool { return x > 0 }) }
	r.plan.keepBlocks(func(_ int, b *Block) bool { return (always || some(b.From)) && some(b.To) })
	return nil
}

// turnBlocks turns the paths of a block round where they end at fewer vertices than they begin at, by a quarter or
// more, since searches start where paths begin. A path is as long the other way round, and passes the same
// vertices and edges. With arcs reversed, and source and target masses exchanged, scores are the same.
func (r *reducer) turnBlocks(context.Context, wholes.Forms) error {
	if fromSources(r.plan.Question) || !r.graph.Directed() && !r.opts.twoMasses() {
		return nil
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.Sees {
			continue // the search of a vertex is about it
		}
		begins, ends := 0, 0
		for v := range b.From {
			if b.From[v] > 0 && b.Offsets[v] < b.Offsets[v+1] {
				begins++
			}
			if in := b.Reverse(); b.To[v] > 0 && in.Offsets[v] < in.Offsets[v+1] {
				ends++
			}
		}
		if 4*ends > 3*begins {
			continue
		}
		b.From, b.To, b.turned = b.To, b.From, true
		if b.Directed() {
			there := b.Graph
			b.Graph = *b.In
			there.In = nil
			b.In = &there
		}
	}
	return nil
}

// dropDeadEnds removes the source mass of vertices of directed blocks that no arc leads out of: no path begins
// there. Blocks without sources are dropped.
func (r *reducer) dropDeadEnds(context.Context, wholes.Forms) error {
	if !r.graph.Directed() {
		return nil
	}
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		for v := range b.From {
			if b.Offsets[v] == b.Offsets[v+1] {
				b.From[v] = 0
			}
		}
	}
	if !r.plan.Question.Searches(measures.Reached) {
		r.plan.keepBlocks(func(_ int, b *Block) bool { return b.begins() > 0 })
	}
	return nil
}

// vertices counts the vertices that have mass.
func vertices[M int64 | float64](mass []M) (count int) {
	for _, x := range mass {
		if x > 0 {
			count++
		}
	}
	return count
}

// fromSources reports whether the results of a search are about its source, so that paths cannot be turned round.
func fromSources(q question.Question) bool {
	return q.Gravity != question.Gravity{} || q.Searches(measures.Reached)
}
