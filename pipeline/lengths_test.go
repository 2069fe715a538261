package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// weighted is a graph whose edges have lengths: digits * 10^exponent.
type weighted struct {
	edgeList
	weights tables.Weights
}

// weightedStreets is a grid of streets with bends, blocks of other kinds, and trees. Lengths come
// from few values, so that many paths tie, or from many.
func weightedStreets(r *rand.Rand, few bool) *weighted {
	w := &weighted{edgeList: edgeList{name: "weighted streets"}}
	next := 100
	add := func(u, v int) {
		length := 1 + r.Int64N(100)
		if few {
			length = 1 + r.Int64N(3)
		}
		w.join(u, v)
		w.weights.Digits = append(w.weights.Digits, length)
		w.weights.Exponents = append(w.weights.Exponents, 0)
	}
	for row := range 10 {
		for column := range 10 {
			v := 10*row + column
			for _, u := range []int{v + 1, v + 10} {
				if u == v+1 && column == 9 || u == v+10 && row == 9 || r.IntN(6) == 0 {
					continue
				}
				for range r.IntN(4) { // bends
					add(v, next)
					v = next
					next++
				}
				add(v, u)
				v = 10*row + column
			}
		}
	}
	for range 60 { // dead ends and shortcuts
		add(r.IntN(next), next)
		next++
	}
	for range 20 {
		add(r.IntN(next), r.IntN(next))
	}
	return w
}

// with returns the same graph with other lengths.
func (w *weighted) with(change func(digits int64, exponent int16) (int64, int16)) *weighted {
	other := *w
	other.weights = tables.Weights{Digits: slices.Clone(w.weights.Digits), Exponents: slices.Clone(w.weights.Exponents)}
	for i := range other.weights.Digits {
		other.weights.Digits[i], other.weights.Exponents[i] = change(w.weights.Digits[i], w.weights.Exponents[i])
	}
	return &other
}

func (w *weighted) source(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
	defer close(edges)
	for first := 0; first < len(w.src); first += 50 {
		var b tables.Batch
		for i := first; i < min(first+50, len(w.src)); i++ {
			b.Src.Ints, b.Dst.Ints = append(b.Src.Ints, uint64(w.src[i])), append(b.Dst.Ints, uint64(w.dst[i]))
			b.Weights.Digits, b.Weights.Exponents = append(b.Weights.Digits, w.weights.Digits[i]), append(b.Weights.Exponents, w.weights.Exponents[i])
		}
		select {
		case edges <- b:
		case <-ctx.Done():
			return tables.Summary{}, context.Cause(ctx)
		}
	}
	return tables.Summary{Rows: int64(len(w.src))}, nil
}

func (w *weighted) try(opts Options) (tables.Table, *Stats, error) {
	var table tables.Table
	opts.Engine = EngineCPU
	opts.Question.Directed = w.directed
	if opts.Question.Lengths.Column == "" {
		opts.Question.Lengths.Column = "km"
	}
	opts.Source = w.source
	stats, err := Run(context.Background(), opts, into(&table))
	return table, stats, err
}

func (w *weighted) run(t *testing.T, opts Options) []float64 {
	t.Helper()
	table, _, err := w.try(opts)
	if err != nil {
		t.Fatal(err)
	}
	return scoresIn(table)
}

func wantNear(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d scores, want %d", what, len(got), len(want))
	}
	for v := range want {
		if math.Abs(got[v]-want[v]) > tolerance*max(1, want[v]) {
			t.Fatalf("%s: vertex %d: %v, want %v", what, v, got[v], want[v])
		}
	}
}

