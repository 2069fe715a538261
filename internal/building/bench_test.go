package building

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync"
	"testing"
	"time"

	"bcstage/internal/parallel"
)

// rmat is an edge list after the R-MAT model with the constants of Graph500 (D.
// Chakrabarti, Y. Zhan, C. Faloutsos, 2004): A=.57, B=.19, C=.19, labels permuted.
func rmat(scale, edges int, label func(uint32) uint64) (src, dst Keys) {
	random := rand.New(rand.NewPCG(uint64(scale), 20))
	labels := random.Perm(1 << scale)
	src.Ints, dst.Ints = make([]uint64, edges), make([]uint64, edges)
	const part = 1 << 16
	_ = parallel.Each(context.Background(), runtime.GOMAXPROCS(0), (edges+part-1)/part, func(_, item int) {
		random := rand.NewPCG(uint64(item), 21)
		for i := item * part; i < min((item+1)*part, edges); i++ {
			var u, v, draws uint64
			for level := range scale {
				if level%4 == 0 {
					draws = random.Uint64()
				}
				switch draw := draws & 0xffff; {
				case draw < 37355: // A
				case draw < 49807: // B
					v |= 1 << level
				case draw < 62259: // C
					u |= 1 << level
				default:
					u |= 1 << level
					v |= 1 << level
				}
				draws >>= 16
			}
			src.Ints[i], dst.Ints[i] = label(uint32(labels[u])), label(uint32(labels[v]))
		}
	})
	return src, dst
}

func same(v uint32) uint64 { return uint64(v) }

func scattered(v uint32) uint64 { return uint64(v) * 0x9e3779b97f4a7c15 }

func named(keys Keys) Keys {
	out := Keys{Offsets: make([]int64, 1, keys.Len()+1)}
	for _, id := range keys.Ints {
		out.Bytes = strconv.AppendUint(append(out.Bytes, "vertex/"...), id, 10)
		out.Offsets = append(out.Offsets, int64(len(out.Bytes)))
	}
	return out
}

// BenchmarkBuild goes from key columns, in batches as readers send them, to the
// Graph. bytes/edge is the largest heap of one run, less the heap before it.
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name         string
		scale, edges int
		label        func(uint32) uint64
		names        bool
	}{
		{"ints/1M", 16, 1_000_000, same, false},
		{"scattered/1M", 16, 1_000_000, scattered, false},
		{"strings/1M", 16, 1_000_000, same, true},
		{"ints/50M", 21, 50_000_000, same, false},
		{"scattered/50M", 21, 50_000_000, scattered, false},
		{"strings/10M", 20, 10_000_000, same, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			src, dst := rmat(c.scale, c.edges, c.label)
			if c.names {
				src, dst = named(src), named(dst)
			}
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprint("threads=", threads), func(b *testing.B) { benchmarkBuild(b, src, dst, threads) })
			}
		})
	}
}

const benchmarkBatch = 1 << 16

func benchmarkBuild(b *testing.B, src, dst Keys, threads int) {
	edges := src.Len()
	var adding time.Duration
	var peak uint64
	for b.Loop() {
		b.StopTimer()
		watch := watchHeap()
		b.StartTimer()
		start := time.Now()
		builder := NewBuilder(threads)
		for at := 0; at < edges; at += benchmarkBatch {
			end := min(at+benchmarkBatch, edges)
			if err := builder.AddEdges(src.slice(at, end), dst.slice(at, end)); err != nil {
				b.Fatal(err)
			}
		}
		adding += time.Since(start)
		if _, err := builder.Build(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		peak = max(peak, watch())
		b.StartTimer()
	}
	b.ReportMetric(float64(peak)/float64(edges), "bytes/edge")
	b.ReportMetric(float64(edges)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
	b.ReportMetric(adding.Seconds()/b.Elapsed().Seconds(), "adding/total")
}

// watchHeap samples the memory of the heap, garbage included, until the returned
// function is called, which returns the largest growth.
func watchHeap() (growth func() uint64) {
	read := func() uint64 {
		samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(samples)
		return samples[0].Value.Uint64()
	}
	runtime.GC()
	before := read()
	largest := before
	stop := make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				largest = max(largest, read())
			}
		}
	})
	return func() uint64 {
		largest := func() uint64 { close(stop); done.Wait(); return max(largest, read()) }()
		return largest - before
	}
}
