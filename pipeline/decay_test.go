package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// decays draws a rule by which pairs count less with distance, computed apart from the program.
func decays(r *rand.Rand) (text string, share func(x float64) float64) {
	number := math.Round(1000*r.Float64())/400 + .01
	spelt := strconv.FormatFloat(number, 'f', -1, 64)
	switch r.IntN(5) {
	case 0:
		return "exp:" + spelt, func(x float64) float64 { return math.Exp(-number * x) }
	case 1:
		return "power:" + spelt, func(x float64) float64 { return 1 / math.Pow(x, number) }
	case 2:
		return "gaussian:" + spelt, func(x float64) float64 { return math.Exp(-(x / number) * (x / number) / 2) }
	case 3:
		return "table:1=0.5,2=0,4=1,6=0.25", func(x float64) float64 {
			return []float64{.5, .5, 0, .5, 1, .625, .25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}[int(x)]
		}
	}
	return "exp:0", func(float64) float64 { return 1 }
}

// Scores of pairs that count by distance are those of a list of all paths, to 1e-12 of each, by every walk that suits.
func TestDecay(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 31))
	forced := map[string]int{}
	for range 400 {
		g := anyTrips(random)
		g.decay, g.share = decays(random)
		sides, column, each := []string{"ab", "a", ""}[random.IntN(3)], "flow", 1.0
		if sides == "" {
			if column = "betweenness_centrality"; !g.directed {
				each = 2
			}
		}
		vertices, edges, _ := g.listed(sides)
		var ofEdges tables.Table
		g.byWalks(t, random, forced, sides, func(o *Options) {
			o.Precision = []Precision{Float64, Float32}[random.IntN(2)]
			if ofEdges = (tables.Table{}); random.IntN(2) == 0 {
				o.Edges = into(&ofEdges)
			}
		}, func(walk string, table *tables.Table, _ *Stats) {
			g.holdColumn(t, walk, table, column, each, vertices, g.products(sides))
			if ofEdges.Pairs != nil {
				g.holdEdges(t, walk, &ofEdges, ofEdges.Columns[0].Name, each, edges, g.products(sides))
			}
		})
	}
	holdWalks(t, forced, "auto", "rows", "meshes", "lengths", "alone-lengths", "balls")
}

// Shares that are all 1 do not change scores, though they switch reductions off. Shares that end are a cutoff.
func TestDecayOfOne(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 31))
	list := append(graphs(random, 1+30/testgraphs.OneIn), listed("grid", testgraphs.Grid(30, 30)), listed("band", testgraphs.Band(300, 7, 3)))
	forced := map[string]int{}
	for _, e := range bothQuestions(list) {
		for _, lengths := range []bool{false, true} {
			var plain, near tables.Table
			if _, err := Run(t.Context(), e.asText(lengths), into(&plain)); err != nil {
				t.Fatal(err)
			}
			opts := e.asText(lengths)
			opts.Question.Cutoff = "4"
			if _, err := Run(t.Context(), opts, into(&near)); err != nil {
				t.Fatal(err)
			}
			for _, walk := range append([]string{"auto"}, cpu.Walks()...) {
				for decay, want := range map[string]tables.Table{"exp:0": plain, "power:0": plain, "table:4=1": near} {
					opts := e.asText(lengths)
					opts.Question.Decay.Share, opts.Walk, opts.Verify = decay, walk, 3
					var table tables.Table
					_, err := Run(t.Context(), opts, into(&table))
					if errors.Is(err, engine.ErrWalk) {
						continue
					}
					if err != nil {
						t.Fatalf("%s: %s: %v", e.name, decay, err)
					}
					forced[walk]++
					for v, x := range scoresIn(table) {
						if y := scoresIn(want)[v]; math.Abs(x-y) > 1e-12*y {
							t.Fatalf("%s, lengths %v, %s, walk %s: vertex %d: %v, want %v", e.name, lengths, decay, walk, v, x, y)
						}
					}
				}
			}
		}
	}
	for _, walk := range []string{"rows", "entries", "meshes", "lengths", "alone-lengths", "balls"} {
		if forced[walk] == 0 {
			t.Errorf("no graph was searched by walk %s", walk)
		}
	}
}

