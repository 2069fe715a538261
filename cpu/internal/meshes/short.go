package meshes

// Short levels have 8 bits. They suffice for sources that lie near one another, and not far
// from any vertex. A row then holds twice as many lanes, two in each number.

const (
	// shortLanes is the number of lanes of a row of short levels.
	shortLanes = 2 * lanes
	// shortFar is the level of unreached vertices, one more than any other.
	shortFar = 1<<8 - 1
)

const (
	// digitLevels is the number of levels of a table of digits.
	digitLevels = 16
	// digitRow is the bytes of the digits of so many inverses.
	digitRow = 8 * digitLevels
)

// digitsOf returns, for each short level, a table of the inverses of the digitLevels levels from there on.
// The table has eight rows, one for each digit of 8 bits, the lowest first. Inverses have seven digits.
func digitsOf(inverses []uint64) []uint8 {
	list := make([]uint8, (shortFar+1)*digitRow)
	for i := range list {
		level, digit := i/digitRow+i%digitLevels, i%digitRow/digitLevels
		list[i] = uint8(inverses[level] >> (8 * digit))
	}
	return list
}

// short returns the short level of a rank in a lane.
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
