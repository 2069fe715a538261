package generate

func grid(p Parameters) Edges {
	rows, cols := uint64(p.Rows), uint64(p.Cols)
	return func(yield func(u, v uint64) bool) {
		for u := range rows * cols {
			if (u+1)%cols != 0 && !yield(u, u+1) {
				return
			}
			if u+cols < rows*cols && !yield(u, u+cols) {
				return
			}
		}
	}
}

func path(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		for u := range uint64(p.N) - 1 {
			if !yield(u, u+1) {
				return
			}
		}
	}
}

// cycle of 1 or 2 vertices is a path: a simple graph has no shorter ring.
func cycle(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		for u, v := range path(p) {
			if !yield(u, v) {
				return
			}
		}
		if p.N > 2 {
			yield(uint64(p.N)-1, 0)
		}
	}
}

func star(p Parameters) Edges {
	p.K = p.N
	return tree(p)
}

func clique(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		for v := range uint64(p.N) {
			for u := range v {
				if !yield(u, v) {
					return
				}
			}
		}
	}
}

// tree numbers vertices level by level: the parent of v is (v-1)/K.
func tree(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		for v := uint64(1); v < uint64(p.N); v++ {
			if !yield((v-1)/uint64(p.K), v) {
				return
			}
		}
	}
}

// caterpillar numbers the spine 0..N-1, then the leaves of 0, of 1, ...
func caterpillar(p Parameters) Edges {
	n, k := uint64(p.N), uint64(p.K)
	return func(yield func(u, v uint64) bool) {
		for u, v := range path(p) {
			if !yield(u, v) {
				return
			}
		}
		for leaf := range n * k {
			if !yield(leaf/k, n+leaf) {
				return
			}
		}
	}
}

// diamonds joins 3i and 3i+3 through both 3i+1 and 3i+2.
func diamonds(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		for i := range uint64(p.N) {
			for _, middle := range [2]uint64{3*i + 1, 3*i + 2} {
				if !yield(3*i, middle) || !yield(middle, 3*i+3) {
					return
				}
			}
		}
	}
}

// layered has COLS^(ROWS-2) shortest paths between a vertex of the first and one of the last layer.
func layered(p Parameters) Edges {
	cols := uint64(p.Cols)
	return func(yield func(u, v uint64) bool) {
		for u := range (uint64(p.Rows) - 1) * cols {
			next := (u/cols + 1) * cols
			for v := next; v < next+cols; v++ {
				if !yield(u, v) {
					return
				}
			}
		}
	}
}
