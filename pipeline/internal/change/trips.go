package change

import (
	"slices"
	"unsafe"

	"bcstage/internal/building"
	"bcstage/internal/csr"
)

// tripBytes is the memory of a row of trips.
const tripBytes = int64(unsafe.Sizeof(building.Trip{}))

// Count makes a pair count the trips from its source to its target: rows of today and of yesterday, by vertex of either
// graph. A row that only one of them has goes to or from a vertex that the other lacks. Pairs are ordered then.
func (d *Difference) Count(today, yesterday []building.Trip) {
	d.ordered, d.weighed = true, true
	d.trips = slices.Concat(today, yesterday)
	for i := range d.trips[len(today):] {
		x := &d.trips[len(today)+i]
		x.Source, x.Target = x.Source+uint32(d.vertices), x.Target+uint32(d.vertices)
	}
	d.Sources, d.Targets = make([]bool, len(d.twin)), make([]bool, len(d.twin))
	for _, x := range d.trips {
		d.Sources[x.Source], d.Targets[x.Target] = true, true
	}
}

// Routes returns a graph with the trips whose flows through it Parts takes: all rows with their source or target in a
// cover. It is the union, and, if arcs have directions, the union turned round beside it: a row is there, from its
// target, if its source is in no cover. Vertices and days are left out as Flows does.
func (d *Difference) Routes(union *csr.Graph, from, to Cover) (g *csr.Graph, trips []building.Trip) {
	var there, back []building.Trip
	for _, x := range d.trips {
		if from[x.Source] || to[x.Target] && !d.directed {
			there = append(there, x)
		} else if to[x.Target] {
			back = append(back, building.Trip{Source: x.Target, Target: x.Source, Count: x.Count})
		}
	}
	turned := turn(union)
	first, second := d.begun(union, begins(there, len(d.twin))), d.begun(turned, begins(back, len(d.twin)))
	d.search(slices.Concat(first, second))
	trips = append(renumbered(there, first, len(d.twin), 0), renumbered(back, second, len(d.twin), len(first))...)
	return beside(pick(union, first), pick(turned, second)), building.SumTrips(trips)
}

// begins returns by vertex of n how many trips begin there.
func begins(trips []building.Trip, n int) []int64 {
	counts := make([]int64, n)
	for _, x := range trips {
		counts[x.Source] += x.Count
	}
	return counts
}

// renumbered returns the rows between some of n vertices, by place among these, after so many others.
func renumbered(trips []building.Trip, some []uint32, n, after int) (list []building.Trip) {
	number := slices.Repeat([]uint32{csr.None}, n)
	for i, v := range some {
		number[v] = uint32(after + i)
	}
	for _, x := range trips {
		if x.Source, x.Target = number[x.Source], number[x.Target]; x.Source != csr.None && x.Target != csr.None {
			list = append(list, x)
		}
	}
	return list
}
