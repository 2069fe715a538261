package preprocess

// Found holds the results of distance searches at one vertex, summed over all sources
// but itself. In an undirected graph a distance has no direction, so over all sources
// these are the vertex's own numbers. Distances are in edges, or in the unit of
// Lengths.
type Found struct {
	Reach        uint64  // sources that reach it
	Farness      uint64  // sum of their distances
	Harmonic     uint64  // sum of 1/distance, each rounded to a multiple of 2^-HarmonicBits, in these
	HarmonicHigh uint64  // the bits of the sum beyond 64: none with mostFound sources or fewer
	Inverse      float64 // with Lengths, the sum of 1/distance, in place of these two
	Eccentricity uint64  // largest distance
}

// HarmonicBits is the number of fractional bits of Found.Harmonic.
const HarmonicBits = 52

// mostFound is the largest number of sources of a batch for which 64 bits hold their
// sum of inverse distances.
const mostFound = 1 << (63 - HarmonicBits)
