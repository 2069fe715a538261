package preprocess

import (
	"context"
	"crypto/sha256"
)

// piece is how many numbers of a long array are hashed in one go.
const piece = 1 << 16

// fingerprint hashes what engines read and what scores are made from, so that
// sums of batches from two plans may be added if their fingerprints are equal.
// It is the hash of the hashes of all pieces, in order: pieces are hashed in
// parallel, and how they are cut does not depend on threads.
func fingerprint(ctx context.Context, p *Plan, threads int) ([32]byte, error) {
	var pieces []func(to []byte) []byte
	pieces = cut(pieces, p.Base)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Vertices()+len(b.Targets) < piece {
			pieces = append(pieces, b.appendTo)
			continue
		}
		pieces = append(pieces, b.appendSizes)
		pieces = cut(pieces, b.Offsets)
		pieces = cut(pieces, b.Targets)
		pieces = cut(pieces, b.Weight)
		pieces = cut(pieces, b.Multiplicity)
		pieces = cut(pieces, b.Sources)
		pieces = cut(pieces, b.Farness)
		pieces = cut(pieces, b.vertices)
		pieces = cut(pieces, b.classes)
	}
	sums := make([]byte, len(pieces)*sha256.Size)
	err := spread(ctx, threads, len(pieces), 16, func(lo, hi int) {
		var buffer []byte
		for i := lo; i < hi; i++ {
			buffer = pieces[i](buffer[:0])
			sum := sha256.Sum256(buffer)
			copy(sums[i*sha256.Size:], sum[:])
		}
	})
	return sha256.Sum256(sums), err
}

// cut adds pieces that append the numbers of x, each a part of it.
func cut[T element](pieces []func([]byte) []byte, x []T) []func([]byte) []byte {
	for lo := 0; lo < len(x); lo += piece {
		part := x[lo:min(lo+piece, len(x))]
		pieces = append(pieces, func(to []byte) []byte { return append(to, littleEndian(part)...) })
	}
	return pieces
}

// appendTo appends all of a block.
func (b *Block) appendTo(to []byte) []byte {
	to = b.appendSizes(to)
	to = append(to, littleEndian(b.Offsets)...)
	to = append(to, littleEndian(b.Targets)...)
	to = append(to, littleEndian(b.Weight)...)
	to = append(to, littleEndian(b.Multiplicity)...)
	to = append(to, littleEndian(b.Sources)...)
	to = append(to, littleEndian(b.Farness)...)
	to = append(to, littleEndian(b.vertices)...)
	return append(to, littleEndian(b.classes)...)
}

// appendSizes appends what tells how the rest is to be read.
func (b *Block) appendSizes(to []byte) []byte {
	return append(to, littleEndian([]int64{
		int64(b.Vertices()), int64(len(b.Targets)), int64(len(b.Multiplicity)), int64(len(b.Farness)), int64(b.Lanes),
	})...)
}
