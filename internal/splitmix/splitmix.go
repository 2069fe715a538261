// Package splitmix is SplitMix64, the generator and hash of G. Steele, D. Lea and
// C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. It
// gives the same numbers on every machine, for all draws and hashes from a seed.
package splitmix

// Golden is the increment of the generator's state: 2^64 over the golden ratio.
const Golden = 0x9e3779b97f4a7c15

// Mix returns the output for a state. It is a bijection, and every bit of x
// affects every bit of the output.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Nth returns the number that the generator of seed 0 gives after n others.
func Nth(n uint64) uint64 { return Mix((n + 1) * Golden) }
