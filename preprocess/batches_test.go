package preprocess

import "testing"

// BatchOf and BatchBounds find the batches that cut makes.
func TestBatchOf(t *testing.T) {
	for sources := 1; sources < 300; sources++ {
		b := Block{Sources: make([]uint32, sources), Lanes: 1 + sources%64}
		for i, batch := range b.cut(nil, 0, b.Lanes) {
			if first, end := b.BatchBounds(i); first != batch.First || end != batch.First+batch.Count {
				t.Fatalf("%d sources, %d lanes: batch %d is %d to %d, want %+v", sources, b.Lanes, i, first, end, batch)
			}
			for source := range batch.Count {
				if got := b.BatchOf(batch.First + source); got != i {
					t.Fatalf("%d sources, %d lanes: source %d is in batch %d, want %d", sources, b.Lanes, batch.First+source, got, i)
				}
			}
		}
	}
}
