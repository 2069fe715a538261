package gpu

// kernels/sums.cl in Go. The order of additions is the kernels'.

// tally is what the two tally kernels share: value tells, for a vertex and a
// lane of a word, the dependency and the distance, 0 where there is none.
func tally(p simProgram, n, word, chunks int, weight, sourceWeight, rows, parts []float64, value func(v, lane int) (float64, int)) {
	for c := range chunks {
		var got, want [team]float64
		for lane := range team {
			for t := range p.teams { // as a team sees its vertices, then over teams
				teamGot, teamWant := 0.0, 0.0
				for v := c*chunk + t; v < min(n, (c+1)*chunk); v += p.teams {
					if d, distance := value(v, lane); distance > 0 {
						teamGot += d
						teamWant += weight[v] * float64(distance-1)
					}
				}
				got[lane] += teamGot
				want[lane] += teamWant
			}
			parts[(word*chunks+c)*2*team+lane] = got[lane]
			parts[(word*chunks+c)*2*team+team+lane] = want[lane]
		}
	}
	for v := range n {
		sum := 0.0
		for lane := range team {
			if d, distance := value(v, lane); distance > 0 {
				sum += float64(d * sourceWeight[word*team+lane])
			}
		}
		rows[word*n+v] = sum
	}
}

func levelsTally[R real](p simProgram, n, packs, lastLevel, chunks int, weight []float64, frontier, found []uint32, paths []R,
	sourceWeight, rows, parts []float64) {
	if found[lastLevel*(packs+1)+packs] != 0 {
		return
	}
	lanes, size := p.words*team, packs*n*p.words
	for word := range packs * p.words {
		pack, k := word/p.words, word%p.words
		tally(p, n, word, chunks, weight, sourceWeight, rows, parts, func(v, lane int) (float64, int) {
			for level := 1; level < lastLevel && found[level*(packs+1)+pack] != 0; level++ {
				if frontier[level*size+(pack*n+v)*p.words+k]>>lane&1 != 0 {
					return float64(paths[(pack*n+v)*lanes+k*team+lane]), level
				}
			}
			return 0, 0
		})
	}
}

func frontierTally[R real](p simProgram, words, n, chunks int, weight []float64, levels []uint16, starts []uint32, paths []R,
	sourceWeight, rows, parts []float64) {
	for word := range words {
		pack, k := word/p.words, word%p.words
		tally(p, n, word, chunks, weight, sourceWeight, rows, parts, func(v, lane int) (float64, int) {
			at := ((pack*n+v)*p.words+k)*team + lane
			if levels[at] == unseen {
				return 0, 0
			}
			return float64(paths[at]), int(levels[at]) - int(starts[word*team+lane])
		})
	}
}

func foldParts(p simProgram, words, chunks int, parts, sums []float64) {
	for word := range words {
		for side := range 2 {
			for lane := range team {
				sum := 0.0
				for t := range p.teams {
					teamSum := 0.0
					for c := t; c < chunks; c += p.teams {
						teamSum += parts[((word*chunks+c)*2+side)*team+lane]
					}
					sum += teamSum
				}
				sums[(side*words+word)*team+lane] = sum
			}
		}
	}
}

func foldRows(n, first, last int, multiplicity, rows, scores []float64) {
	for v := range n {
		sum := 0.0
		for word := first; word < last; word++ {
			sum += rows[word*n+v]
		}
		scores[v] = sum / multiplicity[v]
	}
}
