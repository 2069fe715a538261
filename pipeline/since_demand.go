package pipeline

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/change"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// counted is what pairs of vertices count, by vertex of a graph.
type counted struct {
	masses [2][]int64      // where paths begin and end; nil: 1 each
	trips  []building.Trip // nil: the question has no table of them
}

// countedBefore gives the graph before what pairs count today. It returns a function that gives both to the difference.
func (u *updater) countedBefore(ctx context.Context, today counted) (give func(*change.Difference), err error) {
	q := u.today.Question
	weigh := preprocess.Options{Question: q.Exact(), Threads: u.opts.Threads, Fits: func(bytes int64) error { return u.need(bytes, "give the graph before its masses") }}
	if q.HasTrips() {
		if err := u.in.needTrips(&u.earlier.names, 16+3*8); err != nil {
			return nil, err
		}
		before, err := u.opts.Trips.routes(ctx, &weigh.Question, &u.earlier.names)
		if err != nil {
			return nil, fmt.Errorf("Options.Trips: of the graph before: %w", err)
		}
		weigh.Trips = before.list
		return func(d *change.Difference) { d.Count(today.trips, before.list) }, u.earlier.weigh(ctx, weigh)
	}
	both := u.massesOfBoth(today.masses, &weigh)
	if q.HasMasses() || q.Shares() {
		err = u.earlier.weigh(ctx, weigh)
	}
	return func(d *change.Difference) {
		if q.HasMasses() {
			d.Weigh(both[0], both[1])
		} else if q.Sources != q.Targets {
			d.Ordered()
		}
		if q.Gravity.Constrained != "" {
			d.Spread()
		}
	}, err
}

// massesOfBoth returns masses by vertex of the union, and adds to the options those of the graph before.
func (u *updater) massesOfBoth(today [2][]int64, before *preprocess.Options) (both [2][]int64) {
	n := u.today.names.IDs.Len()
	for side, of := range [2]struct {
		masses *[]int64
		chosen *[]uint32
	}{{&before.Origins, &before.Sources}, {&before.Destinations, &before.Targets}} {
		masses, ends := today[side], u.ends[side]
		if ends != nil {
			*of.chosen = []uint32{}
		}
		if masses != nil {
			both[side] = append(slices.Clip(masses), make([]int64, len(u.of))...)
			*of.masses = both[side][n:]
		}
		for old, v := range u.of {
			if masses != nil && v != csr.None {
				(*of.masses)[old] = masses[v]
			}
			if ends != nil && ends[n+old] {
				*of.chosen = append(*of.chosen, uint32(old))
			}
		}
	}
	return both
}

// flowPlan returns the plan of the flows of both graphs from and to covers; nil: their masses are too large.
func (u *updater) flowPlan(ctx context.Context, d *change.Difference, union *csr.Graph, from, to change.Cover) (*preprocess.Plan, error) {
	q := u.opts.Question
	asked := question.Question{Directed: q.Directed, Lengths: q.Lengths, Cutoff: q.Cutoff, Decay: q.Decay, Gravity: q.Gravity}
	asked.Lengths.Unit = u.scale.Unit
	var g *csr.Graph
	var reduce preprocess.Options
	if q.HasTrips() {
		g, reduce.Trips = d.Routes(union, from, to)
		asked.Trips = question.Masses{Column: q.Trips.Column}
		for _, x := range reduce.Trips {
			asked.Trips.Total += x.Count
		}
		reduce.Question = asked
	} else {
		var origins, destinations []int64
		g, origins, destinations = d.Flows(union, from, to)
		reduce = flowing(asked, origins, destinations)
		reduce.Question.Destinations.Unit = u.today.Question.Destinations.Unit // of --stay
	}
	if asked = reduce.Question; max(asked.Origins.Total, asked.Destinations.Total, asked.Trips.Total) > building.MostMass {
		return nil, nil
	}
	reduce.Divisor, reduce.Threads, reduce.Lanes, reduce.Unsummed = u.scale.Divisor, u.opts.Threads, u.in.lanes, true
	reduce.Fits = func(bytes int64) error { return u.need(bytes, "reduce both graphs") }
	return preprocess.Reduce(ctx, g, reduce)
}
