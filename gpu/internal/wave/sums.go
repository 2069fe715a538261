package wave

import (
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/seating"
)

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
func (s *Wave) FoldParts(sums string) error {
	words := s.Shape.Packs * s.Shape.Words
	return s.Launch(FoldParts{Words: uint32(words), Chunks: uint32(s.Shape.Chunks()), Sums: s.Memory[sums]}, words, 1)
}

// Kinds of sums, as kernels/sums.cl numbers them.
const (
	dependencies = iota
	squares
	reached
	far
)

// TallyAll launches the method's kernel named tally for all sums of the block. call makes the call for one: its kind, the
// factors of lanes, and the rows. The parts of the last are those of the self-check. (One kernel for the three sums of
// a block that has Draws loses rows under PoCL 3.1.)
func (s *Wave) TallyAll(call func(kind uint32, factors, rows driver.Buffer) any) error {
	tally := func(kind uint32, factors, rows string) error {
		return s.Tally(call(kind, s.Memory[factors], s.Memory[rows]))
	}
	if err := s.see(tally); err != nil {
		return err
	}
	if s.Shape.Hung {
		if err := tally(reached, "SourceMass", "HungRows"); err != nil {
			return err
		}
	}
	if s.Shape.Drawn {
		for i, rows := range []string{dependencies: "DrawnRows", squares: "SquareRows"} {
			err := s.spreadDraws()
			if err == nil {
				err = tally(uint32(i), "Draws", rows)
			}
			if err != nil {
				return err
			}
		}
	}
	return tally(dependencies, "SourceMass", "Rows")
}

// see finds the masses that the sources of a block with Decay see, and then the masses that they send.
func (s *Wave) see(tally func(kind uint32, factors, rows string) error) error {
	if !s.Shape.Sees {
		return nil
	}
	for i, kind := range []uint32{reached, far} {
		if kind == far && !s.Block.Access {
			break
		}
		s.Seen[i] = slices.Grow(s.Seen[i][:0], 2*len(s.Seating.Source))[:2*len(s.Seating.Source)]
		err := tally(kind, "SourceMass", "Rows")
		if err == nil {
			err = s.FoldParts("Arrived")
		}
		if err == nil {
			err = s.Read("Arrived", driver.Bytes(s.Seen[i]))
		}
		if err != nil {
			return err
		}
	}
	within := make([]float64, s.Shape.Vertices) // the result has it
	for lane, v := range s.Seating.Source {
		if v != seating.NoLane {
			sees := s.Seen[0][len(s.Seating.Source)+lane]
			s.Seating.Mass[lane] = s.Block.Sends(v, sees, within)
			if s.Shape.Drawn {
				s.Seating.Mass[lane] *= s.Block.Spread(sees) // see spreadDraws
				s.Seating.Draws[lane] = s.Block.Draws[v]
			}
		}
	}
	return s.Write("SourceMass", driver.Bytes(s.Seating.Mass))
}

// spreadDraws multiplies draws by the parts of masses that are spread over what their sources see. In a block with Draws
// these are factors of D, which the device leaves out, so its squares need them twice.
func (s *Wave) spreadDraws() error {
	if !s.Shape.Sees {
		return nil
	}
	for lane, v := range s.Seating.Source {
		if v != seating.NoLane {
			s.Seating.Draws[lane] *= s.Block.Spread(s.Seen[0][len(s.Seating.Source)+lane])
		}
	}
	return s.Write("Draws", driver.Bytes(s.Seating.Draws))
}

// FoldRows adds up the rows of packs first..end-1 into scores.
func (s *Wave) FoldRows(rows driver.Buffer, first, end int) error {
	n, words := s.Shape.Vertices, s.Shape.Words
	return s.Launch(FoldRows{N: uint32(n), First: uint32(first * words), Last: uint32(end * words), Rows: rows}, s.Flat(n), 1)
}
