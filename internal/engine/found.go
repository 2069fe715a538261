package engine

import (
	"math/bits"

	"bcstage/internal/parallel"
)

// Found holds the results of distance searches at one vertex, summed over all sources
// but itself. In an undirected graph a distance has no direction, so over all sources
// these are the vertex's own numbers. Distances are in edges, or in the unit of
// Lengths.
type Found struct {
	Reach        uint64  // sources that reach it
	Farness      uint64  // sum of their distances
	Harmonic     uint64  // sum of 1/distance, each rounded to a multiple of 2^-HarmonicBits, in these
	HarmonicHigh uint64  // the bits of the sum beyond 64: none with MostFound sources or fewer
	Inverse      float64 // with Lengths, the sum of 1/distance, in place of these two
	Eccentricity uint64  // largest distance
}

// AddLength adds a distance in the unit of Lengths, with its inverse or without.
func (f *Found) AddLength(distance uint64, inverse bool) {
	f.Reach++
	f.Farness += distance
	f.Eccentricity = max(f.Eccentricity, distance)
	if inverse {
		f.Inverse += 1 / float64(distance)
	}
}

// HarmonicBits is the number of fractional bits of Found.Harmonic.
const HarmonicBits = 52

// MostFound is the largest number of sources of a batch for which 64 bits hold their
// sum of inverse distances.
const MostFound = 1 << (63 - HarmonicBits)

// foundGrain is the number of consecutive vertices that a goroutine takes.
const foundGrain = 1 << 14

// AddFound adds numbers found without lengths, vertex by vertex, on up to threads goroutines. Where
// at is not nil, it adds only at those local vertices: see Result.At.
func AddFound(threads int, to, found []Found, at []uint32) {
	if at != nil {
		for _, v := range at {
			to[v].plus(&found[v])
		}
		return
	}
	parallel.SpreadWhole(threads, len(found), foundGrain, func(lo, hi int) {
		to := to[lo:hi]
		for i := range to {
			to[i].plus(&found[lo+i])
		}
	})
}

func (f *Found) plus(more *Found) {
	f.Reach += more.Reach
	f.Farness += more.Farness
	var carry uint64
	f.Harmonic, carry = bits.Add64(f.Harmonic, more.Harmonic, 0)
	f.HarmonicHigh += more.HarmonicHigh + carry
	f.Eccentricity = max(f.Eccentricity, more.Eccentricity)
}
