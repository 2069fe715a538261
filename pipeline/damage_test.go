package pipeline

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// written returns a partial in every format that can be read back.
func written(t testing.TB, table tables.Table) map[tables.Format][]byte {
	t.Helper()
	files := make(map[tables.Format][]byte)
	for _, format := range []tables.Format{tables.FormatArrow, arrowio.FormatArrowFile, tables.FormatParquet} {
		var out bytes.Buffer
		if err := arrowio.Write(context.Background(), &out, format, table); err != nil {
			t.Fatal(err)
		}
		files[format] = out.Bytes()
	}
	return files
}

// readPartial reads a file as --resume and merge do; its errors have a class.
func readPartial(t testing.TB, data []byte) (*ledger.Partial, error) {
	t.Helper()
	table, err := arrowio.ReadTable(context.Background(), tables.Options{Stdin: bytes.NewReader(data)})
	if err != nil {
		if !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrCorrupt) {
			t.Errorf("error without a class: %v", err)
		}
		return nil, err
	}
	p, err := ledger.Read(table)
	if err != nil && !errors.Is(err, ErrPartial) {
		t.Errorf("error without a class: %v", err)
	}
	return p, err
}

// A damaged checkpoint or shard is refused, or the damage does not matter: its work and its graph
// are as written.
func TestDamagedPartials(t *testing.T) {
	const rounds, step = 3000 / testgraphs.OneIn, 7 * testgraphs.OneIn
	for _, asked := range []question.Question{{}, {Edges: true}} {
		damagePartial(t, run1(t, deviceGraph(), Options{Question: asked, Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{1}, Of: 3}}}), rounds, step)
	}
}

func damagePartial(t *testing.T, whole tables.Table, rounds, step int) {
	want, err := ledger.Read(whole)
	if err != nil {
		t.Fatal(err)
	}
	mutated, accepted := 0, 0
	for format, data := range written(t, whole) {
		random := rand.New(rand.NewPCG(23, 1)) // the formats come in any order
		if _, err := readPartial(t, data); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		for n := 0; n < len(data); n += step {
			if _, err := readPartial(t, data[:n]); err == nil {
				t.Errorf("%s: cut after %d of %d bytes, no error", format, n, len(data))
			}
		}
		for range rounds {
			damaged := bytes.Clone(data)
			for range 1 + random.IntN(3) {
				damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
			}
			mutated++
			got, err := readPartial(t, damaged)
			if err != nil {
				continue
			}
			accepted++
			if !samePartial(got, want) {
				t.Errorf("%s: a damaged partial is accepted as another", format)
			}
		}
	}
	t.Logf("%d files mutated, %d of them accepted", mutated, accepted)
}

func FuzzPartial(f *testing.F) {
	whole := run1(f, ring(9), Options{})
	for _, data := range written(f, run1(f, deviceGraph(), Options{Compute: Compute{Lanes: 64}, Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}})) {
		f.Add(data)
	}
	for _, data := range written(f, whole) {
		f.Add(data)
	}
	for _, data := range written(f, run1(f, ring(9), Options{Question: question.Question{Edges: true}, Output: Output{Partial: true}})) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readPartial(t, data)
		if err != nil {
			return
		}
		again, err := ledger.Read(p.Table(""))
		if err != nil || !samePartial(again, p) {
			t.Errorf("written again it is another: %v", err)
		}
	})
}

// samePartial reports whether two stand for the same work on the same graph.
func samePartial(a, b *ledger.Partial) bool {
	return a.Identity == b.Identity && reflect.DeepEqual(a.Done, b.Done) && reflect.DeepEqual(a.Table("").Columns, b.Table("").Columns) &&
		slices.Equal(a.Names.IDs.Ints, b.Names.IDs.Ints) && bytes.Equal(a.Names.IDs.Bytes, b.Names.IDs.Bytes)
}
