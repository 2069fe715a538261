package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// reachedColumns are the columns of what vertices reach.
var reachedColumns = []string{measures.Access, measures.Within, measures.MeanDistance, measures.WeightedCloseness, measures.WeightedHarmonic, measures.WeightedFarness}

// holdReached compares reachedColumns with a list of all paths.
func (g *trips) holdReached(t *testing.T, walk string, table *tables.Table, sides string) {
	t.Helper()
	want := map[string][]*big.Rat{}
	for _, name := range reachedColumns {
		want[name] = make([]*big.Rat, g.n)
	}
	_, out := g.arcs()
	all := new(big.Rat) // of all vertices
	for _, id := range table.IDs.Ints {
		all.Add(all, mass(g.to, int(id), strings.Contains(sides, "b")))
	}
	most := new(big.Rat) // the largest product between two vertices
	for _, id := range table.IDs.Ints {
		v := int(id)
		best, paths := g.paths(out, v)
		r := g.reached(best, paths, v, sides)
		want[measures.Access][v], want[measures.Within][v] = r.shared, r.mass
		want[measures.WeightedFarness][v], want[measures.WeightedHarmonic][v] = r.distance, r.inverse
		mean, close := new(big.Rat), new(big.Rat)
		if others := new(big.Rat).Sub(all, mass(g.to, v, strings.Contains(sides, "b"))); r.mass.Sign() > 0 {
			mean.Quo(r.distance, r.mass)
			close.Mul(new(big.Rat).Inv(mean), new(big.Rat).Quo(r.mass, others))
		}
		want[measures.MeanDistance][v], want[measures.WeightedCloseness][v] = mean, close
		most.Add(most, r.distance)
	}
	for _, name := range reachedColumns {
		g.holdColumn(t, walk, table, name, 1, want[name], most)
	}
}

// Constrained flows, and measures of reached masses, are those of a list of all paths, by every walk that suits.
func TestGravity(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 5))
	forced := map[string]int{}
	for range 400 {
		g := anyTrips(random)
		g.spreads, g.stay = true, []string{"0", "0", "0.001", "2.5"}[random.IntN(4)]
		if random.IntN(4) > 0 {
			g.decay, g.share = decays(random)
		}
		sides := []string{"ab", "a", "b", ""}[random.IntN(4)]
		vertices, edges, _ := g.listed(sides)
		var ofEdges tables.Table
		columns := random.IntN(2) == 0
		g.byWalks(t, random, forced, sides, func(o *Options) {
			if ofEdges = (tables.Table{}); random.IntN(2) == 0 {
				o.Edges = into(&ofEdges)
			}
			if columns {
				o.Question.Measures = append([]string{measures.Betweenness}, reachedColumns...)
			}
		}, func(walk string, table *tables.Table, stats *Stats) {
			g.holdColumn(t, walk, table, "flow", 1, vertices, g.products(sides))
			if ofEdges.Pairs != nil {
				g.holdEdges(t, walk, &ofEdges, "flow", 1, edges, g.products(sides))
			}
			if columns {
				g.holdReached(t, walk, table, sides)
			}
			sends := new(big.Rat)
			for _, id := range table.IDs.Ints {
				if g.only == nil || slices.Contains(g.only, int(id)) {
					sends.Add(sends, mass(g.from, int(id), strings.Contains(sides, "a")))
				}
			}
			if d := stats.Demand; !equals(d.Routed+d.NoPath, sends, sends) || d.Self != 0 {
				t.Errorf("demand %+v, of %v: %+v", d, sends.FloatString(9), g)
			}
		})
	}
	holdWalks(t, forced, "auto", "rows", "meshes", "lengths", "balls")
}

