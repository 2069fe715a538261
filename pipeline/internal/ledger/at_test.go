package ledger

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// A result with At counts like one without: in every column, in the sums of stages, with twins and without. An
// impossible score at those vertices is detected.
func TestResultsAtSomeVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 4))
	graphs := map[string][]testgraphs.Edge{"random": testgraphs.Random(r, 300, 300, 200), "layers with twins": testgraphs.Layers(3, 40)}
	for name, edges := range graphs {
		for _, names := range [][]string{{measures.Betweenness}, {measures.Harmonic, measures.Reach, measures.Eccentricity, measures.Farness}} {
			for _, drawn := range []bool{false, true} {
				asked := question.Question{Measures: names, Cutoff: "3"}
				plan := testblocks.Reduced(t, edges, preprocess.Options{Question: asked, Lanes: 4})
				if drawn && names[0] != measures.Betweenness {
					continue
				}
				if drawn {
					block, _ := plan.Drawable(true)
					var err error
					if plan, err = plan.Draw(t.Context(), block, draws.Drawing{Seed: 2}, 1); err != nil {
						t.Fatal(err)
					}
				}
				some, all := New(plan, Names{}, engine.Float64, Shard{}, nil, nil, 1), New(plan, Names{}, engine.Float64, Shard{}, nil, nil, 1)
				for _, batch := range plan.Batches {
					result := sparse(r, plan, batch)
					covered := []engine.Batch{batch}
					some.Enter("cpu", false, covered, result, Difference(result))
					if broken := result; len(result.Scores) > 0 {
						broken.Scores = slices.Clone(result.Scores)
						broken.Scores[result.At[len(result.At)-1]] = -1
						if d := Difference(broken); d == d {
							t.Fatalf("%s: a score of -1 differs by %v", name, d)
						}
					}
					if b := &plan.Blocks[batch.Block]; b.Distances { // as for lengths
						some.addToColumns(batch.Block, result.Found, result.At)
						all.addToColumns(batch.Block, result.Found, nil)
					}
					result.At = nil
					all.Enter("cpu", false, covered, result, Difference(result))
				}
				got, want := some.Close(), all.Close()
				for i, c := range want.columns {
					if !slices.Equal(got.columns[i].sums.words, c.sums.words) {
						t.Errorf("%s, %v, drawn %t: other sums of %s", name, names, drawn, c.Name)
					}
				}
				if drawn && !reflect.DeepEqual(got.drawn.stages, want.drawn.stages) {
					t.Errorf("%s: other stages", name)
				}
			}
		}
	}
}

// sparse returns a result that is not 0 at some vertices only.
func sparse(r *rand.Rand, plan *preprocess.Plan, batch engine.Batch) engine.Result {
	b := &plan.Blocks[batch.Block]
	n := b.Vertices()
	result := engine.Result{Batch: batch, Got: make([]float64, batch.Count), Want: make([]float64, batch.Count)}
	for range 1 + r.IntN(n) {
		result.At = append(result.At, uint32(r.IntN(n)))
	}
	slices.Sort(result.At)
	result.At = slices.Compact(result.At)
	r.Shuffle(len(result.At), func(i, j int) { result.At[i], result.At[j] = result.At[j], result.At[i] })
	if b.Distances {
		result.Together, result.Got, result.Want = true, result.Got[:1], result.Want[:1]
		result.Found = make([]engine.Found, n)
		for _, v := range result.At {
			result.Found[v] = engine.Found{Reach: r.Uint64N(9), Farness: r.Uint64N(90), Harmonic: r.Uint64(), HarmonicHigh: r.Uint64N(2), Eccentricity: r.Uint64N(7)}
		}
		return result
	}
	result.Scores = make([]float64, n)
	if b.Draws != nil {
		result.Drawn, result.Squares = make([]float64, n), make([]float64, n)
	}
	for _, v := range result.At {
		result.Scores[v] = r.Float64() * float64(r.IntN(3))
		if b.Draws != nil {
			result.Drawn[v], result.Squares[v] = r.Float64(), r.Float64()
		}
	}
	return result
}