// Whole multiples and powers of ten of all lengths give the same bits, and equal lengths those of
// hops. Threads and shards change none.
func TestLengthsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for i := range 8 {
		w := weightedStreets(r, i%2 == 0)
		w.directed = i%4 == 3
		want := w.run(t, Options{Compute: Compute{Verify: 5}})
		for name, other := range map[string]*weighted{
			"times 7":         w.with(func(d int64, e int16) (int64, int16) { return 7 * d, e }),
			"thousandths":     w.with(func(d int64, e int16) (int64, int16) { return d, e - 3 }),
			"written longer":  w.with(func(d int64, e int16) (int64, int16) { return 100 * d, e - 2 }),
			"times 10^9 / 10": w.with(func(d int64, e int16) (int64, int16) { return d, e + 8 }),
		} {
			if got := other.run(t, Options{}); !slices.Equal(got, want) {
				t.Errorf("%s: other bits", name)
			}
		}
		for threads := 1; threads <= 3; threads += 2 {
			if got := w.run(t, Options{Compute: Compute{Threads: threads}}); !slices.Equal(got, want) {
				t.Errorf("%d threads: other bits", threads)
			}
		}
		var parts []tables.Table
		for i := range 3 {
			part, _, err := w.try(Options{Parts: Parts{Shard: Shard{Mine: []int{i}, Of: 3}}})
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		merged, err := tryMerge([]tables.Table{parts[2], parts[0], parts[1]}, Output{})
		if err != nil || !slices.Equal(scoresIn(merged), want) {
			t.Errorf("merged: other bits, %v", err)
		}
		if again := w.run(t, Options{Parts: Parts{Resume: &parts[1]}}); !slices.Equal(again, want) {
			t.Error("resumed: other bits")
		}
		equal := w.with(func(int64, int16) (int64, int16) { return 25, -1 })
		if got, hops := equal.run(t, Options{}), scoresIn(run1(t, &w.edgeList, Options{})); !slices.Equal(got, hops) {
			t.Error("equal lengths: other bits than hops")
		}
	}
}

// Lengths times a constant that is not a whole number become other whole numbers, with the same
// paths. A new vertex in the middle of an edge changes other scores only by the paths that end at
// it; the test excludes these: all sources and targets are old vertices.
func TestLengthsMetamorphic(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for i := range 6 {
		w := weightedStreets(r, i%2 == 0)
		want := w.run(t, Options{})
		third := w.with(func(d int64, e int16) (int64, int16) { return d * 333333333333, e - 12 })
		wantNear(t, "times a third", third.run(t, Options{}), want, 1e-12)

		split := *w
		split.weights = tables.Weights{Digits: slices.Clone(w.weights.Digits), Exponents: slices.Clone(w.weights.Exponents)}
		split.src, split.dst = slices.Clone(w.src), slices.Clone(w.dst)
		at := r.IntN(len(w.src))
		const middle = 1 << 20
		first := 1 + r.Int64N(10*w.weights.Digits[at]-1) // tenths
		split.src, split.dst = append(split.src, middle), append(split.dst, w.dst[at])
		split.dst[at] = middle
		split.weights.Digits[at], split.weights.Exponents[at] = first, -1
		split.weights.Digits = append(split.weights.Digits, 10*w.weights.Digits[at]-first)
		split.weights.Exponents = append(split.weights.Exponents, -1)
		if w.src[at] == w.dst[at] {
			continue // a loop would become an edge
		}
		old := VertexSetOf(slices.Concat(w.src, w.dst)...)
		plain, _, err := w.try(Options{})
		if err != nil {
			t.Fatal(err)
		}
		table, _, err := split.try(Options{Sources: old, Targets: old})
		if err != nil {
			t.Fatal(err)
		}
		scores := make(map[uint64]float64)
		for v, x := range scoresIn(table) {
			scores[table.IDs.Ints[v]] = x
		}
		for v, x := range scoresIn(plain) {
			if got := scores[plain.IDs.Ints[v]]; math.Abs(got-x) > 1e-12*max(1, x) {
				t.Fatalf("edge %d split: vertex %d: %v, want %v", at, plain.IDs.Ints[v], got, x)
			}
		}
	}
}

