package preprocess

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// prepare reduces a graph whose vertices have the ids given.
func prepare(t testing.TB, g *csr.Graph, ids building.Keys, opts Options) *Prepared {
	t.Helper()
	opts.ComponentSizes = true
	plan, err := Reduce(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	p := &Prepared{Plan: plan, IDs: ids, Degrees: make([]uint32, g.Vertices()), About: []byte("{}")}
	for v := range p.Degrees {
		p.Degrees[v] = uint32(len(g.Neighbours(uint32(v))))
	}
	return p
}

func fileOf(t testing.TB, p *Prepared) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := p.Write(context.Background(), &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func open(t *testing.T, data []byte) (*Prepared, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "graph.bcg")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPrepared(t.Context(), path, 2)
	if err == nil {
		t.Cleanup(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return p, err
}

func numbered(n int) building.Keys {
	ids := building.Keys{Ints: make([]uint64, n)}
	for v := range ids.Ints {
		ids.Ints[v] = uint64(1000 + v)
	}
	return ids
}

func worded(n int) building.Keys {
	ids := building.Keys{Offsets: make([]int64, 1, n+1)}
	for v := range n {
		ids.Bytes = append(ids.Bytes, "abcdefg"[:v%7]...)
		ids.Offsets = append(ids.Offsets, int64(len(ids.Bytes)))
	}
	return ids
}

// chained is a clique of four whose edges are chains, with a block of twins hung
// on it. It is small, so that mutating its file is fast.
func chained() *csr.Graph {
	var edges []edge
	next := uint32(4)
	for i, e := range testgraphs.Clique(0, 4) {
		from := e[0]
		for range 3 + i%3 {
			edges = append(edges, edge{from, next})
			from = next
			next++
		}
		edges = append(edges, edge{from, e[1]})
	}
	for _, e := range append(testgraphs.Bipartite(3, 5), edge{0, 1}) {
		edges = append(edges, edge{next + e[0], next + e[1]})
	}
	return graphOf(int(next)+8, append(edges, edge{0, next}))
}

// A file is read as the plan that was written, to the last number.
func TestPreparedRoundTrip(t *testing.T) {
	all := shapesOfGraphs()
	all["chains and twins"] = chained()
	random := rand.New(rand.NewPCG(6, 1))
	for i := range 40 {
		all["random "+string(rune('A'+i))] = randomGraph(random)
	}
	chains, twins := 0, 0
	for name, g := range all { // in any order
		for lanes, ids := range []building.Keys{numbered(g.Vertices()), worded(g.Vertices())} {
			want := prepare(t, g, ids, Options{Lanes: lanes + len(name)%2})
			got, err := open(t, fileOf(t, want))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(want.Blocks) == 0 {
				want.Blocks = nil
			}
			for i := range want.Blocks {
				if want.Blocks[i].Chains != nil {
					chains++
				}
				if want.Blocks[i].classes != nil {
					twins++
				}
			}
			got.unmap = nil
			if !reflect.DeepEqual(got.Plan, want.Plan) {
				t.Errorf("%s: %+v, want %+v", name, got.Plan, want.Plan)
			}
			if !slices.Equal(got.IDs.Ints, ids.Ints) || !slices.Equal(got.IDs.Offsets, ids.Offsets) || !bytes.Equal(got.IDs.Bytes, ids.Bytes) ||
				!slices.Equal(got.Degrees, want.Degrees) || string(got.About) != "{}" {
				t.Errorf("%s: other ids, degrees or words", name)
			}
			again, err := fingerprint(t.Context(), got.Plan, 1)
			if err != nil || again != want.Fingerprint {
				t.Errorf("%s: fingerprint %x, want %x: %v", name, again, want.Fingerprint, err)
			}
		}
	}
	if chains == 0 || twins == 0 {
		t.Errorf("%d blocks with chains, %d with twins: want some", chains, twins)
	}
}

// Encoding on processors with another byte order.
func TestPreparedByteOrder(t *testing.T) {
	numbers := []uint32{1, 1 << 31, 0x01020304}
	data := encode(numbers)
	if want := []byte{1, 0, 0, 0, 0, 0, 0, 0x80, 4, 3, 2, 1}; !bytes.Equal(data, want) {
		t.Errorf("%x, want %x", data, want)
	}
	if again := decode[uint32](data); !slices.Equal(again, numbers) {
		t.Errorf("%x, want %x", again, numbers)
	}
	if nativeIsLittle() && !bytes.Equal(littleEndian(numbers), data) {
		t.Error("the processor's own order is not little-endian")
	}
}

// sealed gives the file matching checksums, so that its contents are read.
func sealed(data []byte) []byte {
	size := int64(len(data))
	if size < preparedHeader {
		return data
	}
	end := int64(binary.LittleEndian.Uint64(data[24:]))
	if end < 0 || end > size || end+checksumBytes(end) != size {
		return data
	}
	sums := data[end : size-crc32.Size]
	for lo := int64(0); lo < end; lo += checkedPiece {
		piece := data[lo:min(lo+checkedPiece, end)]
		binary.LittleEndian.PutUint32(sums[lo/checkedPiece*crc32.Size:], crc32.Checksum(piece, castagnoli()))
	}
	binary.LittleEndian.PutUint32(data[size-crc32.Size:], crc32.Checksum(sums, castagnoli()))
	return data
}

func preparedSeeds(t testing.TB) [][]byte {
	var files [][]byte
	for _, g := range []*csr.Graph{graphOf(0, nil), graphOf(30, testgraphs.Grid(5, 6)), graphOf(14, testgraphs.Join(testgraphs.Clique(0, 5), testgraphs.Path(4, 9), testgraphs.Clique(9, 5))), chained()} {
		files = append(files, fileOf(t, prepare(t, g, numbered(g.Vertices()), Options{})), fileOf(t, prepare(t, g, worded(g.Vertices()), Options{Lanes: 3})))
	}
	scoped := prepare(t, chained(), numbered(chained().Vertices()), Options{})
	n := scoped.Vertices
	scoped.Of, scoped.Side = make([]uint32, n), make([]uint8, n)
	for v := range n {
		scoped.Of[v], scoped.Side[v] = uint32(v%3), uint8(v%2)
	}
	scoped.By = []building.Keys{{Bytes: []byte("acc"), Offsets: []int64{0, 1, 1, 3}}, {Ints: []uint64{1, 5, 1}}}
	lagoon := lagoons(rand.New(rand.NewPCG(6, 17)))
	for _, asked := range []Options{
		{Question: question.Question{Measures: []string{measures.Farness, measures.Component, measures.IndependentSet}}},
		{Question: question.Question{Measures: []string{measures.Betweenness, measures.Farness}, Targets: question.SetOf(func(func([]byte) bool) {})}, Targets: []uint32{1, 5}},
	} {
		files = append(files, fileOf(t, prepare(t, lagoon, numbered(lagoon.Vertices()), asked)))
	}
	return append(files, fileOf(t, scoped))
}

// Graphs and sides come back unchanged.
func TestPreparedParts(t *testing.T) {
	files := preparedSeeds(t)
	p, err := open(t, files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	if len(p.By) != 2 || string(p.By[0].Bytes) != "acc" || !slices.Equal(p.By[0].Offsets, []int64{0, 1, 1, 3}) || !slices.Equal(p.By[1].Ints, []uint64{1, 5, 1}) || p.Of[5] != 2 || p.Side[5] != 1 || len(p.Of) != p.Vertices || len(p.Side) != p.Vertices {
		t.Errorf("%+v", p.Scopes)
	}
	if p, err = open(t, files[0]); err != nil || p.Of != nil || p.By != nil || p.Side != nil {
		t.Errorf("scopes of none: %+v, %v", p.Scopes, err)
	}
}

// Any changed bit, or missing byte, is noticed.
func TestPreparedDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	for i, file := range preparedSeeds(t) {
		for range 300 {
			hurt := slices.Clone(file)
			hurt[random.IntN(len(hurt))] ^= 1 << random.IntN(8)
			if _, err := parsePrepared(t.Context(), hurt, 2); !errors.Is(err, ErrPrepared) {
				t.Fatalf("file %d: a bit flipped: %v", i, err)
			}
			if _, err := parsePrepared(t.Context(), slices.Clone(file[:random.IntN(len(file))]), 2); !errors.Is(err, ErrPrepared) {
				t.Fatalf("file %d: cut short: %v", i, err)
			}
		}
	}
	for _, data := range [][]byte{nil, []byte("src,dst\n1,2\n"), preparedSeeds(t)[2][:100]} {
		if _, err := open(t, data); !errors.Is(err, ErrPrepared) {
			t.Errorf("%d bytes: %v", len(data), err)
		}
	}
	later := preparedSeeds(t)[0]
	later[8]++
	if _, err := open(t, sealed(later)); !errors.Is(err, ErrPrepared) {
		t.Errorf("another version: %v", err)
	}
}

// Numbers out of range are refused though every checksum is right. Files that
// pass are used as engines use them.
func TestMutatedPrepared(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	random := rand.New(rand.NewPCG(6, 3))
	accepted := 0
	for _, file := range preparedSeeds(t) {
		for range rounds {
			hurt := slices.Clone(file)
			for range 1 + random.IntN(2) {
				at := random.IntN(len(hurt)-8) &^ 3
				switch random.IntN(3) {
				case 0:
					hurt[at] ^= 1 << random.IntN(8)
				case 1:
					binary.LittleEndian.PutUint32(hurt[at:], random.Uint32()>>random.IntN(32))
				case 2:
					binary.LittleEndian.PutUint64(hurt[at:], uint64(1)<<random.IntN(64))
				}
			}
			if tryPrepared(t, sealed(hurt)) {
				accepted++
			}
		}
	}
	t.Logf("%d of %d let pass", accepted, rounds*len(preparedSeeds(t)))
}

// tryPrepared opens a file and walks through its contents.
func tryPrepared(t *testing.T, data []byte) bool {
	p, err := parsePrepared(t.Context(), data, 1)
	if err != nil {
		if !errors.Is(err, ErrPrepared) {
			t.Fatalf("error without a class: %v", err)
		}
		return false
	}
	for _, graph := range p.Of {
		for _, column := range p.By {
			if column.Offsets != nil {
				_ = column.Bytes[column.Offsets[graph]:column.Offsets[graph+1]]
			} else {
				_ = column.Ints[graph]
			}
		}
	}
	if p.IDs.Len() != p.Vertices {
		t.Fatalf("%d ids of %d vertices", p.IDs.Len(), p.Vertices)
	}
	sums := make([]float64, p.Vertices)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Distances {
			b.EachFound(1, make([]engine.Found, b.Vertices()), nil, func(vertices []uint32, _ []engine.Found) {
				for _, v := range vertices {
					sums[v]++
				}
			})
			continue
		}
		scores := make([]float64, b.Vertices())
		b.Each(nil, scores, func(v uint32, x float64) { sums[v] += x })
		b.EachInside(func(number int, vertices []uint32) {
			for _, v := range vertices {
				sums[v] += float64(number)
			}
		})
		if _, err := b.Stride(2); err != nil {
			t.Fatal(err)
		}
	}
	for _, batch := range p.Batches {
		b := &p.Blocks[batch.Block]
		if !b.Distances {
			b.Each([]engine.Batch{batch}, nil, func(v uint32, x float64) { sums[v] += x })
		}
		_ = p.Cost(batch)
	}
	if closed := p.ClosedForm(measures.Betweenness); closed.Some() {
		closed.Restore(p.Question.Ordered(), sums)
	}
	return true
}

// FuzzPrepared changes two numbers of a file: mutating its bytes would mostly
// find wrong checksums.
func FuzzPrepared(f *testing.F) {
	files := preparedSeeds(f)
	for i := range files {
		f.Add(uint8(i), uint16(preparedHeader), uint32(0), uint16(300), uint32(7))
	}
	f.Fuzz(func(t *testing.T, file uint8, at uint16, value uint32, also uint16, other uint32) {
		data := slices.Clone(files[int(file)%len(files)])
		binary.LittleEndian.PutUint32(data[int(at)%(len(data)-3):], value)
		binary.LittleEndian.PutUint32(data[int(also)%(len(data)-3):], other)
		tryPrepared(t, sealed(data))
	})
}
