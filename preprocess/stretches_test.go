package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// wideForest has trees with wide and narrow levels, and vertices with many children.
func wideForest(seed uint64) *core {
	random := rand.New(rand.NewPCG(seed, 12))
	c := &core{}
	for range 3 {
		root := len(c.parent)
		c.roots, c.parent = append(c.roots, uint32(root)), append(c.parent, uint32(root))
		for lo, level := root, 0; level < 8; level++ {
			hi := len(c.parent)
			for i, width := 0, 1+random.IntN(min(3*wideStretch, 1<<(4*level+4))); i < width; i++ {
				parent := lo + random.IntN(hi-lo)
				if random.IntN(2) == 0 {
					parent = lo + (hi-lo)/2
				}
				c.parent = append(c.parent, uint32(parent))
			}
			slices.Sort(c.parent[hi:])
			lo = hi
		}
	}
	c.vertex = make([]uint32, len(c.parent))
	return c
}

// The subtrees of siblings follow each other behind their parent, whoever numbers them.
func TestPreorder(t *testing.T) {
	for seed := range uint64(3) {
		c := wideForest(seed)
		wide := 0
		for _, s := range c.stretches(3) {
			if s.wide {
				wide++
			}
		}
		if wide < 5 {
			t.Errorf("%d wide levels", wide)
		}
		for _, threads := range []int{1, 3} {
			enter, leave := preorder(c, c.stretches(threads), threads)
			next := slices.Clone(enter) // where the next child's subtree begins, less one
			for v, p := range c.parent {
				if want := next[p] + 1; int(p) != v && enter[v] != want || int(p) == v && enter[v] != p {
					t.Fatalf("%d threads: vertex %d begins at %d", threads, v, enter[v])
				}
				if int(p) != v {
					next[p] = leave[v]
				}
			}
			for v := range next {
				if next[v] != leave[v] {
					t.Fatalf("%d threads: vertex %d ends at %d, its last child at %d", threads, v, leave[v], next[v])
				}
			}
		}
	}
}
