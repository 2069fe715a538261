package preprocess

import (
	"context"
	"crypto/sha256"
	"hash"
	"slices"
	"unsafe"

	"bcstage/internal/parallel"
)

// piece is the number of elements of a long array that are hashed at once.
const piece = 1 << 16

// fingerprint hashes the data that engines read and scores are made from. Sums
// of batches from two plans may be added if their fingerprints are equal. The
// identity of the question comes last; the zero question's is empty. The
// fingerprint is the hash of the hashes of all pieces, in order. Pieces are
// hashed in parallel; how they are cut does not depend on threads.
func fingerprint(ctx context.Context, p *Plan, threads int) ([32]byte, error) {
	var pieces []func(hash.Hash)
	for _, c := range p.ClosedForms {
		pieces = arrayOf(c.High).cut(arrayOf(c.Low).cut(pieces))
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Vertices()+len(b.Targets) < piece {
			pieces = append(pieces, b.hashTo)
			continue
		}
		for _, a := range b.arrays() {
			pieces = a.cut(pieces)
		}
	}
	for _, a := range p.hanging().arrays() {
		pieces = a.cut(pieces)
	}
	if identity := p.Question.Identity(); identity != "" {
		pieces = arrayOf([]byte(identity)).cut(pieces)
	}
	sums := make([]byte, len(pieces)*sha256.Size)
	err := parallel.Spread(ctx, threads, len(pieces), 16, func(lo, hi int) {
		h := sha256.New()
		for i := lo; i < hi; i++ {
			h.Reset()
			pieces[i](h)
			h.Sum(sums[i*sha256.Size : i*sha256.Size])
		}
	})
	return sha256.Sum256(sums), err
}

// array is the bytes of numbers of one width.
type array struct {
	data  []byte
	width int
}

func arrayOf[T element](x []T) array { return array{littleEndian(x), int(unsafe.Sizeof(*new(T)))} }

// cut adds the pieces of an array.
func (a array) cut(to []func(hash.Hash)) []func(hash.Hash) {
	for part := range slices.Chunk(a.data, piece*a.width) {
		to = append(to, func(h hash.Hash) { h.Write(part) })
	}
	return to
}

// arrays returns sizes, which say how to read the rest, and the rest. Arcs stand for their reverse ones.
func (b *Block) arrays() []array {
	sizes := []int64{
		int64(b.Vertices()), int64(len(b.Targets)), int64(len(b.Multiplicity)), int64(len(b.Farness)), int64(b.Lanes),
	}
	if !b.OneMass() {
		sizes = append(sizes, int64(len(b.To)))
	}
	if b.HasLengths() {
		sizes = append(sizes, -int64(len(b.Lengths))) // negative, unlike all other sizes
	}
	arrays := []array{
		arrayOf(sizes), arrayOf(b.Offsets), arrayOf(b.Targets), arrayOf(b.From), arrayOf(b.Multiplicity),
		arrayOf(b.Sources), arrayOf(b.Farness), arrayOf(b.vertices), arrayOf(b.classes),
	}
	if !b.OneMass() {
		arrays = append(arrays, arrayOf(b.To))
	}
	if b.HasLengths() {
		arrays = append(arrays, arrayOf(b.Lengths))
	}
	if b.Waived != nil {
		sources, targets, masses := waiverColumns(b.Waived)
		arrays = append(arrays, arrayOf(sources), arrayOf(targets), arrayOf(masses))
	}
	if b.hanging != nil {
		arrays = append(arrays, arrayOf(b.nearness))
	}
	if t := b.spread; t != nil {
		arrays = append(arrays, arrayOf(t.from), arrayOf(t.to))
	}
	if b.Middles != nil {
		arrays = append(arrays, arrayOf(b.Middles))
	}
	if b.HasFlows() {
		arrays = append(arrays, arrayOf(b.Flows.Of), arrayOf(b.Flows.Edges))
		if b.Flows.First != nil {
			arrays = append(arrays, arrayOf(b.Flows.First))
		}
		if in := b.Flows.Inside; in != nil {
			arrays = append(arrays, arrayOf(in.First), arrayOf(in.Vertices))
		}
	}
	return arrays
}

// hashTo hashes all of a block in one piece.
func (b *Block) hashTo(h hash.Hash) {
	for _, a := range b.arrays() {
		h.Write(a.data)
	}
}
