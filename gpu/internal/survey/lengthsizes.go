package survey

import "bcstage/preprocess"

// Farthest is more than any distance of 32 bits. Plus a length it does not overflow.
const Farthest = 1<<31 - 1

// LengthSizes are the sizes that determine memory and windows of a block with lengths.
type LengthSizes struct {
	Arcs   int
	Beyond int64 // more than any distance that counts
	Width  int64 // of a window
	Wide   bool  // distances, or lengths, have more than 31 bits
}

// windowArcs is the width of a window in arcs of mean length.
const windowArcs = 4

func lengthSizesOf(b *preprocess.Block) (l LengthSizes) {
	if !b.HasLengths() {
		return l
	}
	sum, longest := 0.0, int64(0)
	for _, length := range b.Lengths {
		sum += float64(length)
		longest = max(longest, length)
	}
	l = LengthSizes{Arcs: len(b.Targets), Beyond: Beyond(b)}
	l.Wide = max(l.Beyond, longest) > Farthest
	l.Width = int64(min(windowArcs*sum/float64(len(b.Lengths)), float64(l.Beyond))) + 1
	return l
}

// Beyond is more than any distance that counts in a block with lengths, or with Decay.
func Beyond(b *preprocess.Block) int64 {
	switch {
	case !b.HasLengths():
		shares, _ := b.Decay.Near()
		return int64(len(shares))
	case b.Cutoff > 0:
		return min(b.LongestWalk(), int64(b.Cutoff)) + 1
	}
	return b.LongestWalk() + 1
}

// MostShares is the largest number of shares by distance that a block has on a device.
const MostShares = 1 << 22

// MarksIn is how many words of marks, for each of two lists, a work-group keeps in `local`
// bytes of local memory; 0 if there is no room. There are only two such numbers: each is a
// program of its own, and an H200 takes most of a second to build it at first use.
func (l LengthSizes) MarksIn(local int64, vertices int) int {
	const rest = 1 << 8 // bytes of local memory beside marks
	for words := 2048; l.Arcs > 0 && int64(2*4*words+rest) <= min(local, mostMarks); words *= 2 {
		if vertices <= words*32 {
			return words
		}
	}
	return 0
}

// mostMarks is the largest number of bytes of local memory for marks, so that a compute
// unit has room for several work-groups.
const mostMarks = 1<<15 + 1<<8
