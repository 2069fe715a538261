package building

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// named is the full name of a vertex, as text: different vertices have different
// names.
func (in *Input) named(v int) string {
	name := ""
	for _, column := range in.By {
		name += fmt.Sprintf("%q ", column.id(int(in.Of[v])))
	}
	if in.Side != nil {
		name += fmt.Sprintf("side %d ", in.Side[v])
	}
	return name + fmt.Sprintf("%q", in.IDs.id(v))
}

// scopedRows are rows of edges, or of vertices with their sides, of several graphs.
type scopedRows struct {
	src, dst Keys
	side     []uint8
	by       []Keys
}

func (p *scopedRows) name(row int, side uint8, bipartite bool, ids Keys) string {
	name := ""
	for _, column := range p.by {
		name += fmt.Sprintf("%q ", column.id(row))
	}
	if bipartite {
		name += fmt.Sprintf("side %d ", side)
	}
	return name + fmt.Sprintf("%q", ids.id(row))
}

// column makes a column of rows from a few values, integers or texts.
func column(random *rand.Rand, rows, values int, text bool, id func(i int) uint64) Keys {
	out := Keys{Ints: make([]uint64, rows)}
	stretch := 1 + random.IntN(2)*random.IntN(9) // length of runs of equal rows
	for i := range out.Ints {
		if out.Ints[i] = id(random.IntN(values)); i%stretch > 0 {
			out.Ints[i] = out.Ints[i-1]
		}
	}
	if text {
		return named(out)
	}
	return out
}

