package building

// Distinct is a set of strings, numbered in first-seen order. It is for use by one
// goroutine.
type Distinct struct {
	in  interner
	out []uint32 // scratch
}

// NewDistinct returns an empty set.
func NewDistinct() *Distinct {
	return &Distinct{in: interner{threads: 1, table: newStringTable(1)}}
}

// Add adds strings, which are copied. The error is ErrKeys.
func (d *Distinct) Add(ids Keys) error {
	if ids.Len() == 0 {
		return nil
	}
	if err := d.in.admit(ids); err != nil {
		return err
	}
	d.out = withRoom(d.out[:0], ids.Len())[:ids.Len()]
	d.in.number(ids, Keys{}, d.out, nil)
	return nil
}

// Find returns the number of a string in the set, from 0.
func (d *Distinct) Find(id []byte) (number int, ok bool) {
	var out [1]uint32
	var misses [1]miss
	ok = len(d.in.table.find(Keys{Bytes: id, Offsets: []int64{0, int64(len(id))}}, out[:], misses[:0])) == 0
	return int(out[0]), ok
}

// Keys returns the strings by number. They are the set's own.
func (d *Distinct) Keys() Keys { return d.in.table.ids() }

// Bytes returns the most memory that the set takes while it adds ids, if it lacks all of
// them.
func (d *Distinct) Bytes(ids Keys) int64 {
	text := 0
	if n := ids.Len(); n > 0 {
		text = int(ids.Offsets[n] - ids.Offsets[0])
	}
	most, _ := d.in.table.(*stringTable).bytesWith(ids.Len(), text)
	return most + 4*int64(max(cap(d.out), ids.Len()))
}
