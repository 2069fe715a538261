package ids

// UUIDBytes is the length of a UUID (RFC 9562).
const UUIDBytes = 16

// NullPartition is how writers of partitioned tables spell a null.
const NullPartition = "__HIVE_DEFAULT_PARTITION__"

// Keys is one column of vertex ids: see tables.Keys.
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

// Text is the text of a row.
func Text(k Keys, row int) []byte { return k.Bytes[k.Offsets[row]:k.Offsets[row+1]] }

// Append appends ids of the same form.
func Append(k *Keys, more Keys) {
	k.Ints = append(k.Ints, more.Ints...)
	if more.Offsets == nil {
		return
	}
	base := int64(len(k.Bytes))
	k.Bytes = append(k.Bytes, more.Bytes...)
	for _, end := range more.Offsets[1:] {
		k.Offsets = append(k.Offsets, base+end)
	}
}

// Slice is rows [from, to) of a column.
func Slice(k Keys, from, to int) Keys {
	if k.Offsets == nil {
		return Keys{Ints: k.Ints[from:to]}
	}
	start := k.Offsets[from]
	out := Keys{Bytes: k.Bytes[start:k.Offsets[to]]}
	for _, end := range k.Offsets[from : to+1] {
		out.Offsets = append(out.Offsets, end-start)
	}
	return out
}

// Keys is the column without its nulls, for a batch: integers or strings, without
// the unused memory of the other form.
func (c *Column) Keys() Keys {
	if c.Offsets != nil {
		return Keys{Bytes: c.Bytes, Offsets: c.Offsets}
	}
	return Keys{Ints: c.Ints}
}

// Pick is a column with some of the rows.
func Pick(k Keys, rows []uint32) Keys {
	if k.Offsets == nil {
		ints := make([]uint64, len(rows))
		for i, row := range rows {
			ints[i] = k.Ints[row]
		}
		return Keys{Ints: ints}
	}
	some := Keys{Offsets: make([]int64, 1, len(rows)+1)}
	for _, row := range rows {
		some.Bytes = append(some.Bytes, Text(k, int(row))...)
		some.Offsets = append(some.Offsets, int64(len(some.Bytes)))
	}
	return some
}
