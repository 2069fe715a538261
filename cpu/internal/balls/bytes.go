package balls

import "bcstage/preprocess"

// Bytes returns the memory that a Search needs for a block, beside the memory of the engine and of the parts.
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