// Measures of reached masses are right without constrained flows, and without betweenness.
func TestReached(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 5))
	forced := map[string]int{}
	for range 400 {
		g := anyTrips(random)
		if random.IntN(2) == 0 {
			g.decay, g.share = decays(random)
		}
		sides := []string{"ab", "b", ""}[random.IntN(3)]
		vertices, _, _ := g.listed(sides)
		alone := random.IntN(2) == 0
		g.byWalks(t, random, forced, sides, func(o *Options) {
			o.Question.Measures = append([]string{measures.Betweenness}, reachedColumns...)
			if alone {
				o.Question.Measures, o.Question.Origins.Column = reachedColumns, ""
			}
		}, func(walk string, table *tables.Table, _ *Stats) {
			g.holdReached(t, walk, table, sides)
			if !alone && sides != "" {
				g.holdColumn(t, walk, table, "flow", 1, vertices, g.products(sides))
			}
		})
	}
	holdWalks(t, forced, "auto", "rows", "meshes", "lengths", "balls")
}

// All mass that begins at a vertex with reachable mass ends somewhere. All of it passes a single neighbour without
// mass, unless some stays.
func TestGravityConserves(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 5))
	sent, idle := 0, 0
	for range 300 {
		g := anyTrips(random)
		g.endpoints, g.only, g.cutoff, g.spreads, g.stay = false, nil, 0, true, "0"
		g.decay, g.share = decays(random)
		if random.IntN(2) == 0 {
			g.decay, g.share = "", nil
		}
		door := random.IntN(g.n)
		g.edges = append(g.edges, [2]int{g.n, door})
		if g.lengths != nil {
			g.lengths = append(g.lengths, 1+random.IntN(3))
		}
		for v := range g.from {
			if g.from[v] != "" {
				g.from[v] = "0"
			}
		}
		g.from, g.to = append(g.from, "17.25"), append(g.to, "0")
		if g.to[door] = "0"; g.from[door] == "" {
			g.from[door] = "0"
		}
		g.n++
		opts := g.options(t, "ab")
		opts.Question.Measures = []string{measures.Betweenness, measures.Access}
		var table tables.Table
		if _, err := Run(t.Context(), opts, into(&table)); err != nil {
			t.Fatal(err)
		}
		at := func(id int) int { return slices.Index(table.IDs.Ints, uint64(id)) }
		want := 17.25
		if table.Floats(measures.Access)[at(g.n-1)] == 0 {
			want = 0
			idle++
		} else {
			sent++
		}
		if got := table.Floats("flow")[at(door)]; math.Abs(got-want) > 1e-12*want {
			t.Errorf("%v of %v goes through the door: %+v", got, want, g)
		}
	}
	if sent < 100 || idle == 0 {
		t.Errorf("%d graphs had something to reach, %d nothing", sent, idle)
	}
}

// On a ring all vertices reach equal masses: closed forms, by hops and by lengths, of odd, even and large rings.
func TestGravityOfRings(t *testing.T) {
	for _, n := range []int{3, 4, 101, 600} {
		for _, lengths := range []bool{false, true} {
			for _, stay := range []float64{0, 1.5} {
				e := &edgeList{name: "ring"}
				for v := range n {
					e.src, e.dst = append(e.src, int64(v)), append(e.dst, int64((v+1)%n))
				}
				opts := e.asText(false)
				if unit := 2.0; lengths {
					var text strings.Builder
					text.WriteString("src,dst,m\n")
					for i := range e.src {
						fmt.Fprintf(&text, "%d,%d,%v\n", e.src[i], e.dst[i], unit)
					}
					opts.Files.Stdin, opts.Files.IgnoreWeight, opts.Question.Lengths.Column = strings.NewReader(text.String()), false, "m"
				}
				each := 1.0 // length of an edge
				if lengths {
					each = 2
				}
				opts.Question.Decay.Share, opts.Question.Gravity = "exp:0.03", question.Gravity{Constrained: "origins", Stay: stay}
				opts.Question.Measures = []string{measures.Betweenness, measures.Access, measures.MeanDistance}
				opts.Verify = 3
				var table tables.Table
				if _, err := Run(t.Context(), opts, into(&table)); err != nil {
					t.Fatal(err)
				}
				access, between, far := 0.0, 0.0, 0.0
				for step := 1; 2*step <= n; step++ {
					count := 2.0
					if 2*step == n {
						count = 1
					}
					share := math.Exp(-0.03 * each * float64(step))
					access += count * share
					between += count * share * float64(step-1)
					far += count * each * float64(step)
				}
				for v := range n {
					for column, want := range map[string]float64{"flow": between / (access + stay), "access": access, "mean_distance": far / float64(n-1)} {
						if got := table.Floats(column)[v]; math.Abs(got-want) > 1e-12*want {
							t.Fatalf("ring of %d, lengths %v: %s of vertex %d: %v, want %v", n, lengths, column, v, got, want)
						}
					}
				}
			}
		}
	}
}

