package distances

import (
	"encoding/binary"
	"reflect"
	"testing"
)

// FuzzKernels holds every set of kernels against the portable one, over lists of
// all lengths.
func FuzzKernels(f *testing.F) {
	f.Add([]byte("0"), uint8(1))
	for n := range 11 {
		seed := make([]byte, 64*n)
		for i := range seed {
			seed[i] = byte(i * i * (n + 3) >> 2)
		}
		f.Add(seed, uint8(n))
	}
	f.Fuzz(func(t *testing.T, data []byte, degree uint8) {
		n := int(degree)%40 + 1
		rows := func(salt int) []row {
			list := make([]row, n+1)
			for i := range list {
				for j := range list[i] {
					at := 8*((i*8+j)*(salt+1)+salt) + salt
					if at+8 <= len(data) {
						list[i][j] = binary.LittleEndian.Uint64(data[at:])
					}
				}
			}
			return list
		}
		type state struct {
			here, seen, next []row
			listed           []bool
			coming           []uint32
			counts           []int
		}
		run := func(k kernels) state {
			s := state{here: rows(0), seen: rows(1), next: rows(2), listed: make([]bool, n+1), coming: make([]uint32, n+2)}
			targets := make([]uint32, n)
			for i := range targets {
				targets[i] = uint32(i)
			}
			if len(data) > 0 {
				s.listed[int(data[0])%n] = true
			}
			for i := range targets {
				all := s.here[(i+1)%n]
				from, to := i%3, n-i%2
				listed := k.push(&s.here[n], targets[from:max(from, to)], s.seen, s.next, s.listed, s.coming)
				s.counts = append(s.counts, listed, k.settle(&s.seen[i], &s.next[i]))
				clear(s.coming[listed:])
				fresh, left := k.pull(&s.seen[n], &all, targets[:i], s.here, &s.next[n])
				s.counts = append(s.counts, fresh)
				if left {
					s.counts = append(s.counts, -1)
				}
			}
			return s
		}
		want := run(portable())
		for _, k := range kernelSets() {
			if got := run(k); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", k.name, got, want)
			}
		}
	})
}