// Edges given twice change no bit. Rows in another order, which renumbers the vertices, change the last bits only.
func TestDecayOfPermutedRows(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 31))
	for _, decay := range []string{"exp:0.3", "power:1.5", "gaussian:3", "table:1=1,9=0.1"} {
		for _, directed := range []bool{false, true} {
			var rows []string
			for _, e := range testgraphs.Grid(9, 14) {
				rows = append(rows, fmt.Sprintf("%d,%d,%d.5", e[0], e[1], 1+random.IntN(3)))
			}
			run := func(header string, rows []string, threads int) map[uint64]float64 {
				opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Stdin: strings.NewReader(header + "\n" + strings.Join(rows, "\n") + "\n"), Format: tables.FormatCSV}}}
				opts.Engine, opts.Threads, opts.Question = EngineCPU, threads, question.Question{Directed: directed, Lengths: question.Lengths{Column: "m"}, Decay: question.Decay{Share: decay}}
				var table tables.Table
				if _, err := Run(t.Context(), opts, into(&table)); err != nil {
					t.Fatal(err)
				}
				scores := map[uint64]float64{}
				for v, id := range table.IDs.Ints {
					scores[id] = scoresIn(table)[v]
				}
				return scores
			}
			first := run("src,dst,m", rows, 1)
			twice := append(slices.Clone(rows), rows[:len(rows)/2]...)
			if second := run("src,dst,m", twice, 2); fmt.Sprint(first) != fmt.Sprint(second) {
				t.Errorf("%s: edges given twice have other bits", decay)
			}
			random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			for id, x := range run("src,dst,m", rows, 2) {
				if math.Abs(x-first[id]) > 1e-13*x {
					t.Errorf("%s: vertex %d: %v, from rows in another order %v", decay, id, first[id], x)
				}
			}
		}
	}
}

// Threads, instruction sets and shards change no bit. Masses in another order, which renumbers the vertices, change the
// last bits only.
func TestDecayInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 31))
	some := 0
	for range 60 {
		g := anyTrips(random)
		g.decay, g.share = decays(random)
		g.spreads, g.stay = random.IntN(2) == 0, "0.25"
		columns := append([]string{measures.Betweenness}, reachedColumns...)[:1+6*random.IntN(2)]
		run := func(change func(o *Options)) (table tables.Table) {
			opts := g.options(t, "ab")
			opts.Question.Measures = columns
			change(&opts)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatal(err)
			}
			return table
		}
		want := run(func(o *Options) { o.Threads = 1 })
		merged := inShards(t, run)
		for what, got := range map[string]tables.Table{"shards": merged, "set go": run(func(o *Options) { o.Set, o.Threads = "go", 3 })} {
			for _, c := range want.Columns {
				if got := columnOf(t, &got, c.Name); !sameBits(got, c.Values) {
					t.Errorf("%s, %s: %s: %v, want %v", g.decay, what, c.Name, got, c.Values)
				}
			}
		}
		scores := map[uint64]float64{}
		for v, id := range want.IDs.Ints {
			scores[id] = want.Floats("flow")[v]
		}
		g.seed++ // of the order of the vertex table
		other := run(func(*Options) {})
		for v, id := range other.IDs.Ints {
			x := other.Floats("flow")[v]
			if math.Abs(x-scores[id]) > 1e-13*x {
				t.Errorf("%s: vertex %d: %v, and %v with masses in another order", g.decay, id, scores[id], x)
			}
			if x > 0 {
				some++
			}
		}
	}
	if some < 60 {
		t.Errorf("%d flows are more than 0", some)
	}
}

