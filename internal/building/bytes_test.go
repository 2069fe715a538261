package building

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"bcstage/internal/budget"
)

// Bytes, before a Builder has seen anything, is the memory that building then takes:
// no less than is held, counted by the garbage collector, and not much more. The
// scratch of a round is left out: it does not grow with the graph.
func TestBuilderBytes(t *testing.T) {
	for _, threads := range []int{1, manyThreads} {
		testBuilderBytes(t, threads)
	}
}

func testBuilderBytes(t *testing.T, threads int) {
	const rows = 1 << 18
	scratch := int64(threads) << 19
	random := rand.New(rand.NewPCG(5, 1))
	near, far, text := Keys{}, Keys{}, Keys{Offsets: make([]int64, 1)}
	for i := range rows + 1 {
		near.Ints = append(near.Ints, uint64(i))
		far.Ints = append(far.Ints, random.Uint64())
		text.Bytes = fmt.Appendf(text.Bytes, "vertex %d of a path", i)
		text.Offsets = append(text.Offsets, int64(len(text.Bytes)))
	}
	for name, ids := range map[string]Keys{"near": near, "far": far, "text": text} {
		b := NewBuilder(threads)
		for from := 0; from < rows; from += rows / 8 {
			src, dst := ids.slice(from, from+rows/8), ids.slice(from+1, from+1+rows/8)
			said := b.Bytes(2*rows/8, rows/8)
			if err := b.AddEdges(src, dst); err != nil {
				t.Fatal(err)
			}
			if now := b.Bytes(0, 0); from > 0 && now > said+scratch {
				t.Errorf("%s, %d threads: %d bytes, %d were said before the batch", name, threads, now, said)
			}
		}
		if text, ok := b.table.ids.table.(*stringTable); ok {
			text.fresh, text.hashes = nil, nil
		}
		reading, _ := b.table.bytes(0)
		for _, chunk := range b.edges {
			reading += budget.Held(chunk.src) + budget.Held(chunk.dst)
		}
		if live := liveWithout(func() { b.table, b.edges = nil, nil }); live > reading+scratch || live < reading/2 {
			t.Errorf("%s, %d threads: %d bytes were held, %d counted", name, threads, live, reading)
		}
	}
}

// Lengths are counted before they are added, while they are held, and as the result
// of building.
func TestBuilderBytesOfLengths(t *testing.T) {
	const rows, scratch = 1 << 18, 8<<18 + 1<<20 // arcs looked up at once
	random := rand.New(rand.NewPCG(5, 3))
	var src, dst Keys
	var w Weights
	for range rows {
		src.Ints, dst.Ints = append(src.Ints, random.Uint64N(1<<14)), append(dst.Ints, random.Uint64N(1<<14))
		w.Digits, w.Exponents = append(w.Digits, 1+random.Int64N(1000)), append(w.Exponents, -3)
	}
	b := NewBuilder(1)
	if err := b.AddWeightedEdges(src, dst, w); err != nil {
		t.Fatal(err)
	}
	said := b.Bytes(0, 0)
	plain := NewBuilder(1)
	if err := plain.AddEdges(src, dst); err != nil {
		t.Fatal(err)
	}
	if least := plain.Bytes(0, 0) + 10*rows + 16*rows; said < least {
		t.Errorf("%d bytes, want %d at least", said, least)
	}
	if live := liveWithout(func() { b.weights = nil }); live > 10*rows+scratch || live < 5*rows {
		t.Errorf("lengths of %d rows hold %d bytes", rows, live)
	}
	b = NewBuilder(1)
	if err := b.AddWeightedEdges(src, dst, w); err != nil {
		t.Fatal(err)
	}
	said = b.Bytes(0, 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := b.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	// All memory ever allocated, with that held before. The edges in order of buckets are dropped before there is a graph.
	if got := int64(after.TotalAlloc-before.TotalAlloc) + 10*rows; got > said+said/4+scratch {
		t.Errorf("building takes %d bytes in all, %d were said", got, said)
	}
}

// liveWithout returns how much memory drop releases.
func liveWithout(drop func()) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	drop()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return int64(before.HeapAlloc) - int64(after.HeapAlloc)
}

// makeRows allocates the halves and the graph, and for its one thread the scratch of a span and of a bucket.
func TestSymmetriseBytes(t *testing.T) {
	const scratch = 3 << 20
	random := rand.New(rand.NewPCG(5, 2))
	for i, n := range []int{1 << 12, 1 << 20, 1 << 22, 1 << 12, 1 << 20, 1 << 22} {
		directed := i >= 3
		p := pairs{make([]uint32, 1<<19), make([]uint32, 1<<19)}
		for i := range p.src {
			p.src[i], p.dst[i] = uint32(random.IntN(n)), uint32(random.IntN(n))
		}
		want := rowsBytes(n, int64(len(p.src)), int64(len(p.src)), directed, false, 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := makeRows(context.Background(), n, []pairs{p}, false, directed, 1, nil, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := int64(after.TotalAlloc - before.TotalAlloc); got > want+want/8+scratch || got < want/2 {
			t.Errorf("%d vertices: %d bytes, want about %d", n, got, want)
		}
	}
}
