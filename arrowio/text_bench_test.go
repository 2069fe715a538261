package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"bcstage/arrowio/tables"
)

// benchEdges is the number of edges in a benchmark's text.
const benchEdges = 1_000_000

// benchText makes a text of random edges between 2^20 vertices; format takes
// the two ends of one.
func benchText(header, format string) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var text bytes.Buffer
	text.WriteString(header)
	for range benchEdges {
		fmt.Fprintf(&text, format, 1+random.IntN(1<<20), 1+random.IntN(1<<20))
	}
	return text.Bytes()
}

// benchRead reads text from memory; the receiver only releases batches.
func benchRead(b *testing.B, text []byte, opts tables.Options) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		opts.Stdin = bytes.NewReader(text)
		edges := make(chan tables.Batch, 2)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for batch := range edges {
				batch.Release()
			}
		}()
		summary, err := Read(context.Background(), opts, edges)
		<-done
		if err != nil || summary.Rows != benchEdges {
			b.Fatal(summary, err)
		}
	}
	b.ReportMetric(benchEdges*float64(b.N)/b.Elapsed().Seconds()/1e6, "Medges/s")
}

func BenchmarkRead(b *testing.B) {
	for _, format := range []struct {
		name, header, edge string
		opts               tables.Options
	}{
		{"Tab", "# from to\n", "%d\t%d\n", tables.Options{}},
		{"TabCRLF", "# from to\r\n", "%d\t%d\r\n", tables.Options{}},
		{"Blank", "", "%d %d\n", tables.Options{}},
		{"CSV", "src,dst\n", "%d,%d\n", tables.Options{}},
		{"CSVLastColumns", "kind,since,src,dst\n", "knows,2020,%d,%d\n", tables.Options{}},
		{"CSVMoreColumns", "src,dst,kind,since\n", "%d,%d,knows,2020\n", tables.Options{}},
		{"CSVQuoted", "src,dst\n", "\"%d\",\"%d\"\n", tables.Options{}},
		{"Strings", "src,dst\n", "person-%d,person-%d\n", tables.Options{}},
		{"MatrixMarket", fmt.Sprintf("%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", 1<<20, 1<<20, benchEdges), "%d %d\n", tables.Options{}},
		{"MatrixMarketReal", fmt.Sprintf("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", 1<<20, 1<<20, benchEdges), "%d %d 0.5\n", tables.Options{IgnoreWeight: true}},
		{"DIMACS", fmt.Sprintf("p sp %d %d\n", 1<<20, benchEdges), "a %d %d 1\n", tables.Options{}},
	} {
		b.Run(format.name, func(b *testing.B) {
			text := benchText(format.header, format.edge)
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
					opts := format.opts
					opts.Threads = threads
					benchRead(b, text, opts)
				})
			}
		})
	}
	b.Run("METIS", func(b *testing.B) { benchRead(b, benchMETIS(), tables.Options{Format: tables.FormatMETIS}) })
	b.Run("Gzip", func(b *testing.B) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(benchText("", "%d\t%d\n"))
		w.Close()
		benchRead(b, packed.Bytes(), tables.Options{})
	})
}

// benchMETIS makes rows of eight neighbours.
func benchMETIS() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	const rows = benchEdges / 8
	var text strings.Builder
	fmt.Fprintf(&text, "%d %d\n", rows, benchEdges/2)
	for range rows {
		for range 8 {
			fmt.Fprintf(&text, "%d ", 1+random.IntN(rows))
		}
		text.WriteByte('\n')
	}
	return []byte(text.String())
}
