package bound

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// population is everything that a sampler may draw, so a test knows the truth.
// Row s stands for weight[s] members with the same values.
type population struct {
	name    string
	weight  []int
	x       [][]float64 // by row and vertex
	length  []float64   // by row: the sum of x over all vertices
	truth   []float64   // T by vertex
	members int
	bound   float64 // of x
	longest float64
	signed  bool // x and truth have the positive parts of all vertices first, then the negative ones
}

func (p *population) finish() *population {
	p.truth = make([]float64, len(p.x[0]))
	p.length = make([]float64, len(p.x))
	for s, row := range p.x {
		p.members += p.weight[s]
		for v, x := range row {
			p.length[s] += x
			p.truth[v] += float64(p.weight[s]) * x
		}
		p.longest = max(p.longest, p.length[s])
	}
	for v := range p.truth {
		p.truth[v] /= float64(p.members)
	}
	return p
}

func (p *population) options(risk float64) Options {
	o := Options{Vertices: len(p.truth), Risk: risk, Range: p.bound, Longest: p.longest, Threads: 1, Signed: p.signed}
	if p.signed {
		o.Vertices /= 2
	}
	return o
}

// of returns T of a vertex.
func (p *population) of(v int) float64 {
	if p.signed {
		return p.truth[v] - p.truth[len(p.truth)/2+v]
	}
	return p.truth[v]
}

// differences are what one population has more, or less, than another of as many members.
func differences(name string, p, q *population) *population {
	d := &population{name: name, weight: p.weight, bound: max(p.bound, q.bound), signed: true}
	for s := range p.x {
		n := len(p.x[s])
		row := make([]float64, 2*n)
		for v := range n {
			row[v], row[n+v] = max(p.x[s][v]-q.x[s][v], 0), max(q.x[s][v]-p.x[s][v], 0)
		}
		d.x = append(d.x, row)
	}
	return d.finish()
}

// sources are the vertices of a connected graph, each standing for weight
// originals (nil: itself), drawn as sources of the linear weighting.
func sources(name string, edges []testgraphs.Edge, weight []int) *population {
	n := 0
	for _, e := range edges {
		n = max(n, int(e[0])+1, int(e[1])+1)
	}
	if weight == nil {
		weight = slices.Repeat([]int{1}, n)
	}
	total := 0.0
	for _, w := range weight {
		total += float64(w)
	}
	offsets, targets := testgraphs.Rows(n, edges)
	p := &population{name: name, weight: weight}
	deepest := 0
	for s := range n {
		distance, order := slices.Repeat([]int{-1}, n), []int{s}
		paths, share := make([]float64, n), make([]float64, n)
		distance[s], paths[s] = 0, 1
		for i := 0; i < len(order); i++ {
			v := order[i]
			for _, u := range targets[offsets[v]:offsets[v+1]] {
				if distance[u] < 0 {
					distance[u] = distance[v] + 1
					order = append(order, int(u))
				}
				if distance[u] == distance[v]+1 {
					paths[u] += paths[v]
				}
			}
		}
		row := make([]float64, n)
		for i := n - 1; i > 0; i-- { // share: sum over targets beyond of weight/(paths * distance)
			v := order[i]
			row[v] = 2 * float64(distance[v]) * share[v] * paths[v] / total
			through := float64(weight[v])/(paths[v]*float64(distance[v])) + share[v]
			for _, u := range targets[offsets[v]:offsets[v+1]] {
				if distance[u] == distance[v]-1 {
					share[u] += through
				}
			}
			deepest = max(deepest, distance[v])
		}
		p.x = append(p.x, row)
	}
	p.bound = 2 - 2/float64(deepest)
	return p.finish()
}

// spikes: one to twelve of the members carry all of each vertex.
func spikes(members, vertices int) *population {
	r := rand.New(rand.NewPCG(5, 5))
	p := &population{name: "spikes", bound: 1}
	for range members {
		p.weight, p.x = append(p.weight, 1), append(p.x, make([]float64, vertices))
	}
	for v := range vertices {
		for range 1 + v%12 {
			p.x[r.IntN(members)][v] = 1
		}
	}
	return p.finish()
}

// sampler draws stages of a population without replacement.
type sampler struct {
	*population
	order   []int // rows of all members, in their random order
	done    []bool
	settled []float64
	length  float64
	left    int
}

func newSampler(p *population, seed uint64) *sampler {
	s := &sampler{population: p, done: make([]bool, len(p.x)), settled: make([]float64, len(p.truth)), left: p.members}
	for row, weight := range p.weight {
		s.order = append(s.order, slices.Repeat([]int{row}, weight)...)
	}
	rand.New(rand.NewPCG(seed, 7)).Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	return s
}

// stage draws the next k members that are not settled; nil: there are none.
func (s *sampler) stage(k int) *Stage {
	if s.left == 0 {
		return nil
	}
	times := make([]int, len(s.x))
	stage := &Stage{Sum: make([]float64, len(s.truth)), Squares: make([]float64, len(s.truth))}
	for len(s.order) > 0 && stage.Draws < int64(k) {
		row := s.order[0]
		s.order = s.order[1:]
		if !s.done[row] {
			times[row]++
			stage.Draws++
		}
	}
	for row, times := range times {
		if times == 0 {
			continue
		}
		m, share := float64(times), float64(s.weight[row])/float64(s.members)
		for v, x := range s.x[row] {
			stage.Sum[v] += m * x
			stage.Squares[v] += m * x * x
			s.settled[v] += share * x
		}
		stage.Length.Sum += m * s.population.length[row]
		stage.Length.Squares += m * s.population.length[row] * s.population.length[row]
		s.length += share * s.population.length[row]
		s.done[row] = true
		s.left -= s.weight[row]
	}
	stage.Settled, stage.Length.Settled = s.settled, s.length
	stage.Left = float64(s.left) / float64(s.members)
	return stage
}

// run draws all stages of a population, each a quarter of all before, and calls
// see after each.
func run(t testing.TB, p *population, o Options, seed uint64, see func(b *Bound, c Columns, s *Stage)) {
	t.Helper()
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	draws := newSampler(p, seed)
	for s := draws.stage(64); s != nil; s = draws.stage(max(64, int(b.Draws()/4))) {
		if err := b.Add(context.Background(), *s); err != nil {
			t.Fatal(err)
		}
		c, err := b.Intervals(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		see(b, c, s)
	}
}