// 0.1 + 0.2 is 0.3: decimals give the scores of the whole numbers that they are multiples of,
// whatever float64 makes of them.
func TestDecimalTies(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	w := weightedStreets(r, true)
	tenths := w.with(func(d int64, e int16) (int64, int16) { return d, -1 })
	table, stats, err := tenths.try(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if l := stats.Lengths; l.Unit != "10^-1" || l.Rounding != 0 || l.Column != "km" || l.Equal || l.Repeats != "min" {
		t.Errorf("%+v", l)
	}
	if !slices.Equal(scoresIn(table), w.run(t, Options{})) {
		t.Error("tenths have other scores than whole numbers")
	}
	for _, kv := range table.Metadata {
		if kv.Key == "question" && kv.Value != "weight=km unit=10^-1" {
			t.Errorf("question %q", kv.Value)
		}
	}
}

// A note, the statistics and the metadata of scores and merged scores report rounding.
func TestLengthsRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	w := weightedStreets(r, false)
	odd := w.with(func(d int64, e int16) (int64, int16) { return d*1_000_000_007*1_000_003 + r.Int64N(1000), -18 })
	table, stats, err := odd.try(Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := stats.Lengths
	if !strings.HasPrefix(l.Unit, "2^-") || !(l.Rounding > 0 && l.Rounding < 1e-12) {
		t.Errorf("%+v", l)
	}
	if !slices.ContainsFunc(stats.Notes, func(note string) bool {
		return strings.Contains(note, "rounded to multiples of "+l.Unit)
	}) {
		t.Errorf("notes %q", stats.Notes)
	}
	rounding := func(table tables.Table) string {
		for _, kv := range table.Metadata {
			if kv.Key == "weight_rounding" {
				return kv.Value
			}
		}
		return ""
	}
	if want := fmt.Sprintf("%v, merged %d", l.Rounding, l.Merged); rounding(table) != want {
		t.Errorf("metadata %q, want %q", rounding(table), want)
	}
	var parts []tables.Table
	for i := range 2 {
		part, _, err := odd.try(Options{Parts: Parts{Shard: Shard{Mine: []int{i}, Of: 2}}})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	merged, err := tryMerge(parts, Output{})
	if err != nil || rounding(merged) != rounding(table) {
		t.Errorf("merged: %q, %v", rounding(merged), err)
	}
}

// A wrong length is an error of the input. A source without lengths, where the question has them,
// is an error of the options.
func TestLengthsRefused(t *testing.T) {
	w := weightedStreets(rand.New(rand.NewPCG(79, 80)), true)
	zero := w.with(func(d int64, e int16) (int64, int16) { return d - 1, e })
	if _, _, err := zero.try(Options{}); !errors.Is(err, tables.ErrInput) {
		t.Errorf("zero: %v", err)
	}
	tiny := w.with(func(d int64, e int16) (int64, int16) { return d, int16(40 * (d % 2)) })
	if _, _, err := tiny.try(Options{}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "is nothing beside the longest") {
		t.Errorf("too small: %v", err)
	}
	twice := weightedStreets(rand.New(rand.NewPCG(79, 80)), true)
	twice.join(int(twice.src[0]), int(twice.dst[0]))
	twice.weights.Digits, twice.weights.Exponents = append(twice.weights.Digits, 1000), append(twice.weights.Exponents, 0)
	strict := Options{Question: question.Question{Lengths: question.Lengths{Column: "km", Repeats: question.RepeatsError}}}
	if _, _, err := twice.try(strict); !errors.Is(err, tables.ErrInput) {
		t.Errorf("repeated: %v", err)
	}
	_, err := tryRun(&w.edgeList, Options{Question: question.Question{Lengths: question.Lengths{Column: "km"}}})
	if !errors.Is(err, ErrOptions) {
		t.Errorf("no lengths: %v", err)
	}
}
