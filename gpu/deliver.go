package gpu

import (
	"math"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// few is how many batches are handed on apart where a taking returns fewer than were asked
// for: they are the last, and others may be computing copies. It is a part of a taking,
// since several devices take less towards the end. It is a part of this block's, since the
// number asked for may be the previous block's. Where results do not tell sources apart,
// each such batch takes a wave.
func (e *runner) few(block, most int) int {
	var shape wave.Shape
	t := e.blocks[block]
	if t != nil {
		shape = t.now()
	}
	switch {
	case shape.Distances:
		return min(most, t.most()) / 4
	case shape.Chains.Junctions > 0:
		return min(most, t.most()) / 16 // one takes almost as long as many: see mostTurns
	case shape.Drawn:
		return 1 // a taking ends a stage, and there are two more sums to read
	}
	return min(16, most/4)
}

// handOn delivers the results of a wave. Units whose batches follow each other
// become one result, unless apart is set; a doubtful unit is a result of its own.
func (s *stream) handOn(t *task, units []seating.Unit, apart bool, done func(engine.Result) error) error {
	if s.Seating.Place != nil {
		result, err := s.result(t, units, 0, s.Seating.Packs)
		if err != nil {
			return err
		}
		result.Work = engine.Work{FrontierEntries: s.Entries, RowLoads: s.Loads}
		return done(result)
	}
	for first, firstPack := 0, 0; first < len(units); {
		end, endPack := first+1, firstPack+len(units[first].Packs)
		if !apart && !s.doubts(firstPack, endPack) {
			for end < len(units) && seating.Follows(seating.Last(units[end-1].Batches), units[end].Batches[0]) &&
				!s.doubts(endPack, endPack+len(units[end].Packs)) {
				endPack += len(units[end].Packs)
				end++
			}
		}
		result, err := s.result(t, units[first:end], firstPack, endPack)
		if err != nil {
			return err
		}
		if first == 0 {
			result.Work.FrontierEntries = s.Entries
		}
		result.Work.RowLoads = s.Loads * int64(endPack-firstPack) / int64(s.Seating.Packs)
		if err := done(result); err != nil {
			return err
		}
		first, firstPack = end, endPack
	}
	return nil
}

// doubts says whether any lane of packs first..end-1 is doubtful.
func (s *stream) doubts(first, end int) bool {
	lanes, all := s.Shape.Lanes(), len(s.Seating.Source)
	for p := first; p < end; p++ {
		for lane := range int(s.Seating.Counts[p]) {
			if i := p*lanes + lane; doubtful(s.sums[i], s.sums[all+i], s.task.options.Precision) {
				return true
			}
		}
	}
	return false
}

// fold adds up packs first..end-1 of some rows on the device and reads the sums, divided
// by multiplicities.
func (s *stream) fold(rows string, first, end int, sums *[]float64) error {
	if err := s.FoldRows(s.Memory[rows], first, end); err != nil {
		return err
	}
	n := s.Shape.Vertices
	*sums = slices.Grow((*sums)[:0], n)[:n]
	return s.Read("Scores", driver.Bytes(*sums))
}

// result adds up packs first..end-1 on the device and reads the scores.
func (s *stream) result(t *task, units []seating.Unit, first, end int) (engine.Result, error) {
	if err := s.fold("Rows", first, end, &s.scores); err != nil {
		return engine.Result{}, err
	}
	r := engine.Result{Batch: units[0].Batches[0], More: -1, Scores: s.scores}
	if s.Shape.Drawn {
		if err := s.fold("DrawnRows", first, end, &s.drawn); err != nil {
			return engine.Result{}, err
		}
		if err := s.fold("SquareRows", first, end, &s.squares); err != nil {
			return engine.Result{}, err
		}
		for v, mu := range t.block.Multiplicity {
			s.squares[v] /= mu
		}
		r.Drawn, r.Squares = s.drawn, s.squares
	}
	if err := s.flowsOf(first, end, &r); err != nil {
		return engine.Result{}, err
	}
	for _, u := range units {
		r.More += len(u.Batches)
	}
	lanes, all := s.lanesOf(first, end), len(s.Seating.Source)
	for _, at := range lanes {
		r.Got, r.Want = append(r.Got, s.sums[at]), append(r.Want, s.sums[all+at])
	}
	if s.Shape.Together {
		r.Together, r.Got, r.Want = true, []float64{total(r.Got)}, []float64{total(r.Want)}
	}
	return r, s.see(t.block.Block, lanes, first, end, &r)
}

// lanesOf lists the lanes of the sources of packs first..end-1, in the order of their batches.
func (s *stream) lanesOf(first, end int) (lanes []int) {
	if s.Seating.Place != nil {
		return s.Seating.Place
	}
	for p := first; p < end; p++ {
		for i := range int(s.Seating.Counts[p]) {
			lanes = append(lanes, p*s.Shape.Lanes()+i)
		}
	}
	return lanes
}

// see completes the result of packs first..end-1 of a block that Sees.
func (s *stream) see(b *preprocess.Block, lanes []int, first, end int, r *engine.Result) error {
	if !s.Shape.Sees {
		return nil
	}
	all := len(s.Seating.Source)
	for _, at := range lanes {
		sees := s.Seen[0][all+at]
		b.Sends(s.Seating.Source[at], sees, r.Scores) // between members of a class
		if b.Sees {
			r.Sees = append(r.Sees, sees)
		}
		if b.Access {
			r.Access = append(r.Access, engine.Access{Mass: s.Seen[0][at], Shared: sees, Distance: s.Seen[1][at], Inverse: s.Seen[1][all+at]})
		}
	}
	if b.Hung == nil {
		return nil
	}
	err := s.fold("HungRows", first, end, &s.hung)
	for v, hung := range b.Hung {
		switch {
		case !hung:
			s.hung[v] = 0
		case b.Multiplicity != nil:
			s.hung[v] *= b.Multiplicity[v] // the device has divided by it
		}
	}
	r.Arrives = s.hung
	return err
}

func total(terms []float64) (sum float64) {
	for _, x := range terms {
		sum += x
	}
	return sum
}

// doubtful says whether a lane's self-check sums differ so much, or are NaN, that its
// batch is handed on by itself.
func doubtful(got, want float64, p engine.Precision) bool {
	return !(math.Abs(got-want) <= p.DeviceTolerance()*math.Abs(want))
}
