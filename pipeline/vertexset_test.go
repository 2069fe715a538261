package pipeline

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// The set of every vertex is another question than no set, with the same answer; the sums over a
// partition of the sources are the sums over all.
func TestVertexSets(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 1))
	for _, e := range bothQuestions(append(graphs(random, 6), deviceGraph())) {
		whole := scoresIn(run1(t, e, Options{}))
		all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.src, e.dst))))
		every := VertexSetOf(all...)
		table := run1(t, e, Options{Sources: every, Targets: every})
		if !slices.Equal(scoresIn(table), whole) {
			t.Errorf("%s: with every vertex, other scores", e.name)
		}
		if got := *entry(&table, "question"); !strings.Contains(got, "sources=") {
			t.Errorf("question %q", got)
		}
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		cut := len(all) / 3
		sum := scoresIn(run1(t, e, Options{Sources: VertexSetOf(all[:cut]...)}))
		for v, x := range scoresIn(run1(t, e, Options{Sources: VertexSetOf(all[cut:]...)})) {
			sum[v] += x
		}
		wantSame(t, e.name+", in parts", sum, whole)
	}
}

func wantSame(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for v := range want {
		if d := got[v] - want[v]; d > 1e-12*max(1, want[v]) || -d > 1e-12*max(1, want[v]) {
			t.Fatalf("%s: vertex %d has %v, want %v", what, v, got[v], want[v])
		}
	}
}

func TestVertexSetsOfStrings(t *testing.T) {
	_, scores, stats, err := StringScores(t.Context(), []string{"a", "b", "c"}, []string{"b", "c", "7"}, Options{Sources: StringVertexSet("a", "7", "a")})
	if err != nil || !slices.Equal(scores, []float64{0, 1.5, 1.5, 0}) || *stats.Sources != (Ends{IDs: 3, Repeats: 1, Vertices: 2}) || stats.Targets != nil {
		t.Error(scores, stats, err)
	}
	_, _, _, err = StringScores(t.Context(), []string{"a"}, []string{"b"}, Options{Targets: StringVertexSet("b", "x", "y")})
	if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `2 of 3 ids are not in the graph, the first is "x"`) {
		t.Error(err)
	}
	_, _, _, err = StringScores(t.Context(), []string{"a"}, []string{"b"}, Options{Question: Options{Sources: StringVertexSet("a")}.hashed()})
	if !errors.Is(err, ErrOptions) {
		t.Error(err)
	}
}

// Numbers beyond the range of the ids are not vertices, whatever their bits.
func TestVertexSetsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		set   *VertexSet
		known bool
	}{
		{VertexSetOf[int64](-1), true}, {VertexSetOf[uint64](1<<64 - 1), false}, {StringVertexSet("-01", "-1"), true},
		{StringVertexSet("1e3"), false}, {StringVertexSet(""), false}, {StringVertexSet("0x1"), false},
	} {
		_, _, _, err := Scores(t.Context(), []int64{-1, 1}, []int64{1, 2}, Options{Sources: c.set})
		if (err == nil) != c.known {
			t.Errorf("%q: %v", c.set.ids, err)
		}
	}
}

// hashed returns the question of the options, as a run completes it.
func (o Options) hashed() (q question.Question) {
	q.Sources = o.Sources.set
	return q
}

// A text may have the bytes of a binary id, or their printed form: each names the vertex, and both
// together name one vertex.
func TestVertexSetsOfBytes(t *testing.T) {
	var n names
	if err := n.Type.UnmarshalText([]byte("binary")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "\u00e9", `\xC3\xA9`, "\xff", `b\c`} {
		n.IDs.Bytes = append(n.IDs.Bytes, id...)
		if n.IDs.Offsets == nil {
			n.IDs.Offsets = []int64{0}
		}
		n.IDs.Offsets = append(n.IDs.Offsets, int64(len(n.IDs.Bytes)))
	}
	for _, test := range []struct {
		ids  []string
		want []uint32
		ends Ends
	}{
		{[]string{"a", "\u00e9"}, []uint32{0, 1}, Ends{IDs: 2, Repeats: 0, Vertices: 2}},
		{[]string{`\xC3\xA9`, `\xFF`}, []uint32{1, 3}, Ends{IDs: 2, Repeats: 0, Vertices: 2}},
		{[]string{`\xC3\xA9`, "\u00e9"}, []uint32{1}, Ends{IDs: 2, Repeats: 1, Vertices: 1}},
		{[]string{`\x5CxC3\x5CxA9`, `b\x5Cc`}, []uint32{2, 4}, Ends{IDs: 2, Repeats: 0, Vertices: 2}},
		{[]string{`b\c`}, nil, Ends{IDs: 1, Repeats: 0, Vertices: 0}},
	} {
		list, ends, err := StringVertexSet(test.ids...).find(t.Context(), &n, "--sources")
		if !slices.Equal(list, test.want) || ends != test.ends || (err == nil) != (test.want != nil) {
			t.Errorf("%q: %v %v %v, want %v %v", test.ids, list, ends, err, test.want, test.ends)
		}
	}
}