// Vertices with one id, in any number of graphs and on both sides, are numbered as
// if they had names of their own.
func TestBuildParts(t *testing.T) {
	for seed := range uint64(300 / testgraphs.OneIn) {
		random := rand.New(rand.NewPCG(seed, 11))
		bipartite, columns := random.IntN(2) == 0, random.IntN(4)
		text := make([]bool, columns+1)
		values := make([]int, columns+1)
		ids := make([]func(int) uint64, columns+1)
		for c := range text {
			text[c] = random.IntN(2) == 0
			values[c] = 1 + random.IntN(1<<random.IntN(10))
			ids[c] = families[[]string{"dense", "negative", "sparse", "high bits"}[random.IntN(4)]](random)
		}
		var all []scopedRows
		for range random.IntN(5) {
			rows := random.IntN(3000)
			p := scopedRows{src: column(random, rows, values[columns], text[columns], ids[columns])}
			for c := range columns {
				p.by = append(p.by, column(random, rows, values[c], text[c], ids[c]))
			}
			if random.IntN(3) > 0 {
				p.dst = column(random, rows, values[columns], text[columns], ids[columns])
			} else if bipartite {
				p.side = make([]uint8, rows)
				for i := range p.side {
					p.side[i] = uint8(random.IntN(2))
				}
			}
			all = append(all, p)
		}
		var want plain
		for _, p := range all {
			for row := range p.src.Len() {
				switch {
				case p.dst.Len() > 0:
					want.edge(p.name(row, 0, bipartite, p.src), p.name(row, 1, bipartite, p.dst))
				case p.side != nil:
					want.vertex(p.name(row, p.side[row], bipartite, p.src))
				default:
					want.vertex(p.name(row, 0, bipartite, p.src))
				}
			}
		}
		for _, threads := range []int{1, 3} {
			b := NewBuilder(threads)
			b.Bipartite = bipartite
			for _, p := range all {
				var err error
				if p.dst.Len() > 0 {
					err = b.AddEdges(p.src, p.dst, p.by...)
				} else {
					err = b.AddVertices(p.src, p.side, p.by...)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			count := b.Vertices()
			got, err := b.Build(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if count != len(want.ids) || got.Graph.Vertices() != count {
				t.Fatalf("seed %d: %d and %d vertices, want %d", seed, count, got.Graph.Vertices(), len(want.ids))
			}
			var names []string
			for v := range count {
				names = append(names, got.named(v))
			}
			if !slices.Equal(names, want.ids) {
				t.Fatalf("seed %d: vertices %q, want %q", seed, names, want.ids)
			}
			want.ids, got.IDs = names, texts(names...)
			want.check(t, got)
		}
	}
}

// Pairs are an array while that is small, else a hash table. Either may become the
// other without changing numbers.
func TestPairingChoice(t *testing.T) {
	p := pairing{interner: interner{threads: 2}}
	var pairs [][2]uint32
	var numbers []uint32
	add := func(firsts, seconds, rows int, wantHash bool) {
		t.Helper()
		random := rand.New(rand.NewPCG(uint64(firsts), uint64(seconds)))
		for at := 0; at < rows; at += 1000 {
			p.fit(firsts, seconds)
			packed, out := make([]uint64, 1000), make([]uint32, 1000)
			for i := range packed {
				pair := [2]uint32{random.Uint32N(uint32(firsts)), random.Uint32N(uint32(seconds))}
				pairs = append(pairs, pair)
				packed[i] = p.pack(uint64(pair[0]), pair[1])
			}
			p.interner.number(Keys{Ints: packed}, Keys{}, out, nil)
			numbers = append(numbers, out...)
		}
		if hash := p.table.(*intTable).hashing(); hash != wantHash {
			t.Fatalf("%d, %d: hashing is %v", firsts, seconds, hash)
		}
	}
	add(1, 1, 1000, false)
	add(3, 17, 2000, false)
	add(40_000, 20, 5000, true)
	add(40_000, 20, 2_200_000, false)
	add(40_000, 100_000, 3000, true)
	first, second := p.unpack()
	next := uint32(0) // number of the next new pair
	for i, n := range numbers {
		if first[n] != pairs[i][0] || second[n] != pairs[i][1] {
			t.Fatalf("row %d: number %d is %d, %d, want %d", i, n, first[n], second[n], pairs[i])
		}
		if n > next {
			t.Fatalf("row %d: number %d, but %d has not been given", i, n, next)
		}
		if n == next {
			next++
		}
	}
	if int(next) != len(first) {
		t.Fatalf("%d numbers given of %d", next, len(first))
	}
}

func TestBuilderRefusesParts(t *testing.T) {
	one, two, names := ints(1), ints(1, 2), texts("a", "b")
	for name, add := range map[string]func(b *Builder) error{
		"fewer columns":        func(b *Builder) error { return errors.Join(b.AddEdges(two, two, two), b.AddEdges(two, two)) },
		"more columns":         func(b *Builder) error { return errors.Join(b.AddEdges(two, two), b.AddVertices(two, nil, two)) },
		"short column":         func(b *Builder) error { return b.AddEdges(two, two, one) },
		"other type":           func(b *Builder) error { return errors.Join(b.AddEdges(two, two, two), b.AddEdges(two, two, names)) },
		"falling offsets":      func(b *Builder) error { return b.AddEdges(two, two, Keys{Offsets: []int64{0, 0, -1}}) },
		"sides of no sides":    func(b *Builder) error { return b.AddVertices(two, []uint8{0, 1}) },
		"sides left out":       func(b *Builder) error { b.Bipartite = true; return b.AddVertices(two, nil) },
		"too few sides":        func(b *Builder) error { b.Bipartite = true; return b.AddVertices(two, []uint8{0}) },
		"a third side":         func(b *Builder) error { b.Bipartite = true; return b.AddVertices(two, []uint8{0, 2}) },
		"sides left out again": func(b *Builder) error { b.Bipartite = true; _, err := b.Number(two, nil); return err },
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(1)
			if err := add(b); !errors.Is(err, ErrKeys) {
				t.Fatalf("%v, want ErrKeys", err)
			}
			if _, err := b.Build(t.Context()); err == nil {
				t.Fatal("Build succeeds after an error")
			}
		})
	}
}
