package arrowio

import (
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/internal/ids"
)

// A funnel takes the batches that readers make from one or more inputs, merges
// the id types, counts, and sends the batches on.
type funnel struct {
	opts  *readOptions
	edges chan<- Batch

	// Of the input that is being read:
	input    string // its name
	path     string
	vertices bool // it is a vertex table: one column of ids, no edges

	ids     idTypes
	by      []groupColumn
	summary Summary
	notes   notes
	warned  notes
	unused  unused
}

func newFunnel(edges chan<- Batch, o *readOptions, paths []string) *funnel {
	return &funnel{opts: o, edges: edges, ids: idTypes{decimal: o.IDs == IDsString}, by: newGroupColumns(o, paths)}
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
func (f *funnel) integers(types *idTypes, name string, ids []uint64, signed bool) error {
	var or uint64
	for _, id := range ids {
		or |= id
	}
	top := or>>63 != 0
	if err := types.sees(f.input, top && signed, top && !signed); err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	return nil
}

// dropped counts rows that the null policy left out.
func (f *funnel) dropped(rows int64) { f.summary.NullsDropped += rows }

// note adds one line to Summary.Notes, after the input's name.
func (f *funnel) note(format string, args ...any) {
	f.notes.add(f.input + ": " + fmt.Sprintf(format, args...))
}

// warn adds one line to Summary.Warnings, after the input's name. Only what may
// make the answer another than the user expects is worth a warning.
func (f *funnel) warn(format string, args ...any) {
	f.warned.add(f.input + ": " + fmt.Sprintf(format, args...))
}

// send gives a batch away, also when it fails because ctx ended. An empty
// batch is released at once.
func (f *funnel) send(ctx context.Context, b Batch) error {
	rows := int64(b.Src.Len())
	if rows == 0 && b.Vertices.Len() == 0 && b.Declared == 0 {
		b.Release()
		return nil
	}
	if f.ids.decimal {
		b.Src, b.Dst, b.Vertices = decimal(b.Src), decimal(b.Dst), decimal(b.Vertices)
	}
	if of := max(b.Src.Len(), b.Vertices.Len()); !f.addGroups(&b, of) {
		f.dropped(int64(of))
		b.Release()
		return nil
	}
	if ctx.Err() == nil { // or a receiver that is ready might win time and again
		select {
		case f.edges <- b:
			f.summary.Rows += rows
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
func (f *funnel) finish() Summary {
	f.summary.IDs = f.ids.result()
	f.summary.Notes, f.summary.Warnings = f.notes.all("notes"), f.warned.all("warnings")
	for i := range f.by {
		f.summary.By = append(f.summary.By, GroupColumn{f.by[i].name, f.by[i].types.result()})
	}
	return f.summary
}
