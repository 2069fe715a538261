package lanes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/pages"
	"bcstage/internal/testgraphs"
)

// Line kernels give the same bits as their twins on frames of arbitrary numbers.
func TestLineKernelsAreTwins(t *testing.T) {
	for seed := range uint64(600 / testgraphs.OneIn) {
		compareLineKernels(t, seed)
	}
}

func FuzzLineKernels(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compareLineKernels(t, seed) })
}

func compareLineKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 15))
	f, rows := randomFrame[float64](r, lineLanes)
	line, n := r.IntN(lineLanes), len(f.weight)
	f.list, f.listMask = nil, nil
	var entries links
	for _, v := range f.vertex {
		mask := r.Uint64() & (r.Uint64() | r.Uint64())
		if r.IntN(3) == 0 {
			mask &^= 0xff << (line * lineLanes)
		}
		for range r.IntN(4) * r.IntN(4) {
			f.list = append(f.list, uint32(r.IntN(n)))
			f.listMask = append(f.listMask, r.Uint64()&r.Uint64()&mask)
		}
		entries.vertex, entries.mask, entries.end = append(entries.vertex, v), append(entries.mask, mask), append(entries.end, uint32(len(f.list)))
		entries.number = append(entries.number, uint32(len(entries.number)))
	}
	end, count := len(f.list), len(entries.vertex)
	for range listedAhead { // numbers behind the end must not count
		f.list, f.listMask = append(f.list, 0), append(f.listMask, r.Uint64())
	}
	for i := range entries.mask[:entries.room(listedAhead)+listedAhead][count:] {
		entries.mask[count+i] = r.Uint64()
	}
	entries.cut(count)
	for i := range f.source {
		f.source[i], f.reached[i], f.got[i] = float64(r.IntN(9)), r.Float64(), r.Float64()
		f.draws[i], f.share[i], f.stretch[i] = float64(r.IntN(4)), r.Float64(), float64(1+r.IntN(9))
	}
	f.drawn, f.squares = make([]float64, n), make([]float64, n)
	f.sums = make([][lineLanes]float64, count)
	for i := range f.sums {
		f.sums[i][r.IntN(lineLanes)] = r.Float64()
	}
	if r.IntN(2) == 0 { // with path counts by entry
		f.counts = make([]uint16, count*MaxLanes)
		for i := range f.counts {
			if entries.mask[i/MaxLanes]>>(i%MaxLanes)&1 == 1 {
				f.counts[i] = uint16(max(1, r.IntN(1<<r.IntN(17))))
			}
		}
	}
	_, to := pages.Aligned([]float64(nil), n*lineLanes)
	_, from := pages.Aligned([]float64(nil), n*lineLanes)
	for i := range from {
		from[i], to[i] = float64(r.IntN(5))*r.Float64(), r.Float64()
	}
	stays := r.IntN(2) == 0
	run := func(set lineKernels, name string, pass func(f *frame, rows []float64, line, entries int)) string {
		c, rows := *f, cloneRows(rows)
		c.scores, c.line, c.sums = slices.Clone(c.scores), lineFrame{}, slices.Clone(c.sums)
		c.drawn, c.squares = slices.Clone(c.drawn), slices.Clone(c.squares)
		if !strings.Contains(name, "sums") {
			c.sums = nil
		}
		if !strings.Contains(name, "rawn") {
			c.drawn = nil
		}
		c.line.room(end, count)
		c.line.roomBefore(end)
		c.line.from, c.line.to = cloneRows(from), cloneRows(to)
		if stays {
			c.line.stays = rows
		}
		if strings.HasSuffix(name, "ByEntry") { // as backwardByEntry takes it
			c.line.stays = nil
		}
		listed := set.keepRows(&c, line, end)
		kept := set.keepEntries(&c, line, &entries)
		c.line.markFirst(kept)
		c.line.sumMemory, c.line.rowSums = pages.Aligned([]float64(nil), (kept+1)*lineLanes)
		set.addLine(&c, listed)
		pass(&c, rows, line, kept)
		return fmt.Sprintln("listed", listed, c.line.rowAt[:listed], "rows", rows, "to", c.line.to, "scores", c.scores, "reached", c.reached, "got", c.got, "entries", c.line.entryAt[:kept], c.line.entryMask[:kept], c.line.entryEnd[:kept],
			"sums", c.sums, "drawn", c.drawn, c.squares)
	}
	want := goLineKernels()
	for _, set := range Sets() {
		for name, pass := range map[string][2]func(f *frame, rows []float64, line, entries int){
			"forward": {set.line.forward, want.forward}, "backward": {set.line.backward, want.backward}, "last": {set.line.last, want.last},
			"backward to sums": {set.line.backward, want.backward},
			"backwardByEntry":  {set.line.backwardByEntry, want.backward}, "to sums, backwardByEntry": {set.line.backwardByEntry, want.backward}, "lastByEntry": {set.line.lastByEntry, want.last},
			"backward, drawn": {set.line.backward, want.backward}, "last, drawn": {set.line.last, want.last},
		} {
			if strings.HasSuffix(name, "ByEntry") && f.counts == nil {
				continue
			}
			if got, want := run(set.line, name, pass[0]), run(want, name, pass[1]); got != want {
				t.Fatalf("%s, seed %d: %s:\n%s\nwant\n%s", set.Name, seed, name, got, want)
			}
		}
	}
}