// A constrained flow is the product demand of origins divided by their access: larger graphs, by every walk that suits.
func TestGravityOfLargerGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 5))
	list := append(graphs(random, 1+20/testgraphs.OneIn), listed("grid", testgraphs.Grid(30, 30)), listed("band", testgraphs.Band(300, 7, 3)))
	forced := map[string]int{}
	for i, e := range bothQuestions(list) {
		decay := []string{"power:0.7", ""}[i/2%2]
		for _, lengths := range []bool{false, true} {
			options := func(cutoff string) Options {
				opts := e.asText(lengths)
				opts.Question.Decay.Share, opts.Question.Cutoff = decay, cutoff
				return opts
			}
			for _, cutoff := range []string{"", "4"} {
				opts := options(cutoff)
				opts.Question.Measures = []string{measures.Access}
				var access, want tables.Table
				if _, err := Run(t.Context(), opts, into(&access)); err != nil {
					t.Fatal(err)
				}
				var rows []string
				negative := func(id int64) bool { return id < 0 }
				if slices.ContainsFunc(e.src, negative) || slices.ContainsFunc(e.dst, negative) {
					continue // a text of masses cannot have such ids
				}
				for v, id := range access.IDs.Ints {
					origin := 0.0
					if sees := access.Floats(measures.Access)[v]; sees > 0 {
						origin = 1 / (sees + .25)
					}
					rows = append(rows, fmt.Sprintf("%d,%.17f", id, origin))
				}
				tabled := e.tabled(t, "id,a", rows...)
				opts = options(cutoff)
				opts.Files.Vertices, opts.Question.Origins.Column = tabled.Files.Vertices, "a"
				if _, err := Run(t.Context(), opts, into(&want)); err != nil {
					t.Fatal(err)
				}
				for _, walk := range append([]string{"auto"}, cpu.Walks()...) {
					opts := options(cutoff)
					opts.Walk, opts.Verify, opts.Question.Gravity = walk, 3, question.Gravity{Constrained: "origins", Stay: .25}
					var table tables.Table
					_, err := Run(t.Context(), opts, into(&table))
					if errors.Is(err, engine.ErrWalk) {
						continue
					}
					if err != nil {
						t.Fatalf("%s: %v", e.name, err)
					}
					forced[walk]++
					scores := map[uint64]float64{}
					for v, id := range want.IDs.Ints {
						scores[id] = want.Floats("flow")[v]
					}
					for v, id := range table.IDs.Ints {
						// Masses with 17 digits are rounded, if no share makes them real numbers.
						if got, want := table.Floats("flow")[v], scores[id]; math.Abs(got-want) > 1e-10*want {
							t.Fatalf("%s, lengths %v, walk %s: vertex %d: %v, want %v", e.name, lengths, walk, id, got, want)
						}
					}
				}
			}
		}
	}
	holdWalks(t, forced, "auto", "rows", "entries", "lengths", "alone-lengths", "balls")
}

