package preprocess

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"bcstage/preprocess/question"
	"bcstage/preprocess/testgraphs"
)

// Whatever the cutoff, the ends and the reductions, scores are those of the
// definition.
func TestCutoffRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	for i := range 4000 {
		g := randomGraph(r)
		if i%2 == 0 {
			g = digraphOf(randomArcs(r, 24))
		}
		if g.Vertices() > 60 {
			continue
		}
		sources, targets := everyVertex(g), everyVertex(g)
		asked := Options{}
		if r.IntN(3) == 0 {
			sources, targets = someOf(r, g.Vertices()), someOf(r, g.Vertices())
			asked = ends(sources, targets)
		}
		cutoff := r.IntN(8)
		asked.Question.Cutoff, asked.Question.Directed = strconv.Itoa(cutoff), g.In != nil
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(MaxLanes+1), anyOff(r)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumerated(g, sources, targets, cutoff)
			if g.In == nil {
				want = halved(want)
			}
			compare(t, scoresOf(t, g, asked), want)
		})
	}
}

// A cutoff that no shortest path passes leaves everything on, and the plan but for
// its question as it is.
func TestCutoffBeyondAllPaths(t *testing.T) {
	grid := testgraphs.Grid(5, 8) // from a corner the farthest vertex is 11 edges away
	g := graphOf(45, append(grid, testgraphs.Path(40, 44)...))
	plain, err := Reduce(context.Background(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for cutoff, off := range map[string]bool{"0": true, "21": true, "22": false, "44": false, "99999999999999999999": false} {
		p, err := Reduce(context.Background(), g, Options{Question: question.Question{Cutoff: cutoff}})
		if err != nil {
			t.Fatal(err)
		}
		if got := offOf(p.Reductions); (got != "") != off {
			t.Errorf("cutoff %s: off are %q", cutoff, got)
		}
		if off {
			continue
		}
		p.Question, p.Fingerprint = plain.Question, plain.Fingerprint
		if fmt.Sprintf("%+v", p) != fmt.Sprintf("%+v", plain) {
			t.Errorf("cutoff %s: another plan", cutoff)
		}
	}
	if _, err := Reduce(context.Background(), g, Options{Question: question.Question{Cutoff: "1.5"}}); err == nil {
		t.Error("half an edge")
	}
}

func TestPreparedCutoff(t *testing.T) {
	g := graphOf(50, testgraphs.Join(testgraphs.Grid(5, 8), testgraphs.Path(39, 49)))
	for _, cutoff := range []string{"1", "4", "99"} {
		p, err := Reduce(context.Background(), g, Options{ComponentSizes: true, Question: question.Question{Cutoff: cutoff}})
		if err != nil {
			t.Fatal(err)
		}
		ids := Keys{Ints: make([]uint64, p.Vertices)}
		var file bytes.Buffer
		written := &Prepared{Plan: p, IDs: ids, Degrees: make([]uint32, p.Vertices)}
		if err := written.Write(context.Background(), &file); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "graph")
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		read, err := OpenPrepared(context.Background(), path, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%+v", read.Plan), fmt.Sprintf("%+v", p); got != want {
			t.Errorf("cutoff %s: read %s, written %s", cutoff, got, want)
		}
		if err := read.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Paths that count for their ends, too.
func TestEndpointsRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 2))
	for i := range 1500 {
		g := randomGraph(r)
		if g.Vertices() > 60 {
			continue
		}
		sources, targets := everyVertex(g), everyVertex(g)
		asked := Options{}
		if r.IntN(2) == 0 {
			sources, targets = someOf(r, g.Vertices()), someOf(r, g.Vertices())
			asked = ends(sources, targets)
		}
		asked.Question.Endpoints = true
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(MaxLanes+1), anyOff(r)
		want := enumerated(g, sources, targets, 1000)
		for _, s := range sources {
			_, distance, _ := search(g, s, nil)
			for _, v := range targets {
				if s != v && distance[v] < g.Vertices() {
					want[s]++
					want[v]++
				}
			}
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { compare(t, scoresOf(t, g, asked), halved(want)) })
	}
}
