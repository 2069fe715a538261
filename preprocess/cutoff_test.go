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

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Whatever the cutoff, the ends and the reductions, scores are those of the
// definition.
func TestCutoffRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	for i := range 4000 / testgraphs.OneIn {
		g := anyGraph(r, i)
		if g.Vertices() > 60 {
			continue
		}
		sources, targets, asked := anyEnds(r, g, 3)
		cutoff := r.IntN(8)
		asked.Question.Cutoff, asked.Question.Directed = strconv.Itoa(cutoff), g.In != nil
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(engine.MaxLanes+1), anyOff(r)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumerated(g, sources, targets, cutoff)
			if g.In == nil {
				want = halved(want)
			}
			compare(t, scoresOf(t, g, asked), want)
		})
	}
}

// So they are where arcs have lengths, in any unit, also with cutoffs that are not
// multiples of a length.
func TestCutoffLengthsRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 3))
	for i := range 4000 / testgraphs.OneIn {
		g := anyGraph(r, i)
		if g.Vertices() > 60 {
			continue
		}
		g = withLengths(r, g, []int64{1, 2, 3, 10, 1 << 40}[i%5])
		sources, targets, asked := anyEnds(r, g, 3)
		cutoff := 8 * r.IntN(8)
		if len(g.Lengths) > 0 {
			cutoff = r.IntN(int(4*g.Lengths[r.IntN(len(g.Lengths))]) + 2)
		}
		asked.Question.Cutoff, asked.Question.Directed, asked.Question.Lengths = strconv.Itoa(cutoff), g.In != nil, byWeight().Lengths
		if asked.Divisor = 1; r.IntN(2) == 0 {
			asked.Divisor, asked.Question.Lengths.Unit = 8, "2^-2" // a length of 1 is 8/4
			asked.Question.Cutoff = strconv.Itoa(2*cutoff) + []string{"", ".5"}[r.IntN(2)]
		}
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(engine.MaxLanes+1), anyOff(r)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumerated(g, sources, targets, cutoff)
			if g.In == nil {
				want = halved(want)
			}
			compare(t, scoresOf(t, g, asked), want)
		})
	}
}

func TestCutoffUnits(t *testing.T) {
	for _, c := range []struct {
		cutoff, unit string
		divisor      int64
		want         int64
		fits         bool
	}{
		{"3", "", 0, 3, true},
		{"0.3", "10^-1", 1, 3, true},
		{"0.29", "10^-1", 1, 2, true},
		{"0.3", "10^-6", 1e5, 3, true},
		{"0.3", "2^-4", 1, 4, true},
		{"1000", "2^3", 5, 25, true},
		{"4611686018427387903", "", 1, 1<<62 - 1, true},
		{"4611686018427387904", "", 1, 0, false},
		{"99999999999999999999", "10^-3", 1, 0, false},
	} {
		q := question.Question{Cutoff: c.cutoff, Lengths: question.Lengths{Column: "w", Unit: c.unit}}
		if got, fits := (building.Scale{Unit: q.Lengths.Unit, Divisor: c.divisor}).Whole(q.Cutoff); got != c.want || fits != c.fits {
			t.Errorf("%s in units of %d*%q: %d, %t, want %d, %t", c.cutoff, c.divisor, c.unit, got, fits, c.want, c.fits)
		}
	}
}

// Without directions, no path is longer than twice the depth of a search times the longest length.
func TestCutoffBeyondDepth(t *testing.T) {
	star := csr.Graph{Offsets: []int64{0, 4, 5, 6, 7, 8}, Targets: []uint32{1, 2, 3, 4, 0, 0, 0, 0}, Lengths: []int64{5, 1, 1, 1, 5, 1, 1, 1}}
	for cutoff, want := range map[string]int64{"9": 9, "10": noCutoff} {
		q := question.Question{Cutoff: cutoff, Lengths: byWeight().Lengths}
		if got, err := cutoffOf(t.Context(), &star, q, 1); got != want || err != nil {
			t.Errorf("cutoff %s: %d, %v, want %d", cutoff, got, err, want)
		}
	}
}

// A cutoff that no shortest path exceeds leaves all reductions on, and changes
// only the plan's question.
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
	r := rand.New(rand.NewPCG(51, 4))
	for i, cutoff := range []string{"1", "4", "99", "0.1", "2.25", "99", "999999999"} {
		g := graphOf(50, testgraphs.Join(testgraphs.Grid(5, 8), testgraphs.Path(39, 49)))
		asked := Options{ComponentSizes: true, Question: question.Question{Cutoff: cutoff}}
		if i > 2 {
			g, asked.Question.Lengths, asked.Divisor = withLengths(r, g, 100), question.Lengths{Column: "w", Unit: "10^-2"}, 3
		}
		p, err := Reduce(context.Background(), g, asked)
		if err != nil {
			t.Fatal(err)
		}
		ids := building.Keys{Ints: make([]uint64, p.Vertices)}
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
		p.Pruned = 0 // a file does not hold it
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
	for i := range 3000 / testgraphs.OneIn {
		g := anyGraph(r, i)
		if g.Vertices() > 60 {
			continue
		}
		sources, targets := everyVertex(g), everyVertex(g)
		asked := Options{}
		if r.IntN(2) == 0 {
			sources, targets = someOf(r, g.Vertices()), someOf(r, g.Vertices())
			asked = ends(sources, targets)
		}
		asked.Question.Endpoints, asked.Question.Directed = true, g.In != nil
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(engine.MaxLanes+1), anyOff(r)
		cutoff := anyLength
		if r.IntN(2) == 0 {
			cutoff = r.IntN(7)
		}
		if r.IntN(3) == 0 {
			g = withLengths(r, g, []int64{1, 3, 10, 1 << 40}[r.IntN(4)])
			asked.Question.Lengths, asked.Divisor = byWeight().Lengths, 1
			if cutoff < anyLength && len(g.Lengths) > 0 {
				cutoff = r.IntN(int(4*g.Lengths[r.IntN(len(g.Lengths))]) + 2)
			}
		}
		if cutoff < anyLength {
			asked.Question.Cutoff = strconv.Itoa(cutoff)
		}
		want := enumerated(g, sources, targets, cutoff)
		for _, s := range sources {
			_, distance, paths := search(g, s, nil)
			for _, v := range targets {
				if s != v && paths[v] > 0 && distance[v] <= cutoff {
					want[s]++
					want[v]++
				}
			}
		}
		if g.In == nil {
			want = halved(want)
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { compare(t, scoresOf(t, g, asked), want) })
	}
}
