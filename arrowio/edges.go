package arrowio

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"
)

// EdgeFormats lists the formats that WriteEdges takes.
func EdgeFormats() []tables.Format {
	return []tables.Format{tables.FormatCSV, tables.FormatEdgeList, tables.FormatArrow, FormatArrowFile, tables.FormatParquet}
}

// WriteEdges writes integer edges as a table of the columns src and dst (an
// edge list has no header), as WriteRows does.
func WriteEdges(ctx context.Context, w io.Writer, format tables.Format, threads int, edges iter.Seq2[uint64, uint64]) error {
	if !slices.Contains(EdgeFormats(), format) {
		return fmt.Errorf("arrowio: %w", faults.Usage("edges in format %q: want one of %q", format, EdgeFormats()))
	}
	return WriteRows(ctx, w, format, threads, tables.Rows{Ends: [2]string{"src", "dst"}, Each: func(yield func([]int64) bool) {
		var row [2]int64
		for u, v := range edges {
			if row = [2]int64{int64(u), int64(v)}; !yield(row[:]) {
				return
			}
		}
	}})
}

// WriteRows is Write of rows, in memory that does not depend on their number. It ends soon after
// ctx does, with ctx.Err().
func WriteRows(ctx context.Context, w io.Writer, format tables.Format, threads int, rows tables.Rows) error {
	return WriteParts(ctx, w, format, func(yield func(tables.Table, error) bool) {
		p := rowParts{Rows: rows, threads: threads, spare: make(chan *rowPart, spareParts)}
		p.begin()
		for row := range rows.Each {
			if p.add(row); p.count == rowGroupRows && !p.send(yield) {
				return
			}
		}
		if p.count > 0 || !p.sent {
			p.send(yield)
		}
	})
}

// rowParts cuts rows into tables of a row group each.
type rowParts struct {
	tables.Rows
	threads int
	*rowPart
	places [2][]uint32 // of the ends' ids in a part
	spare  chan *rowPart
	sent   bool
}

// spareParts is the number of written parts whose memory waits for others. Garbage would be paged in
// and grown again, which takes most of the time of a row.
const spareParts = 16

// rowPart is the columns of a part. Ids of pairs lie as they come: an end, the other, the next row's.
type rowPart struct {
	count  int
	ids    []uint64
	values [][]int64
}

func (p *rowParts) begin() {
	select {
	case p.rowPart = <-p.spare:
	default:
		p.rowPart = &rowPart{values: make([][]int64, len(p.Values))}
	}
	p.count, p.ids = 0, p.ids[:0]
	for i := range p.values {
		p.values[i] = p.values[i][:0]
	}
}

func (p *rowParts) add(row []int64) {
	p.count++
	if p.Ends[0] == "" {
		p.ids, row = append(p.ids, uint64(row[0])), row[1:]
	} else {
		p.ids, row = append(p.ids, uint64(row[0]), uint64(row[1])), row[2:]
	}
	for i, value := range row {
		p.values[i] = append(p.values[i], value)
	}
}

// send yields the part.
func (p *rowParts) send(yield func(tables.Table, error) bool) bool {
	full := p.rowPart
	table := tables.Table{IDs: tables.Keys{Ints: full.ids}, Threads: p.threads, Release: func() {
		select {
		case p.spare <- full:
		default:
		}
	}}
	if p.Ends[0] != "" {
		for i := len(p.places[0]); i < full.count; i++ {
			p.places[0], p.places[1] = append(p.places[0], uint32(2*i)), append(p.places[1], uint32(2*i+1))
		}
		table.Pairs = &tables.Pairs{Names: p.Ends, Ends: [2][]uint32{p.places[0][:full.count], p.places[1][:full.count]}}
	}
	for i, name := range p.Values {
		table.Columns = append(table.Columns, tables.Column{Name: name, Values: tables.Ints(full.values[i])})
	}
	p.sent = true
	more := yield(table, nil)
	p.begin()
	return more
}
