package building

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/csr"
)

// A plain is the result that the Builder should have, made by plain code.
type plain struct {
	number     map[string]uint32
	ids        []string
	neighbours []map[uint32]bool
	loops      int64
	edges      int64
	rows       int64
}

func (p *plain) vertex(id string) uint32 {
	v, known := p.number[id]
	if !known {
		v = uint32(len(p.ids))
		if p.number == nil {
			p.number = map[string]uint32{}
		}
		p.number[id] = v
		p.ids = append(p.ids, id)
		p.neighbours = append(p.neighbours, map[uint32]bool{})
	}
	return v
}

func (p *plain) edge(src, dst string) {
	u, v := p.vertex(src), p.vertex(dst)
	p.rows++
	if u == v {
		p.loops++
	} else if !p.neighbours[u][v] {
		p.edges++
		p.neighbours[u][v], p.neighbours[v][u] = true, true
	}
}

// id is the text form of a key, for comparison.
func (k Keys) id(row int) string {
	if k.Offsets != nil {
		return string(k.at(row))
	}
	return string(binary.BigEndian.AppendUint64(nil, k.Ints[row]))
}

// call is a call of the Builder: edges, or vertices if dst is nil.
type call struct{ src, dst *Keys }

// compareBuild runs the steps in plain code, and with a Builder for each number
// of threads.
func compareBuild(t *testing.T, steps []call, threads ...int) {
	t.Helper()
	var want plain
	for _, s := range steps {
		for row := range s.src.Len() {
			if s.dst != nil {
				want.edge(s.src.id(row), s.dst.id(row))
			} else {
				want.vertex(s.src.id(row))
			}
		}
	}
	for _, count := range threads {
		b := NewBuilder(count)
		for _, s := range steps {
			var err error
			if s.dst != nil {
				err = b.AddEdges(*s.src, *s.dst)
			} else {
				err = b.AddVertices(*s.src, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		got, err := b.Build(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want.check(t, got)
	}
}

func (p *plain) check(t *testing.T, got *Input) {
	t.Helper()
	if err := got.Graph.Check(); err != nil {
		t.Fatal(err)
	}
	if got.EdgesRead != p.rows || got.SelfLoops != p.loops || got.Graph.Edges() != p.edges {
		t.Fatalf("rows %d, self-loops %d, edges %d; want %d, %d, %d",
			got.EdgesRead, got.SelfLoops, got.Graph.Edges(), p.rows, p.loops, p.edges)
	}
	if got.Duplicates != p.rows-p.loops-p.edges {
		t.Fatalf("duplicates %d, want %d", got.Duplicates, p.rows-p.loops-p.edges)
	}
	if got.IDs.Len() != len(p.ids) || got.Graph.Vertices() != len(p.ids) {
		t.Fatalf("%d ids, %d vertices, want %d", got.IDs.Len(), got.Graph.Vertices(), len(p.ids))
	}
	for v, id := range p.ids {
		if got.IDs.id(v) != id {
			t.Fatalf("vertex %d is %q, want %q", v, got.IDs.id(v), id)
		}
		row := got.Graph.Neighbours(uint32(v))
		if len(row) != len(p.neighbours[v]) {
			t.Fatalf("vertex %d has neighbours %v, want %v", v, row, p.neighbours[v])
		}
		for _, u := range row {
			if !p.neighbours[v][u] {
				t.Fatalf("vertex %d has neighbour %d", v, u)
			}
		}
	}
}

func ints(ids ...uint64) Keys { return Keys{Ints: ids} }

func texts(ids ...string) Keys {
	k := Keys{Offsets: []int64{0}}
	for _, id := range ids {
		k.Bytes = append(k.Bytes, id...)
		k.Offsets = append(k.Offsets, int64(len(k.Bytes)))
	}
	return k
}

// families are kinds of ids, each given by a small number.
var families = map[string]func(random *rand.Rand) func(i int) uint64{
	"dense":    func(*rand.Rand) func(int) uint64 { return func(i int) uint64 { return uint64(i) } },
	"negative": func(*rand.Rand) func(int) uint64 { return func(i int) uint64 { return uint64(10 - i) } },
	"sparse": func(random *rand.Rand) func(int) uint64 {
		factor := random.Uint64() | 1
		return func(i int) uint64 { return uint64(i) * factor }
	},
	"high bits":   func(*rand.Rand) func(int) uint64 { return func(i int) uint64 { return uint64(i) << 48 } },
	"two islands": func(*rand.Rand) func(int) uint64 { return func(i int) uint64 { return uint64(i) + uint64(i&1)<<63 } },
	"widening": func(*rand.Rand) func(int) uint64 {
		return func(i int) uint64 { return uint64(int64(1)<<(i%60)) * uint64(1-i&2) }
	},
}

func TestBuildRandom(t *testing.T) {
	for name, family := range families {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(100) {
				random := rand.New(rand.NewPCG(seed, 1))
				id := family(random)
				n := 1 + random.IntN(1<<random.IntN(9))
				var steps []call
				for range random.IntN(5) {
					src, dst := make([]uint64, random.IntN(3*n)), []uint64(nil)
					for i := range src {
						src[i] = id(random.IntN(n))
						dst = append(dst, id(random.IntN(n)))
					}
					s := call{src: &Keys{Ints: src}}
					if random.IntN(4) > 0 {
						s.dst = &Keys{Ints: dst}
					}
					steps = append(steps, s)
				}
				compareBuild(t, steps, 1, 2, 3, 8)
			}
		})
	}
}

func TestBuildStrings(t *testing.T) {
	long := string(bytes.Repeat([]byte("long "), 1000))
	names := []string{"", "a", "b", "aa", "\x00", "\x00\x00", long, long + "x", "é", "\xff"}
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 2))
		pick := func() string {
			if i := random.IntN(200); i < len(names) {
				return names[i]
			}
			return fmt.Sprint("name", random.IntN(300))
		}
		var steps []call
		for range random.IntN(4) {
			var src, dst []string
			for range random.IntN(300) {
				src, dst = append(src, pick()), append(dst, pick())
			}
			s, d := texts(src...), texts(dst...)
			steps = append(steps, call{&s, &d})
		}
		compareBuild(t, steps, 1, 3)
	}
}

