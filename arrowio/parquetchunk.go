package arrowio

import (
	"context"
	"encoding/binary"
	"slices"
)

// columnChunk decodes one column, row group after row group.
type columnChunk struct {
	idLayout
	pages      *pages
	dictionary *idColumn // of the row group; nil before its page

	rowsLeft int64 // of the row group, not in a page yet
	pageLeft int64 // of the page
	levels   hybrid
	values   pageValues
	scratch  []uint32
}

// open begins a row group.
func (c *columnChunk) open(in extent, rows int64) {
	c.pages.position, c.pages.end, c.pages.codec = in.start, in.end, in.codec
	c.dictionary, c.rowsLeft, c.pageLeft = nil, rows, 0
}

// read replaces the column by the next rows.
func (c *columnChunk) read(ctx context.Context, column *idColumn, rows int) error {
	column.reset(c.integers)
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
func (c *columnChunk) nextPage() error {
	h, data, err := c.pages.next()
	if err != nil {
		return err
	}
	switch h.kind {
	case dictionaryPage:
		return c.readDictionary(h, data)
	case dataPage:
		c.levels = hybrid{width: 1}
		if c.optional && h.values > 0 {
			if h.levels != encodingRLE {
				return rejected("definition levels of encoding %d", h.levels)
			}
			if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
				return corrupt("page of %d bytes ends in its levels", len(data))
			}
			length := binary.LittleEndian.Uint32(data)
			c.levels.data = data[4 : 4+length]
			data = data[4+length:]
		}
	case dataPageV2:
		c.levels = hybrid{width: 1, data: data[h.repetition : h.repetition+h.definition]}
		data = data[h.repetition+h.definition:]
	default:
		return nil // an index page, or of a later version of the format
	}
	if h.values > c.rowsLeft {
		return corrupt("pages hold %d rows more than their row group", h.values-c.rowsLeft)
	}
	c.rowsLeft -= h.values
	c.pageLeft = h.values
	c.values, err = c.valuesOf(h.encoding, data, c.dictionary)
	return err
}

func (c *columnChunk) readDictionary(h pageHeader, data []byte) error {
	if c.dictionary != nil {
		return corrupt("two dictionaries in one column chunk")
	}
	if h.encoding != encodingPlain && h.encoding != encodingPlainDictionary {
		return corrupt("dictionary of encoding %d", h.encoding)
	}
	if h.values > int64(len(data)) {
		return corrupt("dictionary of %d values in %d bytes", h.values, len(data))
	}
	values, err := c.valuesOf(encodingPlain, data, nil)
	if err != nil {
		return err
	}
	c.dictionary = new(idColumn)
	c.dictionary.reset(c.integers)
	if err := values.read(c.dictionary, int(h.values)); err != nil {
		return err
	}
	return c.check(c.dictionary.Ints)
}

// readPage appends the next n rows of the page, which are rows [have, have+n)
// of the batch.
func (c *columnChunk) readPage(column *idColumn, have, n, rows int) error {
	present := n
	if c.optional {
		level, same, err := c.levels.repeats(n)
		switch {
		case err != nil:
			return err
		case same && level == 1:
		case same:
			present = 0
			for i := range n {
				column.setNull(have+i, rows)
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
		column.spread(have, n, present)
	}
	return nil
}

// readLevels notes which of n rows are null and returns how many are not.
func (c *columnChunk) readLevels(column *idColumn, have, n, rows int) (present int, err error) {
	c.scratch = slices.Grow(c.scratch[:0], n)[:n]
	if err := c.levels.read(c.scratch); err != nil {
		return 0, err
	}
	for i, level := range c.scratch {
		if level == 0 {
			column.setNull(have+i, rows)
		} else {
			present++
		}
	}
	return present, nil
}

// spread moves the last present values apart, so that they stand in their rows
// [have, have+n) and the null rows between them are empty.
func (c *idColumn) spread(have, n, present int) {
	if c.Offsets == nil {
		c.grow(n - present)
		for row, value := have+n-1, have+present; row >= have; row-- {
			if c.null[row] {
				c.Ints[row] = 0
			} else {
				value--
				c.Ints[row] = c.Ints[value]
			}
		}
		return
	}
	c.Offsets = slices.Grow(c.Offsets, n-present)[:have+n+1]
	for row, end := have+n-1, have+present; row >= have; row-- {
		c.Offsets[row+1] = c.Offsets[end]
		if !c.null[row] {
			end--
		}
	}
}
