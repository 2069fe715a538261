package preprocess

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// piece is how many numbers of a long array are hashed in one go.
const piece = 1 << 16

// fingerprint hashes what engines read and what scores are made from, so that
// sums of batches from two plans may be added if their fingerprints are equal.
// It is the hash of the hashes of all pieces, in order: pieces are hashed in
// parallel, and how they are cut does not depend on threads.
func fingerprint(ctx context.Context, p *Plan, threads int) ([32]byte, error) {
	var pieces []func(to []byte) []byte
	pieces = cut(pieces, p.Base, appendInts)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Vertices()+len(b.Targets) < piece {
			pieces = append(pieces, b.appendTo)
			continue
		}
		pieces = append(pieces, b.appendSizes)
		pieces = cut(pieces, b.Offsets, appendInts)
		pieces = cut(pieces, b.Targets, appendVertices)
		pieces = cut(pieces, b.Weight, appendFloats)
		pieces = cut(pieces, b.Multiplicity, appendFloats)
		pieces = cut(pieces, b.Sources, appendVertices)
		pieces = cut(pieces, b.Farness, appendShorts)
		pieces = cut(pieces, b.vertices, appendVertices)
		pieces = cut(pieces, b.classes, appendVertices)
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
func cut[T any](pieces []func([]byte) []byte, x []T, appendAll func([]byte, []T) []byte) []func([]byte) []byte {
	for lo := 0; lo < len(x); lo += piece {
		part := x[lo:min(lo+piece, len(x))]
		pieces = append(pieces, func(to []byte) []byte { return appendAll(to, part) })
	}
	return pieces
}

// appendTo appends all of a block.
func (b *Block) appendTo(to []byte) []byte {
	to = b.appendSizes(to)
	to = appendInts(to, b.Offsets)
	to = appendVertices(to, b.Targets)
	to = appendFloats(to, b.Weight)
	to = appendFloats(to, b.Multiplicity)
	to = appendVertices(to, b.Sources)
	to = appendShorts(to, b.Farness)
	to = appendVertices(to, b.vertices)
	return appendVertices(to, b.classes)
}

// appendSizes appends what tells how the rest is to be read.
func (b *Block) appendSizes(to []byte) []byte {
	return appendInts(to, []int64{
		int64(b.Vertices()), int64(len(b.Targets)), int64(len(b.Multiplicity)), int64(len(b.Farness)), int64(b.Lanes),
	})
}

func appendInts(to []byte, x []int64) []byte {
	for _, v := range x {
		to = binary.LittleEndian.AppendUint64(to, uint64(v))
	}
	return to
}

func appendFloats(to []byte, x []float64) []byte {
	for _, v := range x {
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(v))
	}
	return to
}

func appendVertices(to []byte, x []uint32) []byte {
	for _, v := range x {
		to = binary.LittleEndian.AppendUint32(to, v)
	}
	return to
}

func appendShorts(to []byte, x []uint16) []byte {
	for _, v := range x {
		to = binary.LittleEndian.AppendUint16(to, v)
	}
	return to
}
