package preprocess

// Found is what searches for distances found at one vertex, added up over sources
// that it is not itself. In an undirected graph a distance has no direction, so
// that over all sources these are the vertex's own numbers. Distances are in edges, or
// in what Lengths are multiples of.
type Found struct {
	Reach        uint64  // sources that reach it
	Farness      uint64  // sum of their distances
	Harmonic     uint64  // sum of 1/distance, each rounded to a multiple of 2^-HarmonicBits, in these
	HarmonicHigh uint64  // what of it passes 64 bits: none of mostFound sources or fewer
	Inverse      float64 // by Lengths, the sum of 1/distance, in place of these two
	Eccentricity uint64  // largest distance
}

// HarmonicBits are those behind the point in Found.Harmonic.
const HarmonicBits = 52

// mostFound is how many sources a batch may have for 64 bits to hold their sum of
// inverse distances.
const mostFound = 1 << (63 - HarmonicBits)
