package gpu

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/wave"
)

// flowsTwins is kernels/flows.cl in Go, without WARP. The order of additions is the kernel's.
func flowsTwins(p simProgram, groups [2]int, call any) bool {
	c, is := call.(wave.FlowsSum)
	switch {
	case !is:
		return false
	case groups[0]*p.teams*driver.Team < int(c.Edges):
		panic("flows_sum: edges without a work-item")
	case p.float32:
		flowsSumTwin[float32, float32](p.words, c)
	case p.narrow:
		flowsSumTwin[float64, uint32](p.words, c)
	default:
		flowsSumTwin[float64, float64](p.words, c)
	}
	return true
}

func flowsSumTwin[R real, N real | uint32](words int, c wave.FlowsSum) {
	from, to, of, depths := memory[uint32](c.EdgeFrom), memory[uint32](c.EdgeTo), memory[uint32](c.EdgeOf), memory[uint32](c.Depths)
	mass, flows := memory[float64](c.SourceMass), memory[float64](c.Flows)
	paths, shares := memory[N](c.Paths), memory[R](c.Shares)
	lanes, planes := words*driver.Team, int(c.Planes)
	for e := range c.Edges {
		sum := 0.0
		for pack := int(c.First); pack < int(c.Last); pack++ {
			row := func(v uint32) int { return pack*int(c.N) + int(v) }
			// level is -1 if the lane has not reached the vertex.
			level := func(v uint32, lane int) int {
				bit := func(plane int) int {
					return int(depths[(row(v)*planes+plane)*words+lane/driver.Team] >> (lane % driver.Team) & 1)
				}
				level := bit(0) - 1
				for plane := 1; plane < planes; plane++ {
					level += bit(plane) << (plane - 1)
				}
				return level
			}
			for lane := range lanes {
				a, b := level(from[e], lane), level(to[e], lane)
				if a < 0 || b < 0 {
					continue
				}
				near, far, several := from[e], to[e], 1<<(planes-1)
				switch {
				case (a+1)%several == b:
				case c.Arcs == 0 && (b+1)%several == a:
					near, far = far, near
				default:
					continue
				}
				sum += float64(float64(mass[pack*lanes+lane]*float64(paths[row(near)*lanes+lane])) * float64(shares[row(far)*lanes+lane]))
			}
		}
		number := of[e]
		if c.Begin == 0 {
			sum = flows[number] + sum
		}
		flows[number] = sum
	}
}

// sent is sent of kernels/common.cl.
func sent[R real](mass, d, mu, c R) R {
	if c > 0 {
		return R(R(mass+d)*mu) / c
	}
	return 0
}

// sendRows is the common part of all methods' send kernels. level gives the level of a vertex in a
// lane, -1 if the lane has not reached it, and whether the vertex is the source.
func sendRows[R real](teams, words, planes, n, chunks int, targetMass, multiplicity []float64, paths, shares []R, depths []uint32, parts []float64,
	level func(word, v, lane int) (level int, source bool)) func(word int) {
	return func(word int) {
		pack, k := word/words, word%words
		for c := range chunks {
			for lane := range driver.Team {
				arrived := 0.0
				for t := range teams {
					mine := 0.0
					for v := c*wave.Chunk + t; v < min(n, (c+1)*wave.Chunk); v += teams {
						row := pack*n + v
						at := row*words*driver.Team + k*driver.Team + lane
						switch level, source := level(word, v, lane); {
						case source:
							paths[at] = 1
						case level >= 0:
							mine += targetMass[v]
							paths[at] = sent(R(targetMass[v]), paths[at], R(multiplicity[v]), shares[at])
						}
					}
					arrived += mine
				}
				parts[(word*chunks+c)*2*driver.Team+lane] = 0
				parts[(word*chunks+c)*2*driver.Team+driver.Team+lane] = arrived
			}
		}
		for v := range n {
			for plane := range planes {
				bits := uint32(0)
				for lane := range driver.Team {
					if level, _ := level(word, v, lane); level >= 0 && (plane == 0 || level>>(plane-1)&1 != 0) {
						bits |= 1 << lane
					}
				}
				depths[((pack*n+v)*planes+plane)*words+k] = bits
			}
		}
	}
}
