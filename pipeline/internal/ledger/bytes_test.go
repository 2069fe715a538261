package ledger

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Bytes is the memory of a ledger's arrays, and of its table's own arrays.
func TestBytes(t *testing.T) {
	builder := building.NewBuilder(1)
	src, dst := building.Keys{}, building.Keys{}
	const n = 40
	for v := range uint64(n) { // a wheel with some chords
		src.Ints, dst.Ints = append(src.Ints, v, v), append(dst.Ints, (v+1)%n, v*v%n)
	}
	if err := builder.AddEdges(src, dst); err != nil {
		t.Fatal(err)
	}
	in, err := builder.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all, beside []string // beside scores of edges
	for _, m := range measures.All() {
		if m.Of == "" {
			all = append(all, m.Name)
		}
		if m.Of == "" && !(question.Question{Measures: []string{m.Name}}).Searches(measures.Reached) {
			beside = append(beside, m.Name)
		}
	}
	for _, asked := range []question.Question{{}, {Measures: all}, {Measures: []string{measures.Farness}}, {Edges: true}, {Edges: true, Measures: beside}, {Origins: question.Masses{Column: "a", Total: int64(n)}}, {Edges: true, Origins: question.Masses{Column: "a", Total: int64(n)}}} {
		t.Run(fmt.Sprint(len(asked.Measures), asked.Edges, asked.HasMasses()), func(t *testing.T) {
			reduce := preprocess.Options{Question: asked, Edges: in.Edges, Threads: 1}
			if asked.HasMasses() {
				reduce.Origins = slices.Repeat([]int64{1}, n)
			}
			plan, err := preprocess.Reduce(t.Context(), &in.Graph, reduce)
			if err != nil {
				t.Fatal(err)
			}
			l := New(plan, Names{IDs: tables.Keys(in.IDs)}, engine.Float64, Shard{}, nil, nil, 1)
			kept := int64(0)
			own := map[*int64]bool{}
			for _, c := range l.now.columns {
				kept += 16 * int64(len(c.sums.words))
				if len(c.base.Low) > 0 {
					own[&c.base.Low[0]] = true
				}
				if len(c.base.High) > 0 {
					own[&c.base.High[0]] = true
				}
			}
			laid := kept // the part that Snapshot copies
			for i := range plan.Blocks {
				if b := &plan.Blocks[i]; b.Distances {
					l.addFound(i, make([]engine.Found, b.Vertices()), nil)
					kept += int64(unsafe.Sizeof(engine.Found{})) * int64(len(l.found[i]))
				}
			}
			for _, f := range l.now.facts {
				kept += 8 * int64(len(f.values))
				own[&f.values[0]] = true
			}
			table := l.Snapshot().Table("")
			for _, c := range table.Columns {
				if values := c.Values.(tables.Ints); !own[&values[0]] {
					laid += 8 * int64(len(values))
				}
			}
			if asked.Edges {
				laid += 8 * int64(table.IDs.Len())
			}
			if got := Bytes(asked, plan.Vertices, plan.Edges, false); got != kept {
				t.Errorf("a ledger of %d bytes is said to take %d", kept, got)
			}
			if got := Bytes(asked, plan.Vertices, plan.Edges, true); got != kept+laid {
				t.Errorf("with a table of %d bytes it is said to take %d, want %d", laid, got, kept+laid)
			}
		})
	}
}
