package thrift

import (
	"slices"
	"testing"
)

func TestWellFormed(t *testing.T) {
	deep := slices.Repeat([]byte{1<<4 | Struct}, 1<<16)
	whole := []byte{1<<4 | Int32, 2, 1<<4 | Binary, 2, 'h', 'i', 1<<4 | List, 2<<4 | Int64, 2, 4, 1<<4 | Map, 1, Int32<<4 | True, 2, 1, 1<<4 | True, 0}
	for _, test := range []struct {
		what string
		data []byte
		want bool
	}{
		{"empty structure", []byte{0}, true},
		{"every kind", whole, true},
		{"nothing", nil, false},
		{"65536 deep", append(deep, make([]byte, len(deep)+1)...), false},
		{"a list that claims 2^32-1 elements", []byte{1<<4 | List, 0xf0 | Struct, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}, false},
		{"an unknown kind", []byte{1<<4 | 13, 0}, false},
	} {
		if got := WellFormed(test.data); got != test.want {
			t.Errorf("%s: %v", test.what, got)
		}
	}
	for n := range whole {
		if WellFormed(whole[:n]) {
			t.Errorf("cut after %d of %d bytes, and well-formed", n, len(whole))
		}
	}
}
