//go:build !purego

package lanes

// Tables for the kernels in assembly. They are made once, and then read only.

// keptOf and keptBefore are for kernels that drop some of eight numbers. The index is a mask of the dropped numbers.
// keptOf lists the kept ones, in order, a byte each. keptBefore counts, for each of the eight, the kept ones before it.
var keptOf, keptBefore = keptTables()

func keptTables() (of, before [256]uint64) {
	for out := range of {
		kept := 0
		for i := range 8 {
			before[out] |= uint64(kept) << (8 * i)
			if out>>i&1 == 0 {
				of[out] |= uint64(i) << (8 * kept)
				kept++
			}
		}
	}
	return of, before
}

// The other tables are by lane. The shifts move a lane's mask bit to the sign bit: shift64 in 64-bit numbers of a
// line, shift32 in 32-bit numbers of a line. A lane's bit is in laneBits for a byte of a mask, in wordLaneBits for a
// word. The mask goesOn keeps the sum of an entry whose rows continue, and drops it at a first row.
var shift64, shift32, laneBits, wordLaneBits, upToEight, goesOn = laneTables()

func laneTables() (shift64 [8]uint64, shift32 [16]uint32, laneBits [8]uint32, wordLaneBits [16]uint16, upToEight [8]uint32, goesOn [8]uint64) {
	for i := range shift64 {
		shift64[i] = uint64(63 - i)
	}
	for i := range shift32 {
		shift32[i], wordLaneBits[i] = uint32(31-i), 1<<i
	}
	for i := range upToEight {
		laneBits[i], upToEight[i] = 1<<i, uint32(i)
	}
	for i := range 4 {
		goesOn[i] = ^uint64(0)
	}
	return shift64, shift32, laneBits, wordLaneBits, upToEight, goesOn
}
