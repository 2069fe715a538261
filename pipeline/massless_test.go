package pipeline

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"bcstage/arrowio/tables"
)

// withMassless puts vertices without masses into edges, and attaches trees of such vertices, in decimal.
func (g *trips) withMassless(r *rand.Rand) {
	add := func() int {
		g.from, g.to = append(g.from, "0"), append(g.to, "0")
		g.n++
		return g.n - 1
	}
	edges, lengths := g.edges, g.lengths
	g.edges, g.lengths = nil, nil
	join := func(u, v, length int) {
		g.edges = append(g.edges, [2]int{u, v})
		if lengths != nil {
			g.lengths = append(g.lengths, length)
		}
	}
	for i, e := range edges {
		length := 1
		if lengths != nil {
			length = lengths[i]
		}
		at := e[0]
		for range []int{0, 2, 3, 5}[r.IntN(4)] {
			v := add()
			join(at, v, length)
			at = v
		}
		join(at, e[1], length)
	}
	for range r.IntN(4) {
		v := add()
		join(v, r.IntN(v), 1)
	}
}

// Vertices where no path begins or ends are contracted, whatever the question about pairs. Scores are those of a list
// of all paths.
func TestMassless(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 31))
	kinds := []string{"trips", "decay", "cutoff", "masses", "ends", "gravity"}
	contracted := map[string]int{}
	for number := range 400 {
		g, kind := anyTrips(random), kinds[number%len(kinds)]
		g.only, g.cutoff = nil, 0
		anyTable(random, g)
		if kind == "ends" {
			for v := range g.n {
				g.from[v], g.to[v] = "1", "1"
			}
		}
		ends := make([]int, g.n)
		for v := range ends {
			ends[v] = v
		}
		g.withMassless(random)
		sides := "ab"
		switch kind {
		case "gravity":
			g.spreads, g.stay, g.table = true, "2.5", nil
		case "decay":
			g.decay, g.share = "exp:0.25", func(x float64) float64 { return math.Exp(-.25 * x) }
			g.table = nil
		case "trips":
			sides = ""
		default:
			g.table = nil
		}
		if kind == "cutoff" || number%7 == 0 {
			g.cutoff = 2 + random.IntN(20)
		}
		opts := g.options(t, sides)
		switch kind {
		case "trips":
			opts.Trips = tripsFile(t, g.table)
		case "ends":
			opts.Question.Origins.Column, opts.Question.Destinations.Column = "", ""
			opts.Sources, opts.Targets = VertexSetOf(ends...), VertexSetOf(ends...)
		}
		if g.cutoff > 0 && number%2 == 0 {
			opts.Question.Cutoff = "1," + opts.Question.Cutoff
		}
		var table, ofEdges tables.Table
		if kind != "decay" && number%3 == 0 {
			opts.Edges = into(&ofEdges)
		}
		opts.Verify, opts.Threads = 2, 1+random.IntN(2)
		stats, err := Run(t.Context(), opts, into(&table))
		if err != nil {
			t.Fatalf("graph %d: %s: %+v: %v", number, kind, g, err)
		}
		for _, c := range stats.Choices {
			if g.lengths == nil && c.Kind == "lengths" { // those of chains
				contracted[fmt.Sprint(kind, ", directed ", g.directed)]++
			}
		}
		vertices, edges, _ := g.listed(sides)
		all := g.products(sides)
		if kind == "trips" {
			all = g.sent()
		}
		close := func(got float64, want *big.Rat) bool {
			if kind == "ends" && !g.directed {
				got *= 2
			}
			return equals(got, want, all) || math.Abs(got-floatOf(want)) <= 16*0x1p-100 // the last bit of sums
		}
		for v, id := range table.IDs.Ints {
			if got := table.Columns[len(table.Columns)-1].Values.(tables.Floats)[v]; !close(got, vertices[id]) {
				t.Fatalf("graph %d, %s: vertex %d: %v, want %v: %+v", number, kind, id, got, vertices[id].FloatString(20), g)
			}
		}
		if opts.Edges == nil {
			continue
		}
		for i, got := range ofEdges.Columns[len(ofEdges.Columns)-1].Values.(tables.Floats) {
			u, v := int(ofEdges.IDs.Ints[ofEdges.Pairs.Ends[0][i]]), int(ofEdges.IDs.Ints[ofEdges.Pairs.Ends[1][i]])
			want := new(big.Rat).Set(edges[[2]int{u, v}])
			if !g.directed {
				want.Add(want, edges[[2]int{v, u}])
			}
			if !close(got, want) {
				t.Fatalf("graph %d, %s: edge %d-%d: %v, want %v: %+v", number, kind, u, v, got, want.FloatString(20), g)
			}
		}
	}
	for _, kind := range []string{"trips", "decay"} { // preprocess.TestContract has the others
		for _, directed := range []bool{false, true} {
			if contracted[fmt.Sprint(kind, ", directed ", directed)] == 0 {
				t.Errorf("%s, directed %t: no run had contracted chains", kind, directed)
			}
		}
	}
}

// Intervals contain the scores of vertices without masses, too. Blocks with few sources are contracted, and exact. Others
// stay as they are, and are drawn from.
func TestEstimatesOfMassless(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 29))
	for _, ends := range []int{60, 4200} {
		a := estimated{csv: "src,dst,km\n", vertices: "id,a\n", trips: "origin,destination,trips\n"}
		for i := range 2 * ends {
			u, v, inner := i%ends, random.IntN(ends), ends+i
			a.csv += fmt.Sprintf("%d,%d,%d\n%d,%d,1\n", u, inner, 1+random.IntN(4), inner, v)
		}
		for v := range ends {
			a.vertices += fmt.Sprintf("%d,%d\n", v, 1+v%7)
			for i := range 5 {
				a.trips += fmt.Sprintf("%d,%d,%d\n", v, (v+1+i)%ends, 1+v%5)
			}
		}
		for _, way := range []string{"sources-raw", "pairs"} {
			for _, directed := range []bool{false, true} {
				if ends > 4096 && directed == (way == "pairs") {
					continue
				}
				of := a
				of.opts.Question.Directed, of.opts.Question.Lengths.Column = directed, "km"
				if of.trips = ""; way == "sources-raw" {
					of.trips, of.vertices = a.trips, ""
				} else {
					of.opts.Question.Origins.Column, of.opts.Question.Destinations.Column = "a", "a"
				}
				table, _ := of.run(t, of.opts, func(*Options) {})
				exact := scoresIn(table)
				table, stats := of.run(t, of.opts, func(o *Options) { o.Question.Sample = sampled(way, 3, max(64, 2000/ends*64)).Sample })
				scores, lower, upper := estimatesIn(table)
				for v, want := range exact {
					if slack := 1e-9 * max(want, 1); want < lower[v]-slack || want > upper[v]+slack {
						t.Fatalf("%d ends, directed %t, %s: vertex %d is %v, estimated as %v in [%v, %v]", ends, directed, way, v, want, scores[v], lower[v], upper[v])
					}
				}
				if drawn := stats.Estimate.Way != "exact" && stats.Estimate.Draws > 0; drawn != (ends > 4096) {
					t.Errorf("%d ends, directed %t, %s: %+v", ends, directed, way, *stats.Estimate)
				}
			}
		}
	}
}
