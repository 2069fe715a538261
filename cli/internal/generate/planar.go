package generate

import (
	"math"
	"math/rand/v2"
)

// triangles is a grid with one diagonal, drawn, in every square: degrees and distances are like
// those of a Delaunay triangulation.
func triangles(p Parameters) Edges {
	rows, cols := uint64(p.Rows), uint64(p.Cols)
	return func(yield func(u, v uint64) bool) {
		random := rand.New(rand.NewPCG(p.Seed, 0))
		for u, v := range grid(p) {
			if !yield(u, v) {
				return
			}
		}
		for row := range rows - 1 {
			for corner := row * cols; corner+1 < (row+1)*cols; corner++ {
				u, v := corner, corner+cols+1
				if random.Uint32()&1 == 1 {
					u, v = corner+1, corner+cols
				}
				if !yield(u, v) {
					return
				}
			}
		}
	}
}

// geometric joins N points of the unit square, drawn evenly, that are no farther apart than 0.55
// sqrt(ln N / N): the rgg graphs of the 10th DIMACS challenge. It holds the points, 20 bytes each,
// by cells at least that wide, so that neighbours lie in neighbouring cells.
func geometric(p Parameters) Edges {
	n := p.N
	radius := 0.55 * math.Sqrt(math.Log(float64(n))/float64(n))
	side := 1
	if radius > 0 {
		side = max(int(1/radius), 1)
	}
	return func(yield func(u, v uint64) bool) {
		random := rand.New(rand.NewPCG(p.Seed, 0))
		x, y := make([]float64, n), make([]float64, n)
		cell := func(v int) (row, column int) { return int(y[v] * float64(side)), int(x[v] * float64(side)) }
		begin := make([]int, side*side+1) // first point of each cell
		for v := range n {
			x[v], y[v] = random.Float64(), random.Float64()
			row, column := cell(v)
			begin[row*side+column+1]++
		}
		for c := range side * side {
			begin[c+1] += begin[c]
		}
		points, next := make([]uint32, n), append([]int(nil), begin...)
		for v := range n {
			row, column := cell(v)
			points[next[row*side+column]] = uint32(v)
			next[row*side+column]++
		}
		for v := range n {
			row, column := cell(v)
			for r := max(row-1, 0); r <= min(row+1, side-1); r++ {
				for c := max(column-1, 0); c <= min(column+1, side-1); c++ {
					for _, u := range points[begin[r*side+c]:begin[r*side+c+1]] {
						near := math.Hypot(x[v]-x[u], y[v]-y[u]) <= radius
						if near && int(u) < v && !yield(uint64(v), uint64(u)) {
							return
						}
					}
				}
			}
		}
	}
}
