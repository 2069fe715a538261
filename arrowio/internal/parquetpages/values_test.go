package parquetpages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// Byte streams of values of any width, read in random steps.
func TestByteStreamSplit(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for width := 1; width <= 17; width++ {
		const n = 100
		plain := make([]byte, n*width)
		for i := range plain {
			plain[i] = byte(random.Uint32())
		}
		split := make([]byte, 0, len(plain))
		for b := range width {
			for i := range n {
				split = append(split, plain[i*width+b])
			}
		}
		layouts := []Layout{{Bytes: width}}
		if width == 4 || width == 8 {
			layouts = append(layouts, Layout{Integers: true, Bytes: width, Bits: 8 * width, Signed: true})
		}
		for _, layout := range layouts {
			values, err := layout.valuesOf(encodingSplit, split, 1<<40, nil)
			if err != nil {
				t.Fatal(err)
			}
			var column ids.Column
			column.Reset(layout.Integers)
			for column.Len() < n {
				if err := values.read(&column, min(1+random.IntN(20), n-column.Len())); err != nil {
					t.Fatal(err)
				}
			}
			got := column.Bytes
			for _, id := range column.Ints {
				got = append(got, binary.LittleEndian.AppendUint64(nil, id)[:width]...)
			}
			if !bytes.Equal(got, plain) {
				t.Errorf("%d bytes: %x, want %x", width, got, plain)
			}
			if err := values.read(&column, 1); !errors.Is(err, faults.ErrCorrupt) {
				t.Errorf("%d bytes: a value behind the end: %v", width, err)
			}
			if width > 1 {
				cut, _ := layout.valuesOf(encodingSplit, split[:len(split)-1], 1<<40, nil)
				if err := cut.read(&column, 1); !errors.Is(err, faults.ErrCorrupt) {
					t.Errorf("%d bytes, cut: %v", width, err)
				}
			}
		}
	}
}

// Values of every layout in every encoding: the requested ones, or ErrCorrupt.
func FuzzValues(f *testing.F) {
	layouts := []Layout{
		{Integers: true, Bytes: 4, Bits: 32, Signed: true},
		{Integers: true, Bytes: 4, Bits: 8},
		{Integers: true, Bytes: 8, Bits: 64},
		{}, {Bytes: 6}, {Bytes: 16}, {Integers: true, Bits: 1},
	}
	deltas := encodeDeltas([]uint64{3, 0, 7, 1}, 128, 4)
	for layout := range layouts {
		f.Add(uint8(layout), uint8(encodingPlain), []byte("\x02\x00\x00\x00ab\x00\x00\x00\x00 sixteen and more bytes"), uint8(2))
		f.Add(uint8(layout), uint8(encodingSplit), make([]byte, 48), uint8(3))
		f.Add(uint8(layout), uint8(encodingDelta), deltas, uint8(4))
		f.Add(uint8(layout), uint8(encodingDeltaLength), append(bytes.Clone(deltas), "onetwothree"...), uint8(4))
		f.Add(uint8(layout), uint8(encodingDeltaBytes), append(bytes.Clone(deltas), deltas...), uint8(4))
		f.Add(uint8(layout), uint8(encodingDictionary), []byte{2, 6, 1, 3, 0xe4, 0}, uint8(11))
	}
	f.Fuzz(func(t *testing.T, which, encoding uint8, data []byte, n uint8) {
		layout := layouts[int(which)%len(layouts)]
		dictionary := &ids.Column{Ints: []uint64{5, 6, 7}}
		if !layout.Integers {
			dictionary = &ids.Column{Bytes: []byte("sixsix"), Offsets: []int64{0, 6, 6}}
		}
		var column ids.Column
		column.Reset(layout.Integers)
		err := func() (err error) {
			defer faults.Recover(&err)
			values, err := layout.valuesOf(int64(encoding), data, int64(n), dictionary)
			if err != nil {
				return err
			}
			return values.read(&column, int(n))
		}()
		switch {
		case err == nil && column.Len() != int(n):
			t.Errorf("%d values of %d", column.Len(), n)
		case err != nil && !errors.Is(err, faults.ErrCorrupt) && !errors.Is(err, faults.ErrInput):
			t.Errorf("error without a class: %v", err)
		}
	})
}

// Booleans are read in parts of any size, and not beyond the end.
func TestBooleans(t *testing.T) {
	layout := Layout{Integers: true, Bits: 1}
	for name, c := range map[string]struct {
		encoding int64
		data     []byte
		want     []uint64
	}{
		"plain": {encodingPlain, []byte{0b10110010, 0b101}, []uint64{0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0}},
		"runs":  {encodingRLE, []byte{4, 0, 0, 0, 2 * 3, 1, 3, 0b01100101}, []uint64{1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 0}},
	} {
		for part := 1; part <= len(c.want); part++ {
			values, err := layout.valuesOf(c.encoding, c.data, 1<<40, nil)
			if err != nil {
				t.Fatal(name, err)
			}
			var column ids.Column
			column.Reset(true)
			for column.Len() < len(c.want) {
				if err := values.read(&column, min(part, len(c.want)-column.Len())); err != nil {
					t.Fatal(name, err)
				}
			}
			if !slices.Equal(column.Ints, c.want) {
				t.Errorf("%s: %v, want %v", name, column.Ints, c.want)
			}
			if err := values.read(&column, 1); !errors.Is(err, faults.ErrCorrupt) {
				t.Errorf("%s: one more: %v", name, err)
			}
		}
	}
	for name, data := range map[string][]byte{"no length": {1, 0}, "too long": {9, 0, 0, 0, 1}} {
		if _, err := layout.valuesOf(encodingRLE, data, 1<<40, nil); !errors.Is(err, faults.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := layout.valuesOf(encodingDelta, nil, 1<<40, nil); !errors.Is(err, faults.ErrCorrupt) {
		t.Errorf("deltas: %v", err)
	}
}
