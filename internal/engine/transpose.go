package engine

// Transpose swaps bit j of word i with bit i of word j: H. S. Warren, "Hacker's
// Delight", 2nd ed., 2012, section 7-3.
func Transpose(m *[64]uint64) {
	low := uint64(1)<<32 - 1
	for width := 32; width > 0; width, low = width/2, low^low<<(width/2) {
		for i := 0; i < 64; i = (i + width + 1) &^ width {
			swapped := (m[i]>>width ^ m[i+width]) & low
			m[i] ^= swapped << width
			m[i+width] ^= swapped
		}
	}
}
