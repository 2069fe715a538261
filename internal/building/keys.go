package building

import (
	"bytes"
	"errors"
	"fmt"

	"bcstage/internal/budget"
)

// Keys is one column of vertex ids, in one of two forms. Ints holds the 64-bit
// pattern of each integer (the caller knows the sign). Bytes holds the values
// of strings one after the other, value i being Bytes[Offsets[i]:Offsets[i+1]].
type Keys struct {
	Ints    []uint64
	Bytes   []byte
	Offsets []int64
}

// Len is the number of ids in the column.
func (k Keys) Len() int {
	if k.Offsets != nil {
		return len(k.Offsets) - 1
	}
	return len(k.Ints)
}

// ErrKeys says that columns of ids are inconsistent: integers mixed with
// strings, unequal lengths, or offsets out of range.
var ErrKeys = errors.New("invalid id columns")

// admit makes the table for the first column that has rows.
func (in *interner) admit(keys Keys) error {
	if err := keys.Check(); err != nil {
		return err
	}
	if keys.Ints == nil && keys.Offsets == nil {
		return nil
	}
	_, strings := in.table.(*stringTable)
	switch {
	case in.table == nil && keys.Offsets != nil:
		in.table = newStringTable(in.threads)
	case in.table == nil:
		in.table = newIntTable(in.threads)
	case strings != (keys.Offsets != nil):
		return fmt.Errorf("%w: integers and strings", ErrKeys)
	}
	return nil
}

// Check checks that the offsets of strings are in range.
func (k Keys) Check() error {
	if k.Offsets == nil {
		return nil
	}
	if len(k.Offsets) == 0 || k.Ints != nil {
		return fmt.Errorf("%w: neither integers nor strings", ErrKeys)
	}
	for row, end := range k.Offsets[1:] {
		if start := k.Offsets[row]; start < 0 || start > end || end > int64(len(k.Bytes)) {
			return fmt.Errorf("%w: string at row %d: bytes %d to %d of %d", ErrKeys, row, start, end, len(k.Bytes))
		}
	}
	return nil
}

// Held returns the memory of the column.
func (k Keys) Held() int64 {
	return budget.Held(k.Ints) + budget.Held(k.Bytes) + budget.Held(k.Offsets)
}

// equal reports whether two rows have one id.
func (k Keys) equal(a, b int) bool {
	if k.Offsets == nil {
		return k.Ints[a] == k.Ints[b]
	}
	return bytes.Equal(k.at(a), k.at(b))
}

// Pick returns the column of the given rows.
func (k Keys) Pick(rows []uint32) Keys {
	if k.Offsets == nil {
		out := Keys{Ints: make([]uint64, len(rows))}
		for i, row := range rows {
			out.Ints[i] = k.Ints[row]
		}
		return out
	}
	out := Keys{Offsets: make([]int64, len(rows)+1)}
	for i, row := range rows {
		out.Offsets[i+1] = out.Offsets[i] + k.Offsets[row+1] - k.Offsets[row]
	}
	out.Bytes = make([]byte, 0, out.Offsets[len(rows)])
	for _, row := range rows {
		out.Bytes = append(out.Bytes, k.at(int(row))...)
	}
	return out
}
