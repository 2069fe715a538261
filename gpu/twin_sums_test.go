package gpu

import (
	"math"
	"unsafe"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/wave"
)

// sumsTwins is kernels/sums.cl and fill in Go. The order of additions is the kernels'.
func sumsTwins(p simProgram, _ [2]int, call any) bool {
	switch c := call.(type) {
	case wave.Fill:
		out := memory[uint32](c.Out)
		for i := range c.Words {
			out[i] = c.Value
		}
	case wave.FoldParts:
		foldPartsTwin(p.teams, c)
	case wave.FoldRows:
		foldRowsTwin(c)
	default:
		return false
	}
	return true
}

func foldPartsTwin(teams int, c wave.FoldParts) {
	parts, sums := memory[float64](c.Parts), memory[float64](c.Sums)
	words, chunks := int(c.Words), int(c.Chunks)
	for word := range words {
		for side := range 2 {
			for lane := range driver.Team {
				sum := 0.0
				for t := range teams {
					teamSum := 0.0
					for c := t; c < chunks; c += teams {
						teamSum += parts[((word*chunks+c)*2+side)*driver.Team+lane]
					}
					sum += teamSum
				}
				sums[(side*words+word)*driver.Team+lane] = sum
			}
		}
	}
}

func foldRowsTwin(c wave.FoldRows) {
	multiplicity, rows, scores := memory[float64](c.Multiplicity), memory[float64](c.Rows), memory[float64](c.Scores)
	for v := range c.N {
		sum := 0.0
		for word := c.First; word < c.Last; word++ {
			sum += rows[word*c.N+v]
		}
		scores[v] = sum / multiplicity[v]
	}
}

// pieceFrom and gain are piece_from and gain of kernels/common.cl.
func pieceFrom[R sums](sum R) R {
	if compensated[R]() {
		return 0
	}
	return sum
}

func gain[R sums](sum, lost *R, piece R) {
	if !compensated[R]() {
		*sum = piece
		return
	}
	x := piece - *lost
	all := *sum + x
	*lost = (all - *sum) - x
	*sum = all
}

func compensated[R sums]() bool { return unsafe.Sizeof(R(0)) == 4 }

// sums are the types in which rows are added up.
type sums interface{ real | uint64 }

// settle turns a path count into a dependency and its share.
func settle[R real](paths, shares *R, sum, mass, times R) {
	if *paths < 1 {
		panic("a vertex that was reached has no shortest path")
	}
	settleCount(*paths, paths, shares, sum, mass, times)
}

// settleCount is settle where counts are kept apart from dependencies. A count that
// overflowed may be 0.
func settleCount[R real](s R, paths, shares *R, sum, mass, times R) {
	d := R(s * sum)
	*shares = R(R(mass+d)*times) / s
	*paths = d
}

// less is less of kernels/common.cl.
func less[R real](c, d, mass, rest R) R { return R(c * (R(rest+d) / R(mass+d))) }

// tallySums is the common part of all methods' tally kernels.
type tallySums struct {
	teams, n, chunks                    int
	targetMass, sourceMass, rows, parts []float64

	kind   uint32 // of sums: see kernels/sums.cl
	shares int    // masses count by their distance
}

// shared is the share of a mass at a distance: see kernels/common.cl.
func shared(shares int, targetMass []float64, n, distance int) float64 {
	switch shares {
	case 0:
		return 1
	case 1:
		return targetMass[n+distance]
	}
	return float64(targetMass[n+distance%shares] * targetMass[n+shares+distance/shares])
}

// divisor is divisor of kernels/common.cl.
func divisor[R sums](shares int, count R) R {
	if shares > 0 && !(float64(count) <= 1e150) {
		return R(math.NaN())
	}
	return count
}

// of is what a vertex at a distance, with a dependency, adds to the two sums of a lane and to its row.
func (s tallySums) of(v, distance int, d, ours float64) (got, want, row float64) {
	share := shared(s.shares, s.targetMass, s.n, distance)
	mass := s.targetMass[v]
	row = float64(d * ours)
	switch s.kind {
	case 1:
		row = float64(row * d)
	case 2, 3:
		counts := mass
		if share == 0 {
			counts = 0
		}
		if row = float64(ours * share); s.kind == 3 {
			return float64(counts * float64(distance)), float64(counts / float64(distance)), row
		}
		return counts, float64(mass * share), row
	}
	return d, float64(float64(mass*share) * float64(distance-1)), row
}

// tally does a word of lanes. value gives the dependency and the distance of a vertex in
// a lane, 0 if there is none.
func (s tallySums) tally(word int, value func(v, lane int) (float64, int)) {
	for c := range s.chunks {
		var got, want [driver.Team]float64
		for lane := range driver.Team {
			for t := range s.teams { // by team, then over teams
				teamGot, teamWant := 0.0, 0.0
				for v := c*wave.Chunk + t; v < min(s.n, (c+1)*wave.Chunk); v += s.teams {
					if d, distance := value(v, lane); distance > 0 {
						got, want, _ := s.of(v, distance, d, 0)
						teamGot += got
						teamWant += want
					}
				}
				got[lane] += teamGot
				want[lane] += teamWant
			}
			s.parts[(word*s.chunks+c)*2*driver.Team+lane] = got[lane]
			s.parts[(word*s.chunks+c)*2*driver.Team+driver.Team+lane] = want[lane]
		}
	}
	for v := range s.n {
		sum := 0.0
		for lane := range driver.Team {
			if d, distance := value(v, lane); distance > 0 {
				_, _, x := s.of(v, distance, d, s.sourceMass[word*driver.Team+lane])
				sum += x
			}
		}
		s.rows[word*s.n+v] = sum
	}
}
