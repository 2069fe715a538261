package balls

import (
	"context"

	"bcstage/preprocess"
)

// samples is how many batches Sizes looks at.
const samples = 8

// Sizes is how many vertices a batch of the block reaches, by some batches from all over it, which are the
// same each time: the most, and the mean.
func Sizes(b *preprocess.Block) (largest int, mean float64) {
	if len(b.Sources) == 0 {
		return 0, 0
	}
	var r reacher
	count := (len(b.Sources) + b.Lanes - 1) / b.Lanes
	looked, sum := min(count, samples), 0
	for i := range looked {
		first := i * count / looked * b.Lanes
		_ = r.search(context.Background(), b, b.Sources[first:min(first+b.Lanes, len(b.Sources))])
		sum += len(r.order)
		largest = max(largest, len(r.order))
	}
	return largest, float64(sum) / float64(looked)
}

// Bytes is the memory that a Search comes to hold for a block, beside what the engine and its parts take.
func Bytes(b *preprocess.Block) int64 {
	const found = 48
	vertex := int64(8 + 4 + 4 + 4) // distance, order, local number, at
	if b.HasLengths() {
		vertex += 2 * 4 // queue
	}
	if b.Kind().Reach() {
		vertex += found
	} else {
		vertex += 8 // score
	}
	if b.HasDraws() {
		vertex += 2 * 8 // sums and squares
	}
	bytes := vertex * int64(b.Vertices())
	if b.HasFlows() {
		bytes += (8 + 4) * int64(b.Flows.Count()) // flows, numbers in the part
	}
	return bytes
}