// With masses of 1, closeness and harmonic centrality with masses are those without.
func TestReachedOfOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 5))
	for _, e := range bothQuestions(graphs(random, 1+20/testgraphs.OneIn)) {
		way := ""
		if e.directed {
			way = measures.Out
		}
		opts := e.asText(true)
		pairs := [][2]string{{measures.WeightedCloseness, measures.Closeness + way}, {measures.WeightedHarmonic, measures.Harmonic + way}, {measures.WeightedFarness, measures.Farness + way}, {measures.Within, measures.Reach + way}}
		for _, pair := range pairs {
			opts.Question.Measures = append(opts.Question.Measures, pair[0], pair[1])
		}
		var table tables.Table
		if _, err := Run(t.Context(), opts, into(&table)); err != nil {
			t.Fatal(err)
		}
		for i, pair := range pairs {
			with, without := table.Columns[2*i].Values.Numbers(), table.Columns[2*i+1].Values.Numbers()
			for v := range with {
				if math.Abs(with[v]-without[v]) > 1e-13*without[v] {
					t.Errorf("%s: %s of vertex %d: %v, and %s %v", e.name, pair[0], v, with[v], pair[1], without[v])
				}
			}
		}
	}
}

// If paths are too many to divide a share among them, they are counted in the extended range: closed forms by layers.
func TestGravityOfManyPaths(t *testing.T) {
	const layers, width = 180, 10.0
	e := listed("long", layered(layers, width))
	opts := e.asText(false)
	opts.Question.Decay.Share, opts.Question.Gravity.Constrained = "exp:1.5", "origins"
	opts.Question.Measures = []string{measures.Betweenness, measures.Access}
	var table tables.Table
	stats, err := Run(t.Context(), opts, into(&table))
	if err != nil || stats.SelfCheck.Recomputed == 0 {
		t.Fatalf("%d batches were computed again, %v", stats.SelfCheck.Recomputed, err)
	}
	within := (width - 1) * math.Exp(-3) // the access of a vertex to its own layer
	var access [layers]float64
	for i := range access {
		access[i] = within
		for j := range access {
			if i != j {
				access[i] += width * math.Exp(-1.5*math.Abs(float64(j-i)))
			}
		}
	}
	for v, id := range table.IDs.Ints {
		at, want := int(id)/width, 0.0
		for i := range at {
			for j := at + 1; j < layers; j++ {
				want += width * math.Exp(-1.5*float64(j-i)) * (1/access[i] + 1/access[j])
			}
		}
		for _, beside := range []int{at - 1, at + 1} {
			if beside >= 0 && beside < layers {
				between := width
				if beside > 0 && beside < layers-1 {
					between *= 2
				}
				want += width * within / access[beside] / between
			}
		}
		if got := table.Floats("flow")[v]; math.Abs(got-want) > 1e-11*want {
			t.Fatalf("flow of vertex %d: %v, want %v", id, got, want)
		}
		if got := table.Floats("access")[v]; math.Abs(got-access[at]) > 1e-12*access[at] {
			t.Fatalf("access of vertex %d: %v, want %v", id, got, access[at])
		}
	}
}

// Questions without an answer yet are refused by name.
func TestGravityRefused(t *testing.T) {
	e := listed("grid", testgraphs.Grid(3, 3))
	for want, refused := range map[string]func(o *Options){
		"want origins":                  func(o *Options) { o.Question.Gravity.Constrained = "destinations" },
		"has no betweenness":            func(o *Options) { o.Question.Measures = []string{"access"} },
		"--stay":                        func(o *Options) { o.Question.Gravity.Stay = math.Inf(1) },
		"pairs count by their distance": func(o *Options) { o.Walk, o.Lanes = "lines", 64 },
	} {
		opts := e.asText(false)
		opts.Question.Gravity.Constrained = question.ConstrainedOrigins
		refused(&opts)
		if _, err := Run(t.Context(), opts, into(new(tables.Table))); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
