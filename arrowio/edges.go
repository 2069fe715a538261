package arrowio

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"
)

// EdgeFormats lists the formats that WriteEdges takes.
func EdgeFormats() []tables.Format {
	return []tables.Format{tables.FormatCSV, tables.FormatEdgeList, tables.FormatArrow, FormatArrowFile, tables.FormatParquet}
}

// WriteEdges writes integer edges as a table of the columns src and dst (an
// edge list has no header), as Write does, in memory that does not depend on
// their number. It ends soon after ctx does, with ctx.Err().
func WriteEdges(ctx context.Context, w io.Writer, format tables.Format, threads int, edges iter.Seq2[uint64, uint64]) error {
	if !slices.Contains(EdgeFormats(), format) {
		return fmt.Errorf("arrowio: %w", faults.Usage("edges in format %q: want one of %q", format, EdgeFormats()))
	}
	return WriteParts(ctx, w, format, edgeParts(threads, edges))
}

// edgeParts cuts edges into tables of a row group each. Ids of a part lie as the edges do: source,
// destination, source, ...
func edgeParts(threads int, edges iter.Seq2[uint64, uint64]) iter.Seq2[tables.Table, error] {
	return func(yield func(tables.Table, error) bool) {
		var spare sync.Pool // of *[]uint64
		var places [2][]uint32
		ids, whole := new([]uint64), false
		flush := func() bool {
			rows := len(*ids) / 2
			for i := len(places[0]); i < rows; i++ {
				places[0], places[1] = append(places[0], uint32(2*i)), append(places[1], uint32(2*i+1))
			}
			full := ids
			whole = yield(tables.Table{
				IDs:     tables.Keys{Ints: *full},
				Pairs:   &tables.Pairs{Names: [2]string{tables.SideSrc, tables.SideDst}, Ends: [2][]uint32{places[0][:rows], places[1][:rows]}},
				Threads: threads,
				Release: func() { spare.Put(full) },
			}, nil)
			if ids, _ = spare.Get().(*[]uint64); ids == nil {
				ids = new([]uint64)
			}
			*ids = (*ids)[:0]
			return whole
		}
		for u, v := range edges {
			if *ids = append(*ids, u, v); len(*ids) == 2*rowGroupRows && !flush() {
				return
			}
		}
		if len(*ids) > 0 || !whole {
			flush()
		}
	}
}
