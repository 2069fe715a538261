// Package edgetable is the part that readers of all formats share: the options they use,
// the choice of columns by name, and the funnel that takes their batches.
//
// Flow: a reader asks Options for its columns, and gives the Funnel their types, the
// unread columns and notes. Then it sends batches. The Funnel adds the names of graphs
// from paths, merges types over all inputs, counts, and hands the batches on. Finish is
// the Summary.
//
// Units: a row is an edge as given, or a vertex of a vertex table.
//
// Ownership: Send gives a Batch away, even when it fails. A Funnel is for one goroutine.
//
// Complexity: constant per batch, except ids that become text.
package edgetable

import (
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// Funnel takes the batches that readers make from one or more inputs, merges the id types,
// counts, and sends the batches on.
type Funnel struct {
	Opts  *Options
	edges chan<- tables.Batch

	// Of the current input:
	Input    string // its name
	Path     string
	Vertices bool // it is a vertex table: one column of ids, no edges

	IDs     idtypes.Merged
	By      []groupColumn
	Summary tables.Summary
	Notes   notes
	ways    bool // a column says which way edges run
	warned  notes
	unused  unused
}

func NewFunnel(edges chan<- tables.Batch, o *Options, paths []string) *Funnel {
	return &Funnel{Opts: o, edges: edges, IDs: idtypes.Merged{Decimal: o.IDs == tables.IDsString}, By: newGroupColumns(o, paths)}
}

// Format is the format of the current input as asked for. That of a vertex table is found out.
func (f *Funnel) Format() tables.Format {
	if f.Vertices {
		return tables.FormatAuto
	}
	return f.Opts.Format
}

// mostNotes is how many notes of a kind are kept: a folder may have thousands of files.
const mostNotes = 20

// notes is a list of lines of bounded length.
type notes struct {
	lines []string
	more  int // beyond mostNotes
}

func (n *notes) Add(line string) {
	if len(n.lines) == mostNotes {
		n.more++
		return
	}
	n.lines = append(n.lines, line)
}

// all lists the lines; kind names the omitted ones.
func (n *notes) all(kind string) []string {
	if n.more == 0 {
		return n.lines
	}
	return append(slices.Clip(n.lines), fmt.Sprintf("and %d %s more", n.more, kind))
}

// Integers notes the signs of a column's ids in one batch, before it is sent. It is needed
// for signed columns of any width and for unsigned ones of 64 bits.
func (f *Funnel) Integers(types *idtypes.Merged, name string, ids []uint64, signed bool) error {
	var or uint64
	for _, id := range ids {
		or |= id
	}
	top := or>>63 != 0
	if err := types.Sees(f.Input, top && signed, top && !signed); err != nil {
		return fmt.Errorf("column %q: %w", name, err)
	}
	return nil
}

// Dropped counts rows that the null policy dropped.
func (f *Funnel) Dropped(rows int64) { f.Summary.NullsDropped += rows }

// Note adds one line to Summary.Notes, after the input's name.
func (f *Funnel) Note(format string, args ...any) {
	f.Notes.Add(f.Input + ": " + fmt.Sprintf(format, args...))
}

// Warn adds one line to Summary.Warnings, after the input's name. Only a fact that may
// change the answer from the one the user expects deserves a warning.
func (f *Funnel) Warn(format string, args ...any) {
	f.warned.Add(f.Input + ": " + fmt.Sprintf(format, args...))
}

// Send gives a batch away, even when it fails because ctx ended. An empty batch is
// released at once.
func (f *Funnel) Send(ctx context.Context, b tables.Batch) error {
	rows := int64(b.Src.Len())
	if rows == 0 && b.Vertices.Len() == 0 && b.Declared == 0 {
		b.Release()
		return nil
	}
	if f.IDs.Decimal {
		b.Src, b.Dst, b.Vertices = decimal(b.Src), decimal(b.Dst), decimal(b.Vertices)
	}
	if of := max(b.Src.Len(), b.Vertices.Len()); !f.addGroups(&b, of) {
		f.Dropped(int64(of))
		b.Release()
		return nil
	}
	if ctx.Err() == nil { // otherwise a ready receiver might win again and again
		select {
		case f.edges <- b:
			f.Summary.Rows += rows
			return nil
		case <-ctx.Done():
		}
	}
	b.Release()
	return ctx.Err()
}

// decimal turns a column of numbers from 1 on, of a format without other ids, into text;
// it returns text as it is.
func decimal(k ids.Keys) ids.Keys {
	if len(k.Ints) == 0 {
		return k
	}
	c := ids.Column{Ints: k.Ints}
	c.Decimal(false)
	return c.Keys()
}

// Finish is the summary of all that was sent.
func (f *Funnel) Finish() tables.Summary {
	f.Summary.IDs = f.IDs.Result()
	f.Summary.Notes, f.Summary.Warnings = f.Notes.all("notes"), f.warned.all("warnings")
	for i := range f.By {
		f.Summary.By = append(f.Summary.By, tables.GroupColumn{Name: f.By[i].name, Type: f.By[i].Types.Result()})
	}
	return f.Summary
}
