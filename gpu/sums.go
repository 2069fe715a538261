package gpu

import _ "embed"

// What kernels/sums.cl does for every method, after both passes: a row's D by
// lane become scores and the sums of the self-check.

//go:embed kernels/sums.cl
var sumsSource string

// foldParts adds up the sums of the self-check over all chunks of vertices.
type foldParts struct {
	Words, Chunks uint32
	Parts, Sums   buffer
}

// foldRows adds up the scores over all words of lanes.
type foldRows struct {
	N, First, Last uint32
	Multiplicity   buffer
	Rows, Scores   buffer
}

// tally launches a method's kernel of that name: one work-group for each
// chunk of vertices and word of lanes.
func (s *stream) tally(call any) error {
	return s.launch(call, s.shape.chunks(), s.shape.packs*s.shape.words)
}

// foldParts turns what tally leaves into sums.
func (s *stream) foldParts() error {
	words := s.shape.packs * s.shape.words
	return s.launch(foldParts{Words: uint32(words), Chunks: uint32(s.shape.chunks())}, words, 1)
}

// foldRows turns the rows of packs first..end-1 into scores.
func (s *stream) foldRows(rows buffer, first, end int) error {
	n, words := s.shape.vertices, s.shape.words
	return s.launch(foldRows{N: uint32(n), First: uint32(first * words), Last: uint32(end * words), Rows: rows}, s.flat(n), 1)
}
