package distances

import (
	"encoding/binary"
	"reflect"
	"testing"

	"bcstage/internal/engine"
)

// FuzzKernels compares every set of kernels with the portable one, on lists of
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
			frame                frame
			coming, left, closed []uint32
			counts               []int
		}
		run := func(k kernels) state {
			var s state
			for _, list := range []*[]uint32{&s.coming, &s.left, &s.closed} {
				*list = make([]uint32, n+2)
			}
			s.frame = frame{before: rows(0), seen: rows(1), next: rows(2), here: rows(3), listed: make([]bool, n+1), found: make([]engine.Found, n+1), level: 3, inverse: 1 << 50}
			targets := make([]uint32, n)
			for i := range targets {
				targets[i] = uint32(i)
				s.frame.offsets = append(s.frame.offsets, int64(len(s.frame.targets)))
				s.frame.targets = append(s.frame.targets, targets[i%3:max(i%3, n-i%2-i*7%n)]...)
			}
			s.frame.offsets = append(s.frame.offsets, int64(len(s.frame.targets)))
			if len(data) > 0 {
				s.frame.listed[int(data[0])%n] = true
			}
			s.frame.heads, s.frame.tips = s.frame.offsets, s.frame.targets
			for i := range targets {
				listed := k.push(&s.frame, targets[i/2:i], s.coming)
				s.counts = append(s.counts, listed)
				clear(s.coming[listed:])
				if i%2 == 0 {
					k.settle(&s.frame, s.coming[:listed])
				}
				s.frame.here[i] = s.frame.before[(i+1)%n]
			}
			for i := range targets {
				s.frame.all = s.frame.before[(i+1)%n]
				s.frame.level++
				list := targets[i/2:]
				kept, fresh := k.pull(&s.frame, list, s.left, s.coming, s.closed)
				clear(s.left[kept:])
				clear(s.coming[fresh:])
				clear(s.closed[len(list)-kept:])
				s.counts = append(s.counts, kept, fresh)
				s.frame.scratch = row{}
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
