package meshes

// Short levels are those of 8 bits: the sources of a ball that lie near to one another and not far
// from anything have no others, and a row holds twice as many lanes of them, two in each number.

const (
	// shortLanes is how many lanes a row has.
	shortLanes = 2 * lanes
	// shortFar is the level of what has not been reached, and one more than any other.
	shortFar = 1<<8 - 1
)

const (
	// digitLevels is how many levels a table of digits is for.
	digitLevels = 16
	// digitRow is how many bytes the digits of that many inverses take.
	digitRow = 8 * digitLevels
)

// digitsOf gives, for each short level, tables of the inverses from there on: for each of their eight digits
// of 8 bits, the lowest first, those of so many levels. Inverses have seven.
func digitsOf(inverses []uint64) []uint8 {
	list := make([]uint8, (shortFar+1)*digitRow)
	for i := range list {
		level, digit := i/digitRow+i%digitLevels, i%digitRow/digitLevels
		list[i] = uint8(inverses[level] >> (8 * digit))
	}
	return list
}

// short is the level of a rank in a lane.
func (f *frame) short(r uint32, lane int) uint8 {
	return uint8(f.levelsOf(r)[lane/2] >> (8 * (lane % 2)))
}

func (f *frame) setShort(r uint32, lane int, level uint8) {
	x, shift := &f.levelsOf(r)[lane/2], 8*(lane%2)
	*x = *x&^(0xff<<shift) | uint16(level)<<shift
}

func relaxShort(f *frame, list, changed []uint32) (count int) {
	for _, r := range list {
		least, lower := [shortLanes]uint8{}, false
		for i := range least {
			least[i] = shortFar - 1
		}
		for _, u := range f.neighbours(r) {
			for i := range least {
				least[i] = min(least[i], f.short(u, i))
			}
		}
		for i, x := range least {
			if x+1 < f.short(r, i) {
				f.setShort(r, i, x+1)
				lower = true
			}
		}
		changed[count] = r
		if lower {
			count++
		}
	}
	return count
}

func collectShort(f *frame, inverses []uint64, from, to int) {
	for r := from; r < to; r++ {
		for i := range shortLanes {
			x := f.short(uint32(r), i)
			f.sums[r] += uint32(x)
			f.most[r] = max(f.most[r], uint32(x))
			f.inverse[r] += inverses[x]
		}
	}
}
