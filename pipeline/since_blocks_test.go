package pipeline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// drawnBlocks draws rings, chains between junctions, twins, trees and cacti, glued to each other or apart, with fewer than 45 vertices.
func drawnBlocks(r *rand.Rand) arcs {
	list, n := arcs{}, 0
	for n < 20+r.IntN(20) {
		first, size := n, 3+r.IntN(6)
		if n > 0 && r.IntN(5) > 0 {
			first = r.IntN(n) // glued
		} else {
			n++
		}
		at := func(i int) int { // of the piece
			if i == 0 {
				return first
			}
			return n + i - 1
		}
		join := func(i, j int) { list.set(at(i), at(j), length(r), false) }
		switch r.IntN(5) {
		case 0: // a ring, with a chord or two
			for i := range size {
				join(i, (i+1)%size)
			}
			join(0, size/2)
			join(r.IntN(size), r.IntN(size))
		case 1: // twins
			for i := 2; i < size; i++ {
				join(0, i)
				join(i, 1)
			}
		case 2: // a cactus of triangles
			for i := 2; i < size; i += 2 {
				top := r.IntN(i - 1)
				join(top, i-1)
				join(i-1, i)
				join(i, top)
			}
		case 3: // a tree
			for i := 1; i < size; i++ {
				join(r.IntN(i), i)
			}
		default: // dense
			for i := 1; i < size; i++ {
				for j := range i {
					if r.IntN(3) > 0 || j == i-1 {
						join(i, j)
					}
				}
			}
		}
		n += size - 1
	}
	for e := range list {
		if max(e[0], e[1]) >= 45 {
			delete(list, e)
		}
	}
	return list
}

// closed returns a copy without some edges, with some others, or both.
func (a arcs) closed(r *rand.Rand) arcs {
	now := arcs{}
	var edges [][2]int
	for e, x := range a {
		now[e], edges = x, append(edges, e)
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	kind := r.IntN(3)
	for range 1 + r.IntN(3) {
		e := edges[r.IntN(len(edges))]
		if kind < 2 {
			delete(now, e)
		}
		if kind > 0 {
			u, v := e[0], edges[r.IntN(len(edges))][1]
			if _, turned := a[[2]int{v, u}]; a[[2]int{u, v}] == 0 && !turned {
				now.set(u, v, length(r), false)
			}
		}
	}
	return now
}

// Closed and opened streets: flows between masses, and plain scores, are updated to those of a whole run, in blocks where these are
// enough. Graphs have trees, cacti, chains, twins and several components, masses of 0, hops and lengths.
func TestSinceInBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 9))
	inside, ways := 0, map[string]int{}
	for i := range 120 {
		q := question.Question{}
		if i%2 > 0 {
			q.Lengths.Column = "m"
		}
		vertices := ""
		if i%5 > 0 {
			_, vertices = vertexTables(t, r)
			q.Origins.Column, q.Destinations.Column = []string{"", "a", "", "a", "a"}[i%5], []string{"", "b", "b", "", "a"}[i%5]
		}
		before := drawnBlocks(r)
		now := before.closed(r)
		run := func(edges arcs, since *Since) (table tables.Table, stats *Stats) {
			opts := edges.ask(q, nil, nil)
			opts.Files.Vertices, opts.Since = vertices, since
			stats, err := Run(t.Context(), opts, into(&table))
			if err != nil {
				t.Fatalf("%d: %v: %v", i, q, err)
			}
			return table, stats
		}
		scores, _ := run(before, nil)
		whole, _ := run(now, nil)
		opts := before.ask(question.Question{Lengths: q.Lengths}, nil, nil)
		opts.Files.Vertices = vertices
		since := &Since{Prepared: prepared(t, opts), Scores: &scores}
		for _, since.way = range []string{waySides, ""} {
			got, stats := run(now, since)
			if differs := alike(got, byID(whole, whole.Columns[0].Name)); differs != "" {
				t.Errorf("%d: %v by %+v: %s", i, q, stats.Since, differs)
			}
			if ways[stats.Since.Way]++; stats.Since.Blocks > 0 && stats.Since.Way == waySides {
				inside++
			}
		}
	}
	if inside < 60 {
		t.Errorf("%d updates in blocks, of %v", inside, ways)
	}
}
