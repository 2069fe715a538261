package preprocess

import "testing"

// BatchAfter finds the batches that cut makes, and is beyond any source.
func TestBatchAfter(t *testing.T) {
	for sources := 1; sources < 300; sources++ {
		b := Block{Sources: make([]uint32, sources), Lanes: 1 + sources%64}
		for _, batch := range b.cut(nil, 0, b.Lanes) {
			for source := range batch.Count {
				if end := b.BatchAfter(batch.First + source); end != batch.First+batch.Count {
					t.Fatalf("%d sources, %d lanes: the batch of source %d ends at %d, want %d", sources, b.Lanes, batch.First+source, end, batch.First+batch.Count)
				}
			}
		}
	}
}
