package textlines

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkParsePairs(b *testing.B) {
	var text []byte
	for random := rand.New(rand.NewPCG(1, 2)); len(text) < ChunkBytes; {
		text = fmt.Appendf(text, "%d\t%d\n", random.IntN(1_000_000), random.IntN(1_000_000))
	}
	src, dst := make([]uint64, len(text)), make([]uint64, len(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, end := ParsePairs(text, '\t', 0, src, dst); end != len(text) {
			b.Fatal(end)
		}
	}
}
