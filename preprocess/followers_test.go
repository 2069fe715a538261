package preprocess

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// stringy draws a directed graph whose vertices mostly have one successor: chains, and trees that lead to few vertices.
func stringy(r *rand.Rand) *csr.Graph {
	junctions := 1 + r.IntN(6)
	n := junctions
	var arcs []edge
	for range 1 + r.IntN(9) {
		from, to := uint32(r.IntN(n)), uint32(r.IntN(junctions))
		if r.IntN(3) == 0 {
			from, to = uint32(n), uint32(r.IntN(n)) // a tributary
			n++
		}
		for range r.IntN(7) {
			arcs = append(arcs, edge{from, uint32(n)})
			from = uint32(n)
			n++
		}
		if from != to && !slices.Contains(arcs, edge{from, to}) {
			arcs = append(arcs, edge{from, to})
		}
	}
	if r.IntN(2) == 0 { // against the arcs
		for i, e := range arcs {
			arcs[i] = edge{e[1], e[0]}
		}
	}
	place := r.Perm(n)
	for i, e := range arcs {
		arcs[i] = edge{uint32(place[e[0]]), uint32(place[e[1]])}
	}
	return digraphOf(n, arcs)
}

// ownFound finds the numbers of a vertex by relaxing arcs until nothing changes.
func ownFound(g *csr.Graph, source uint32) (f engine.Found) {
	distance := map[uint32]uint64{source: 0}
	for changed := true; changed; {
		changed = false
		for v := range uint32(g.Vertices()) {
			d, met := distance[v]
			if !met {
				continue
			}
			for _, u := range g.Neighbours(v) {
				to := d + uint64(g.Length(v, u))
				if known, met := distance[u]; !met || to < known {
					distance[u], changed = to, true
				}
			}
		}
	}
	for v, d := range distance {
		if v != source {
			f.Reach, f.Farness, f.Eccentricity = f.Reach+1, f.Farness+d, max(f.Eccentricity, d)
		}
	}
	return f
}

// Every vertex has the numbers of its own search, whether it is searched from or follows another, and so it is after
// writing and reading a prepared graph.
func TestFollowers(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 11))
	followers, cyclic := 0, 0
	for i := range 200 {
		g := stringy(r)
		opts := Options{Question: question.Question{Directed: true, Measures: []string{measures.Closeness + measures.Out, measures.Eccentricity + measures.Out}}, Threads: 1}
		way := g
		if i%3 == 0 {
			opts.Question.Measures, way = []string{measures.Farness + measures.In}, g.In
		}
		if i%2 == 0 {
			*g = *withLengths(r, g, 9)
			opts.Question.Lengths.Column, opts.Divisor = "km", 1
			if i%3 == 0 {
				way = g.In
			}
		}
		p := prepare(t, g, numbered(g.Vertices()), opts)
		read, err := open(t, fileOf(t, p))
		if err != nil {
			t.Fatal(err)
		}
		got := make([]engine.Found, g.Vertices())
		for j := range p.Blocks {
			b := &p.Blocks[j]
			if !reflect.DeepEqual(b, &read.Blocks[j]) {
				t.Fatalf("read %+v, want %+v", read.Blocks[j], b)
			}
			if !b.Follow() {
				got = nil // summed by vertex
				break
			}
			for v, follows := range b.follows {
				if follows {
					followers++
				}
				if follows && !b.Ascends() && !b.In.Ascends() {
					cyclic++
				}
				if follows == slices.Contains(b.Sources, uint32(v)) && b.Offsets[v] < b.Offsets[v+1] {
					t.Fatalf("vertex %d: follows %t", v, follows)
				}
			}
			add := func(vertices []uint32, found []engine.Found) {
				for k, v := range vertices {
					got[v].Reach, got[v].Farness, got[v].Eccentricity = got[v].Reach+found[k].Reach, got[v].Farness+found[k].Farness, got[v].Eccentricity+found[k].Eccentricity
				}
			}
			found := make([]engine.Found, b.Vertices())
			for k, s := range b.Sources {
				if found[s] = ownFound(&b.Graph, s); k%2 == i%2 { // some batches say where they have results
					b.EachFound(1, found, []uint32{s}, add)
					found[s] = engine.Found{}
				}
			}
			b.EachFound(1, found, nil, add)
		}
		for v := range got {
			if want := ownFound(way, uint32(v)); got[v] != want {
				t.Fatalf("graph %d, vertex %d: %+v, want %+v", i, v, got[v], want)
			}
		}
	}
	if followers < 1000 || cyclic < 200 {
		t.Errorf("%d vertices followed others, %d of them beside cycles", followers, cyclic)
	}
}

// Sums of 1/distance do not follow, nor do numbers within a cutoff or of some ends.
func TestFollowersRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 12))
	chosen := question.SetOf(func(func([]byte) bool) {})
	for name, q := range map[string]question.Question{
		"":         {Measures: []string{measures.Farness + measures.Out}},
		"harmonic": {Measures: []string{measures.Farness + measures.Out, measures.Harmonic + measures.Out}},
		"cutoff":   {Measures: []string{measures.Farness + measures.Out}, Cutoff: "3"},
		"sources":  {Measures: []string{measures.Farness + measures.Out}, Sources: chosen},
		"targets":  {Measures: []string{measures.Farness + measures.Out}, Targets: chosen},
	} {
		q.Directed = true
		follow := false
		for range 50 {
			opts := Options{Question: q, Threads: 1}
			if q.Sources != (question.Set{}) {
				opts.Sources = []uint32{0, 1}
			}
			if q.Targets != (question.Set{}) {
				opts.Targets = []uint32{0, 1}
			}
			g := stringy(r)
			if g.Vertices() < 4 {
				continue
			}
			p, err := Reduce(t.Context(), g, opts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.Blocks {
				follow = follow || p.Blocks[i].Follow()
			}
		}
		if follow != (name == "") {
			t.Errorf("%q: vertices follow others: %t", name, follow)
		}
	}
}
