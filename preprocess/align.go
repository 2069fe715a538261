package preprocess

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"

	"bcstage/internal/parallel"
)

// alignment says at which levels the sources of all batches start.
type alignment struct {
	farness []uint16 // by vertex
	levels  int      // sum over all batches, counted at every landmark
	most    int      // the largest of one batch
}

// entries of the largest batch, if all n vertices behave like the landmarks.
func (a alignment) entries(n int) int { return (a.most*n + landmarks - 1) / landmarks }

// align gives each source of each batch its farness, one source after the other, so that the source adds
// as few levels as possible at the landmarks. In a bipartite graph, such as a grid, a batch then never
// mixes odd and even levels.
func align(ctx context.Context, of []distances, order []uint32, batches, threads int) (alignment, error) {
	a := alignment{farness: make([]uint16, len(of))}
	levels := make([]int, batches)
	err := parallel.Each(ctx, threads, batches, func(_, i int) {
		first, end := batchBounds(len(order), batches, i)
		levels[i] = alignBatch(of, order[first:end], a.farness)
	})
	for _, count := range levels {
		a.levels += count
		a.most = max(a.most, count)
	}
	return a, err
}

// alignBatch returns the batch's levels at all landmarks.
func alignBatch(of []distances, sources []uint32, farness []uint16) (total int) {
	const middle = 32
	var levels [landmarks]uint64 // bit i: level i-middle beyond that of the first source
	var met [32]uint8            // landmarks whose level is met, by the distance of a try from the last one
	first := &of[sources[0]]
	ahead := make([]int, len(sources))
	least := 0
	for i, v := range sources {
		var beyond [landmarks]int
		low, high, sum := math.MaxInt, math.MinInt, 0
		for j, d := range of[v] {
			beyond[j] = int(d) - int(first[j])
			low, high, sum = min(low, beyond[j]), max(high, beyond[j]), sum+beyond[j]
		}
		best, fewest := 0, int64(math.MaxInt64)
		mean := sum / landmarks
		if sum < mean*landmarks {
			mean-- // rounded down
		}
		narrow := high-low < middle
		if narrow {
			countMet(&met, &levels, &beyond, high-middle, high-low+1)
		}
		for try, next := low, 0; try <= high; try = next {
			fresh := landmarks
			if next = try + 1; narrow {
				fresh -= int(met[high-try])
			} else {
				fresh, next = countFar(&levels, &beyond, try, mean, middle)
			}
			// Of equal choices, the one nearest to the mean.
			if cost := int64(fresh)<<32 + int64(max(try*landmarks-sum, sum-try*landmarks)); cost < fewest {
				best, fewest = try, cost
			}
		}
		ahead[i], least = best, min(least, best)
		for j, x := range beyond {
			levels[j] |= 1 << uint(x-best+middle)
		}
	}
	var capped [landmarks]int // sources whose distance from the landmark is capped
	for i, v := range sources {
		farness[v] = uint16(min(ahead[i]-least, math.MaxUint16))
		for j, d := range of[v] {
			if d == farthest {
				capped[j]++
			}
		}
	}
	for j, set := range levels {
		total += bits.OnesCount64(set) + max(capped[j]-1, 0) // each may have a level of its own there
	}
	return total
}

// countFar counts, for one try, the landmarks at which the level of a source would be new, and returns the
// next try to look at. Where no level kept is near, all tries are equal except those next to the mean.
// Skipping them matters: a source may have 65 000 tries where a detour is long.
func countFar(levels *[landmarks]uint64, beyond *[landmarks]int, try, mean, middle int) (fresh, next int) {
	fresh, next = landmarks, math.MaxInt
	for j, x := range beyond {
		switch at := x - try + middle; {
		case at >= 64:
			next = min(next, x+middle-63)
		case at >= 0:
			fresh -= int(levels[j] >> uint(at) & 1)
			next = try + 1
		}
	}
	if try < mean+1 {
		next = min(next, max(try+1, mean))
	}
	return fresh, next
}

// countMet counts, for each of a number of tries before the last, the landmarks at which the source would
// meet a level that is there already. That level is bit x-base of the landmark's levels for the last try,
// and a bit higher for each try before it. Eight counts, a byte each, are added at a time.
func countMet(met *[32]uint8, levels *[landmarks]uint64, beyond *[landmarks]int, base, tries int) {
	for first := 0; first < tries; first += 8 {
		sum := uint64(0)
		for j, x := range beyond {
			sum += spreadBits[uint8(levels[j]>>(uint(x-base+first)&63))]
		}
		binary.LittleEndian.PutUint64(met[first:], sum)
	}
}

// spreadBits spreads the bits of a byte over the bytes of a word.
var spreadBits = func() (words [256]uint64) {
	for bits := range words {
		for i := range 8 {
			words[bits] |= uint64(bits>>i&1) << (8 * i)
		}
	}
	return words
}()