// If paths are too many to divide a share among them, they are counted in the extended range.
func TestDecayOfManyPaths(t *testing.T) {
	e := listed("long", layered(180, 10))
	for _, walk := range []string{"auto", "rows"} {
		opts := e.asText(false)
		opts.Walk, opts.Verify = walk, 5
		opts.Question.Decay.Share = "exp:1.5"
		var table tables.Table
		stats, err := Run(t.Context(), opts, into(&table))
		if err != nil || stats.SelfCheck.Recomputed == 0 {
			t.Fatalf("walk %s: %d batches were computed again, %v", walk, stats.SelfCheck.Recomputed, err)
		}
		// A layer's vertices have equal scores: sum over both sides, closed form by layers.
		layers, width := 180, 10.0
		for v, id := range table.IDs.Ints {
			at, want := int(id)/10, 0.0
			for i := range at {
				for j := at + 1; j < layers; j++ {
					want += width * math.Exp(-1.5*float64(j-i))
				}
			}
			// and between two vertices of a neighbouring layer, whose paths have two edges
			for _, beside := range []int{at - 1, at + 1} {
				if beside >= 0 && beside < layers {
					between := width
					if beside > 0 && beside < layers-1 {
						between *= 2
					}
					want += width * (width - 1) / 2 * math.Exp(-3) / between
				}
			}
			if got := scoresIn(table)[v]; math.Abs(got-want) > 1e-11*want {
				t.Fatalf("walk %s: vertex %d: %v, want %v", walk, id, got, want)
			}
		}
	}
}

// layered joins every layer completely to the next.
func layered(layers, width int) (edges []testgraphs.Edge) {
	for layer := range layers - 1 {
		for i := range width {
			for j := range width {
				edges = append(edges, testgraphs.Edge{uint32(layer*width + i), uint32((layer+1)*width + j)})
			}
		}
	}
	return edges
}

// Questions without an answer yet are refused by name.
func TestDecayRefused(t *testing.T) {
	e := listed("grid", testgraphs.Grid(3, 3))
	for want, refused := range map[string]func(o *Options){
		"has no betweenness": func(o *Options) { o.Question.Measures = []string{"degree"} },
		"--decay-floor":      func(o *Options) { o.Question.Decay.Floor = 2 },
	} {
		opts := e.asText(false)
		opts.Question.Decay.Share = "exp:1"
		refused(&opts)
		if _, err := Run(t.Context(), opts, into(new(tables.Table))); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Exponential shares are a factor for each edge, and with a floor that no pair reaches they are shares of pairs. Walks keep
// numbers in another form then, and the flows are the same. In chains of diamonds, path counts exceed what shares of pairs
// are divided by.
func TestDecayFloorOfNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 31))
	forced := map[string]int{}
	for _, e := range []*edgeList{listed("grid", testgraphs.Grid(20, 20)), listed("band", testgraphs.Band(300, 7, 3)), listed("diamonds", testgraphs.Diamonds(520)), listed("random", testgraphs.Random(random, 200, 200, 500))} {
		for _, spread := range []string{"", "origins"} {
			for _, walk := range append([]string{"auto"}, cpu.Walks()...) {
				var flows [2][]float64
				for i := range flows {
					opts := e.asText(false)
					opts.Question.Decay, opts.Question.Gravity.Constrained, opts.Walk, opts.Verify = question.Decay{Share: "exp:0.01", Floor: float64(i) * 1e-100}, spread, walk, 2
					var table tables.Table
					if _, err := Run(t.Context(), opts, into(&table)); errors.Is(err, engine.ErrWalk) {
						break
					} else if err != nil {
						t.Fatalf("%s, %s: %v", e.name, walk, err)
					}
					flows[i] = slices.Clone(scoresIn(table))
				}
				if flows[1] != nil {
					forced[walk]++
				}
				for v, x := range flows[1] {
					if math.Abs(x-flows[0][v]) > 1e-12*x {
						t.Fatalf("%s, walk %s, %q: vertex %d: %v, by shares of pairs %v", e.name, walk, spread, v, flows[0][v], x)
					}
				}
			}
		}
	}
	holdWalks(t, forced, "auto", "rows", "entries", "meshes")
}
