//go:build !purego

package lanes

// Tables for the kernels in assembly. They are made once, and then read only.

// Two are for kernels that leave some of eight numbers out: by the set of those, a bit each. keptOf has which of the eight stay, in order, a byte each; keptBefore has, for each of the
// eight, how many of those before it stay.
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

// The others are by lane. shift64 and shift32 have how far a lane's mask bit is from the sign bit: of a number of 64 bits
// in four lines, and of one of 32 in a line. laneBits has its bit of a byte of a mask, and wordLaneBits of a word. goesOn
// keeps the sum of an entry whose rows go on, and nothing before a first row.
var shift64, shift32, laneBits, wordLaneBits, upToEight, goesOn = laneTables()

func laneTables() (shift64 [32]uint64, shift32 [16]uint32, laneBits [8]uint32, wordLaneBits [16]uint16, upToEight [8]uint32, goesOn [8]uint64) {
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
