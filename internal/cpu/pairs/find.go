package pairs

import "math/bits"

// together is the number of simultaneous searches, so that their waits for memory overlap.
// Their number of steps does not depend on what they find: there is no branch for a processor
// to predict wrongly.
const together = 8

// perStep is the number of neighbours of a vertex that are scanned in the time of one step of
// a search.
const perStep = 2

// searchSteps is the number of steps to search for the members of the shorter of two sorted
// lists in the longer.
func searchSteps(a, b int) int {
	return min(a, b) * bits.Len(uint(max(a, b)))
}

// eachIn calls found with the place of every vertex of a list that is in a sorted row.
func eachIn(row, list []uint32, found func(i int)) {
	if len(row) == 0 {
		return
	}
	for first := 0; first < len(list); first += together {
		var v [together]uint32
		var rows [together][]uint32
		n := copy(v[:], list[first:])
		for i := range rows {
			rows[i] = row
		}
		in := among(&rows, &v)
		for in &= 1<<n - 1; in != 0; in &= in - 1 {
			found(first + bits.TrailingZeros(in))
		}
	}
}

// among reports which vertices are in their sorted rows, a bit each; an empty row has none.
func among(rows *[together][]uint32, v *[together]uint32) (in uint) {
	var at [together]int // the last place known to hold at most v, or 0
	longest := 0
	for _, row := range rows {
		longest = max(longest, len(row))
	}
	for n := longest; n > 1; {
		half := n / 2
		for i, row := range rows {
			if next := at[i] + half; next < len(row) {
				at[i] += half &^ int((int64(v[i])-int64(row[next]))>>63) // if row[next] <= v
			}
		}
		n -= half
	}
	for i, row := range rows {
		if at[i] < len(row) && row[at[i]] == v[i] {
			in |= 1 << i
		}
	}
	return in
}
