package lanes

import "math/bits"

// entryKernels are the inner loops of byEntries, for 64 lanes. They compute the numbers of kernels, to the
// same bits.
type entryKernels struct {
	// list is lineKernels.listOut.
	list func(f *frame, from, to, out, rows, enough int) (at, end, listed int)
	// count stores S of the entries from..to-1 in counts, or manyPaths if that is less, and adds to mass. The first
	// listed rows belong to entry from. count also raises most, and stores the entries of vertices in entryNext.
	count func(f *frame, from, to int)
	// back has the backward kernels, which take S from counts.
	back kernels[float64]
}

// portableEntries returns the kernels that run on all processors, the twins of all others.
func portableEntries() *entryKernels {
	return &entryKernels{listOut, countEntries, goKernels[float64]()}
}

func countEntries(f *frame, from, to int) {
	for i := from; i < to; i++ {
		v, part := f.vertex[i], f.parts[i]
		var sum [MaxLanes]uint64
		for k, u := range f.list[part[0]:part[1]] {
			row := f.counts[int(f.entryHere[u])*MaxLanes:][:MaxLanes]
			for left := f.listMask[int(part[0])+k]; left != 0; left &= left - 1 { // other lanes are not needed
				lane := bits.TrailingZeros64(left)
				sum[lane] += uint64(row[lane])
			}
		}
		row, mu := f.counts[i*MaxLanes:][:MaxLanes], uint64(f.members(v))
		clear(row)
		for left := f.mask[i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			row[lane] = uint16(min(min(sum[lane], manyPaths)*mu, manyPaths))
			f.most[lane%16] = max(f.most[lane%16], row[lane])
			f.mass[lane] += uint32(f.weight[v])
		}
		f.entryNext[v] = uint32(i)
	}
}