func TestBuildSmallest(t *testing.T) {
	empty, noText := Keys{}, texts()
	one, two := ints(7), ints(7, 9)
	for name, steps := range map[string][]call{
		"nothing":           nil,
		"empty columns":     {{&empty, &empty}, {&empty, nil}},
		"empty texts":       {{&noText, &noText}},
		"one vertex":        {{&one, nil}},
		"one self-loop":     {{&one, &one}},
		"two vertices":      {{&two, nil}},
		"vertex after edge": {{&two, &two}, {&two, nil}, {&one, &one}},
	} {
		t.Run(name, func(t *testing.T) { compareBuild(t, steps, 2) })
	}
}

// Long enough for several goroutines, chunks, buckets, passes and rounds.
func TestBuildLarge(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	const rows = 200_000
	src, dst := make([]uint64, rows), make([]uint64, rows)
	for i := range src {
		src[i] = uint64(random.ExpFloat64() * 3000)
		dst[i] = uint64(random.IntN(60_000)) << (i % 3 * 20)
	}
	var steps []call
	for at := 0; at < rows; {
		end := min(at+random.IntN(70_000), rows)
		steps = append(steps, call{&Keys{Ints: src[at:end]}, &Keys{Ints: dst[at:end]}})
		at = end
	}
	compareBuild(t, steps, 1, 2, 3, 8)
	compareBuild(t, []call{{&Keys{Ints: src}, &Keys{Ints: dst}}}, 2)
}

func TestBuilderRefuses(t *testing.T) {
	numbers, names := ints(1, 2), texts("a", "b")
	for name, add := range map[string]func(b *Builder) error{
		"unequal lengths": func(b *Builder) error { return b.AddEdges(numbers, ints(1)) },
		"integers, texts": func(b *Builder) error { return b.AddEdges(numbers, names) },
		"texts later":     func(b *Builder) error { return errors.Join(b.AddVertices(numbers, nil), b.AddVertices(names, nil)) },
		"falling offsets": func(b *Builder) error {
			return b.AddVertices(Keys{Bytes: []byte("ab"), Offsets: []int64{0, 2, 1}}, nil)
		},
		"offset past end": func(b *Builder) error { return b.AddVertices(Keys{Bytes: []byte("ab"), Offsets: []int64{0, 3}}, nil) },
		"negative offset": func(b *Builder) error { return b.AddVertices(Keys{Bytes: []byte("ab"), Offsets: []int64{-1, 1}}, nil) },
		"no offsets":      func(b *Builder) error { return b.AddVertices(Keys{Offsets: []int64{}}, nil) },
		"both forms":      func(b *Builder) error { return b.AddVertices(Keys{Ints: numbers.Ints, Offsets: names.Offsets}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			b := NewBuilder(1)
			if err := add(b); !errors.Is(err, ErrKeys) {
				t.Fatalf("got %v, want ErrKeys", err)
			}
			if _, err := b.Build(context.Background()); !errors.Is(err, ErrKeys) {
				t.Fatalf("Build: got %v, want ErrKeys", err)
			}
		})
	}
}

func TestBuilderTooLarge(t *testing.T) {
	b := NewBuilder(2)
	b.limit = 3
	if err := b.AddEdges(ints(1, 2, 3), ints(2, 3, 1)); err != nil {
		t.Fatal(err)
	}
	if err := b.AddVertices(ints(3, 4), nil); !errors.Is(err, csr.ErrTooLarge) {
		t.Fatalf("got %v, want ErrTooLarge", err)
	}
}

func TestBuilderIsSpent(t *testing.T) {
	b := NewBuilder(1)
	if _, err := b.Build(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background()); err == nil {
		t.Fatal("a second Build succeeds")
	}
	if err := b.AddVertices(ints(1), nil); err == nil {
		t.Fatal("AddVertices after Build succeeds")
	}
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte{1, 2, 2, 1, 3, 3}, uint8(0), uint8(1))
	f.Add(bytes.Repeat([]byte{0, 255, 7}, 90), uint8(56), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, shift, threads uint8) {
		id := func(b byte) uint64 { return uint64(int64(int8(b))) << (shift % 64) }
		var steps []call
		for len(data) > 1 {
			size := min(1+int(data[0]), (len(data)-1)/2)
			s := call{src: &Keys{}, dst: &Keys{}}
			for _, b := range data[1 : 1+size] {
				s.src.Ints = append(s.src.Ints, id(b))
			}
			for _, b := range data[1+size : 1+2*size] {
				s.dst.Ints = append(s.dst.Ints, id(b))
			}
			if data[0]%5 == 0 {
				s.dst = nil
			}
			steps, data = append(steps, s), data[1+2*size:]
		}
		compareBuild(t, steps, 1+int(threads%4))
	})
}
