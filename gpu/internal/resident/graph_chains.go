package resident

import (
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/preprocess"
)

// chainParts are the arrays of a block with chains that kernels read.
func chainParts(b *preprocess.Block) []Part {
	c := b.Chains
	junctions := len(c.Junctions)
	first := make([]uint32, junctions+1)
	for _, ends := range c.Ends {
		first[ends[0]+1]++
		first[ends[1]+1]++
	}
	for j := range junctions {
		first[j+1] += first[j]
	}
	next := slices.Clone(first)
	arms := 2 * len(c.Ends)
	to, length, chain, end := make([]uint32, arms), make([]uint32, arms), make([]uint32, arms), make([]uint32, arms)
	spots, weight, weights := make([]uint32, 0, 4*len(c.Inner)), make([]float64, b.Vertices()), make([]float64, len(c.Inner))
	for j, v := range c.Junctions {
		weight[j] = b.To[v]
	}
	for e, ends := range c.Ends {
		for side, j := range ends {
			at := next[j]
			next[j]++
			to[at], length[at], chain[at] = ends[1-side], uint32(c.Length(e)), uint32(2*e+side)
			end[2*e+side] = j
		}
		sum := 0.0
		for k := c.First[e]; k < c.First[e+1]; k++ {
			spots = append(spots, ends[0], ends[1], k-c.First[e]+1, uint32(c.Length(e)))
			weight[junctions+int(k)] = b.To[c.Inner[k]]
			sum += b.To[c.Inner[k]]
			weights[k] = sum
		}
	}
	return []Part{
		{"ArmFirst", driver.Bytes(first)}, {"ArmTo", driver.Bytes(to)}, {"ArmLength", driver.Bytes(length)}, {"ArmChain", driver.Bytes(chain)},
		{"ChainFirst", driver.Bytes(c.First)}, {"ChainEnd", driver.Bytes(end)}, {"Spots", driver.Bytes(spots)},
		{"Weight", driver.Bytes(weight)}, {"Weights", driver.Bytes(weights)},
	}
}
