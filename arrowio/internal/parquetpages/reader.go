// Package parquetpages decodes the pages of Parquet columns with ids. It
// replaces Arrow's column readers, which on pages with a few bits flipped
// allocate without bound, and loop without end.
//
// Flow: page.go reads and decompresses a page, and reader.go separates its levels
// and asks for values. File values.go chooses the decoder: integers.go,
// strings.go or dictionary.go, with the bit packing of hybrid.go and deltas.go.
//
// Errors are of the classes of package faults; decoding may also panic, for
// faults.Recover.
package parquetpages

import (
	"context"
	"encoding/binary"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/internal/budget"
)

// Chunk is the place in the file of the pages of one column of a row group.
type Chunk struct {
	Start, End int64 // pages begin at Start and lie before End
	Codec      int64 // its number in the format
}

// Reader decodes one column, row group after row group. It is for one goroutine;
// Close frees its memory.
type Reader struct {
	Layout
	pages      *pages
	account    *budget.Account
	dictionary *ids.Column // of the row group; nil before its page

	rowsLeft int64 // of the row group, not in a page yet
	pageLeft int64 // of the page
	levels   hybrid
	values   pageValues
	scratch  []uint32
}

// NewReader decodes a column of the file. One compressed byte may become
// expansion bytes (tables.Options.MaxExpansion). The memory of pages is charged
// to the account.
func NewReader(file io.ReaderAt, layout Layout, expansion int, account *budget.Account) (*Reader, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	pages := &pages{file: file, expansion: expansion, zstd: decoder, charge: account.Charge()}
	return &Reader{Layout: layout, pages: pages, account: account}, err
}

// Close ends the reader.
func (c *Reader) Close() {
	c.drop()
	c.pages.charge.Drop()
	c.pages.zstd.Close()
}

// drop frees the dictionary.
func (c *Reader) drop() {
	if c.dictionary != nil {
		c.dictionary.Charge.Drop()
		c.dictionary = nil
	}
}

// Open begins a row group of `rows` rows.
func (c *Reader) Open(in Chunk, rows int64) {
	c.pages.position, c.pages.end, c.pages.codec = in.Start, in.End, in.Codec
	c.drop()
	c.rowsLeft, c.pageLeft = rows, 0
}

// Read replaces the column by the next rows of the row group, at most
// ids.BatchRows. It checks ctx once a page.
func (c *Reader) Read(ctx context.Context, column *ids.Column, rows int) error {
	column.Reset(c.Integers)
	for have := 0; have < rows; {
		if c.pageLeft == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.nextPage(); err != nil {
				return err
			}
			continue
		}
		n := int(min(int64(rows-have), c.pageLeft))
		if err := c.readPage(column, have, n, rows); err != nil {
			return err
		}
		c.pageLeft -= int64(n)
		have += n
	}
	return nil
}

// nextPage decodes one page's header and levels, or the dictionary.
func (c *Reader) nextPage() error {
	h, data, err := c.pages.next()
	if err != nil {
		return err
	}
	switch h.kind {
	case dictionaryPage:
		return c.readDictionary(h, data)
	case dataPage:
		c.levels = hybrid{width: 1}
		if c.Optional && h.values > 0 {
			if h.levels != encodingRLE {
				return faults.Rejected("definition levels of encoding %d", h.levels)
			}
			if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
				return faults.Corrupt("page of %d bytes ends in its levels", len(data))
			}
			length := binary.LittleEndian.Uint32(data)
			c.levels.data = data[4 : 4+length]
			data = data[4+length:]
		}
	case dataPageV2:
		c.levels = hybrid{width: 1, data: data[h.repetition : h.repetition+h.definition]}
		data = data[h.repetition+h.definition:]
	default:
		return nil // an index page, or a page of a later version of the format
	}
	if h.values > c.rowsLeft {
		return faults.Corrupt("pages hold %d rows more than their row group", h.values-c.rowsLeft)
	}
	c.rowsLeft -= h.values
	c.pageLeft = h.values
	c.values, err = c.valuesOf(h.encoding, data, h.values, c.dictionary)
	return err
}

func (c *Reader) readDictionary(h pageHeader, data []byte) error {
	if c.dictionary != nil {
		return faults.Corrupt("two dictionaries in one column chunk")
	}
	if h.encoding != encodingPlain && h.encoding != encodingPlainDictionary {
		return faults.Corrupt("dictionary of encoding %d", h.encoding)
	}
	if h.values > int64(len(data)) {
		return faults.Corrupt("dictionary of %d values in %d bytes", h.values, len(data))
	}
	values, err := c.valuesOf(encodingPlain, data, h.values, nil)
	if err != nil {
		return err
	}
	c.dictionary = &ids.Column{Charge: c.account.Charge()}
	c.dictionary.Reset(c.Integers)
	if err := values.read(c.dictionary, int(h.values)); err != nil {
		return err
	}
	return c.check(c.dictionary.Ints)
}

// readPage appends the next n rows of the page, which become rows [have, have+n)
// of the batch.
func (c *Reader) readPage(column *ids.Column, have, n, rows int) error {
	present := n
	if c.Optional {
		level, same, err := c.levels.repeats(n)
		switch {
		case err != nil:
			return err
		case same && level == 1:
		case same:
			present = 0
			for i := range n {
				column.SetNull(have+i, rows)
			}
		default:
			if present, err = c.readLevels(column, have, n, rows); err != nil {
				return err
			}
		}
	}
	before := len(column.Ints)
	if err := c.values.read(column, present); err != nil {
		return err
	}
	if err := c.check(column.Ints[before:]); err != nil {
		return err
	}
	if present < n {
		column.Spread(have, n, present)
	}
	return nil
}

// readLevels notes which of n rows are null and returns how many are not.
func (c *Reader) readLevels(column *ids.Column, have, n, rows int) (present int, err error) {
	c.scratch = slices.Grow(c.scratch[:0], n)[:n]
	if err := c.levels.read(c.scratch); err != nil {
		return 0, err
	}
	for i, level := range c.scratch {
		if level == 0 {
			column.SetNull(have+i, rows)
		} else {
			present++
		}
	}
	return present, nil
}
