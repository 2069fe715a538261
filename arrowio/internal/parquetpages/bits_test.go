package parquetpages

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// pack writes the low bits of values one after the other, lowest bit first.
func pack[T uint32 | uint64](values []T, width int) []byte {
	data := make([]byte, (len(values)*width+7)/8)
	for i, v := range values {
		for b := range width {
			if v>>b&1 == 1 {
				data[(i*width+b)/8] |= 1 << ((i*width + b) % 8)
			}
		}
	}
	return data
}

// Runs and packed groups of random lengths, read in random steps.
func TestHybrid(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for width := 0; width <= 32; width++ {
		for range 30 {
			var data []byte
			var want []uint32
			mask := uint32(uint64(1)<<width - 1)
			for range 1 + random.IntN(6) {
				if random.IntN(2) == 0 {
					n, v := 1+random.IntN(40), random.Uint32()&mask
					data = binary.AppendUvarint(data, uint64(n)<<1)
					data = append(data, binary.LittleEndian.AppendUint32(nil, v)[:(width+7)/8]...)
					want = append(want, slices.Repeat([]uint32{v}, n)...)
					continue
				}
				values := make([]uint32, 8*(1+random.IntN(6)))
				for i := range values {
					values[i] = random.Uint32() & mask
				}
				data = binary.AppendUvarint(data, uint64(len(values)/8)<<1|1)
				data = append(data, pack(values, width)...)
				want = append(want, values...)
			}
			h := hybrid{data: data, width: width}
			var got []uint32
			for len(got) < len(want) {
				n := min(1+random.IntN(20), len(want)-len(got))
				value, same, err := h.repeats(n)
				part := slices.Repeat([]uint32{value}, n)
				if !same && err == nil {
					err = h.read(part)
				}
				if err != nil {
					t.Fatalf("width %d: %v", width, err)
				}
				got = append(got, part...)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("width %d: %d, want %d", width, got, want)
			}
			if err := h.read(make([]uint32, 1)); err == nil {
				t.Fatalf("width %d: a value behind the end", width)
			}
		}
	}
}

// The last group may end where the values end, and no earlier.
func TestHybridShortGroup(t *testing.T) {
	values := []uint32{1, 2, 3, 4, 5, 6, 7, 0}
	for width := 3; width <= 32; width++ {
		packed := pack(values, width)
		h := hybrid{data: append([]byte{1<<1 | 1}, packed[:(3*width+7)/8]...), width: width}
		got := make([]uint32, 3)
		if err := h.read(got); err != nil || !slices.Equal(got, values[:3]) {
			t.Errorf("width %d: %d, %v", width, got, err)
		}
		if err := h.read(make([]uint32, 5)); err == nil {
			t.Errorf("width %d: 8 values in the bytes of 3", width)
		}
		h = hybrid{data: append([]byte{2<<1 | 1}, packed...), width: width}
		if err := h.read(make([]uint32, 16)); err == nil {
			t.Errorf("width %d: 16 values in the bytes of 8", width)
		}
	}
}

func TestHybridRefuses(t *testing.T) {
	for what, h := range map[string]hybrid{
		"nothing":         {width: 1},
		"no run":          {data: []byte{0, 1}, width: 1},
		"no groups":       {data: []byte{1, 1}, width: 1},
		"wide value":      {data: []byte{128, 1, 2}, width: 1},
		"groups missing":  {data: []byte{201, 1, 1}, width: 8},
		"value missing":   {data: []byte{4, 1}, width: 9},
		"endless varint":  {data: slices.Repeat([]byte{0x80}, 12), width: 1},
		"groups of width": {data: []byte{0xff, 0xff, 0xff, 0xff, 0xff, 1}, width: 0},
	} {
		if err := h.read(make([]uint32, 64)); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// encodeDeltas is DELTA_BINARY_PACKED by the format's specification.
func encodeDeltas(values []uint64, block, minis int) []byte {
	data := binary.AppendUvarint(nil, uint64(block))
	data = binary.AppendUvarint(data, uint64(minis))
	data = binary.AppendUvarint(data, uint64(len(values)))
	first := uint64(0)
	if len(values) > 0 {
		first = values[0]
	}
	data = binary.AppendVarint(data, int64(first))
	for at := 1; at < len(values); at += block {
		part := values[at:min(at+block, len(values))]
		smallest := int64(part[0] - values[at-1])
		for i := range part {
			smallest = min(smallest, int64(part[i]-values[at+i-1]))
		}
		data = binary.AppendVarint(data, smallest)
		var widths, packed []byte
		for mini := range minis {
			relative := make([]uint64, block/minis)
			width := 0
			for i := range relative {
				if j := mini*len(relative) + i; j < len(part) {
					relative[i] = part[j] - values[at+j-1] - uint64(smallest)
					for relative[i]>>width != 0 && width < 64 {
						width++
					}
				}
			}
			widths = append(widths, byte(width))
			if mini*len(relative) < len(part) {
				packed = append(packed, pack(relative, width)...)
			}
		}
		data = append(append(data, widths...), packed...)
	}
	return data
}

func TestDeltas(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 2, 32, 33, 128, 129, 130, 1000} {
		for bits := 0; bits <= 64; bits += 4 {
			values := make([]uint64, n)
			for i := range values {
				values[i] = random.Uint64() & (uint64(1)<<bits - 1)
				if bits == 64 {
					values[i] = random.Uint64()
				}
			}
			for _, shape := range [][2]int{{128, 4}, {256, 8}, {128, 1}} {
				rest := []byte("what follows")
				d, err := newDeltas(append(encodeDeltas(values, shape[0], shape[1]), rest...), int64(len(values)))
				if err != nil {
					t.Fatal(err)
				}
				scan := *d
				var got []uint64
				for len(got) < n {
					part := make([]uint64, min(1+random.IntN(200), n-len(got)))
					if err := d.read(part); err != nil {
						t.Fatal(err)
					}
					got = append(got, part...)
				}
				if !slices.Equal(got, values) || !slices.Equal(d.rest(), rest) {
					t.Fatalf("%d values of %d bits: %d then %q, want %d", n, bits, got, d.rest(), values)
				}
				if err := scan.skipAll(); err != nil || !slices.Equal(scan.rest(), rest) {
					t.Fatalf("skipping leaves %q, %v", scan.rest(), err)
				}
				if err := d.read(make([]uint64, 1)); err == nil {
					t.Fatal("a value behind the end")
				}
			}
		}
	}
}

func TestDeltasRefuse(t *testing.T) {
	good := encodeDeltas([]uint64{1, 5, 2, 1 << 40}, 128, 4)
	if _, err := newDeltas(good, 3); err == nil {
		t.Error("4 values in a page of 3: no error")
	}
	for n := range good {
		d, err := newDeltas(good[:n], 4)
		if err == nil {
			err = d.read(make([]uint64, 4))
		}
		if err == nil {
			t.Errorf("cut after %d bytes: no error", n)
		}
	}
	for _, head := range [][]uint64{{128, 0, 1, 0}, {0, 1, 1, 0}, {128, 3, 1, 0}, {1 << 40, 1, 1, 0}, {1 << 40, 1 << 35, 1, 0}, {128, 4, 1 << 50, 0}, {12, 1, 1, 0}} {
		var data []byte
		for _, v := range head {
			data = binary.AppendUvarint(data, v)
		}
		if _, err := newDeltas(data, 1<<40); err == nil {
			t.Errorf("%d: no error", head)
		}
	}
}
