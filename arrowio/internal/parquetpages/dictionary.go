package parquetpages

import (
	"slices"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// lookedUp decodes indices into the chunk's dictionary.
type lookedUp struct {
	dictionary *ids.Column
	indices    hybrid
	scratch    []uint32
}

func (l *lookedUp) read(column *ids.Column, n int) error {
	l.scratch = slices.Grow(l.scratch[:0], n)[:n]
	if err := l.indices.read(l.scratch); err != nil {
		return err
	}
	if l.dictionary.Offsets == nil {
		values := l.dictionary.Ints
		ids := column.Grow(n)
		for i, index := range l.scratch {
			if int(index) >= len(values) {
				return faults.Corrupt("dictionary index %d of %d values", index, len(values))
			}
			ids[i] = values[index]
		}
		return nil
	}
	text, offsets := l.dictionary.Bytes, l.dictionary.Offsets
	total := int64(len(column.Bytes))
	for _, index := range l.scratch {
		if int(index) >= len(offsets)-1 {
			return faults.Corrupt("dictionary index %d of %d values", index, len(offsets)-1)
		}
		if total += offsets[index+1] - offsets[index]; total > ids.MaxBytes {
			return ids.TooMuchText()
		}
	}
	column.Room(int(total)-len(column.Bytes), n)
	for _, index := range l.scratch {
		column.AppendText(text[offsets[index]:offsets[index+1]])
	}
	return nil
}
