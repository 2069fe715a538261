package preprocess

import "slices"

// shortRow is the length below which comparing is faster than counting bytes.
const shortRow = 32

// sortRow sorts a row of vertices below 2^width, with spare of the same length
// as room: bytewise, least significant byte first.
func sortRow(row, spare []uint32, width int) {
	if len(row) < shortRow {
		slices.Sort(row)
		return
	}
	var next [4][256]uint32
	for _, v := range row {
		next[0][v&255]++
		next[1][v>>8&255]++
		next[2][v>>16&255]++
		next[3][v>>24]++
	}
	from, to := row, spare
	for pass := 0; pass*8 < width; pass++ {
		place := uint32(0)
		for i, count := range next[pass] {
			next[pass][i] = place
			place += count
		}
		shift := pass * 8 & 31
		for _, v := range from {
			at := &next[pass][v>>shift&255]
			to[*at] = v
			*at++
		}
		from, to = to, from
	}
	if &from[0] != &row[0] {
		copy(row, from)
	}
}
