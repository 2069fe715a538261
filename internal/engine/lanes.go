package engine

// MaxLanes is the largest number of sources in a batch: one bit each of a
// 64-bit mask.
const MaxLanes = 64

// DistanceLanes is the number of sources that share a row of bits: the bits of a cache line.
const DistanceLanes = 512

// DrawnLanes is how many drawn sources of a deep block the CPU engine searches together.
const DrawnLanes = 16

// MostPaths is the largest path count: its inverse, or that of the sum of a few, must be a normal number.
const MostPaths = 1e300

// MostDecayed is the largest path count by which a share of a mass can be divided without losing digits.
const MostDecayed = 1e150

// Tiny reports whether a mass is so small that it, too, is not divided by larger path counts.
func Tiny(mass float64) bool { return mass > 0 && mass < 1 }
