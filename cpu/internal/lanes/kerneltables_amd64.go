//go:build !purego

package lanes

// Two tables for the kernels in assembly, which leave some of eight numbers out: by the set of those,
// a bit each. They are made once, and then read only.
//
// keptOf has which of the eight stay, in order, a byte each; keptBefore has, for each of the
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
