package wave

import "bcstage/gpu/internal/driver"

// Calls of kernels/sums.cl, for every method, after both passes: a row's D by
// lane become scores and the sums of the self-check.

// FoldParts adds up the sums of the self-check over all chunks of vertices.
type FoldParts struct {
	Words, Chunks uint32
	Parts, Sums   driver.Buffer
}

// FoldRows adds up the scores over all words of lanes.
type FoldRows struct {
	N, First, Last uint32
	Multiplicity   driver.Buffer
	Rows, Scores   driver.Buffer
}

// Tally launches the method's kernel named tally: one work-group for each chunk
// of vertices and word of lanes.
func (s *Wave) Tally(call any) error {
	return s.Launch(call, s.Shape.Chunks(), s.Shape.Packs*s.Shape.Words)
}

// FoldParts adds up the parts that Tally leaves.
func (s *Wave) FoldParts() error {
	words := s.Shape.Packs * s.Shape.Words
	return s.Launch(FoldParts{Words: uint32(words), Chunks: uint32(s.Shape.Chunks())}, words, 1)
}

// FoldRows adds up the rows of packs first..end-1 into scores.
func (s *Wave) FoldRows(rows driver.Buffer, first, end int) error {
	n, words := s.Shape.Vertices, s.Shape.Words
	return s.Launch(FoldRows{N: uint32(n), First: uint32(first * words), Last: uint32(end * words), Rows: rows}, s.Flat(n), 1)
}
