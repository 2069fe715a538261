package arrowio

import (
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/internal/ids"
)

// A sink takes the batches that readers make from one or more inputs, merges
// the id types, counts, and sends the batches on.
type sink struct {
	edges   chan<- Batch
	input   string // name of the input being read
	path    string // and its path
	ids     idTypes
	by      []groupColumn
	summary Summary
	notes   notes
	warned  notes

	dropNulls bool
}

func newSink(edges chan<- Batch, o *Options, paths []string) *sink {
	return &sink{edges: edges, ids: idTypes{decimal: o.IDs == IDsString}, by: newGroupColumns(o, paths), dropNulls: o.Nulls == NullsDrop}
}

// mostNotes is how many notes of a kind are kept: a folder may hold thousands of
// files.
const mostNotes = 20

// notes is a list of lines that does not grow without bound.
type notes struct {
	lines []string
	more  int // beyond mostNotes
}

func (n *notes) add(line string) {
	if len(n.lines) == mostNotes {
		n.more++
		return
	}
	n.lines = append(n.lines, line)
}

// all lines; kind says what is left out.
func (n *notes) all(kind string) []string {
	if n.more == 0 {
		return n.lines
	}
	return append(slices.Clip(n.lines), fmt.Sprintf("and %d %s more", n.more, kind))
}

// integers notes the signs of a column's ids in one batch, before it is sent:
// wanted for signed columns of any width and for unsigned ones of 64 bits.
func (s *sink) integers(types *idTypes, name string, ids []uint64, signed bool) error {
	var or uint64
	for _, id := range ids {
		or |= id
	}
	top := or>>63 != 0
	if err := types.sees(s.input, top && signed, top && !signed); err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	return nil
}

// dropped counts rows that the null policy left out.
func (s *sink) dropped(rows int64) { s.summary.NullsDropped += rows }

// note adds one line to Summary.Notes, after the input's name.
func (s *sink) note(format string, args ...any) {
	s.notes.add(s.input + ": " + fmt.Sprintf(format, args...))
}

// warn adds one line to Summary.Warnings, after the input's name. Only what may
// make the answer another than the user expects is worth a warning.
func (s *sink) warn(format string, args ...any) {
	s.warned.add(s.input + ": " + fmt.Sprintf(format, args...))
}

// send gives a batch away, also when it fails because ctx ended. An empty
// batch is released at once.
func (s *sink) send(ctx context.Context, b Batch) error {
	rows := int64(b.Src.Len())
	if rows == 0 && b.Vertices.Len() == 0 && b.Declared == 0 {
		b.Release()
		return nil
	}
	if s.ids.decimal {
		b.Src, b.Dst, b.Vertices = decimal(b.Src), decimal(b.Dst), decimal(b.Vertices)
	}
	if of := max(b.Src.Len(), b.Vertices.Len()); !s.addGroups(&b, of) {
		s.dropped(int64(of))
		b.Release()
		return nil
	}
	if ctx.Err() == nil { // or a receiver that is ready might win time and again
		select {
		case s.edges <- b:
			s.summary.Rows += rows
			return nil
		case <-ctx.Done():
		}
	}
	b.Release()
	return ctx.Err()
}

// decimal is a column of numbers from 1 on, of a format that has no other ids, as
// text; one of text as it is.
func decimal(k Keys) Keys {
	if len(k.Ints) == 0 {
		return k
	}
	c := ids.Column{Ints: k.Ints}
	c.Decimal(false)
	return keysOf(&c)
}

// finish is the summary of all that was sent.
func (s *sink) finish() Summary {
	s.summary.IDs = s.ids.result()
	s.summary.Notes, s.summary.Warnings = s.notes.all("notes"), s.warned.all("warnings")
	for i := range s.by {
		s.summary.By = append(s.summary.By, GroupColumn{s.by[i].name, s.by[i].types.result()})
	}
	return s.summary
}
