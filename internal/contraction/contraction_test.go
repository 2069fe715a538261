package contraction

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/csr"
)

// counted lists distances and numbers of shortest paths between the vertices that are not taken. A length of 0 is no arc, others
// have so many repeats.
func counted(length [][]int64, times [][]int, taken []bool) string {
	n := len(length)
	text := ""
	for s := range n {
		distance, paths := make([]int64, n), make([]int, n)
		paths[s] = 1
		for d := int64(1); d <= 120; d++ { // by rising distance
			for v := range n {
				if v == s || distance[v] > 0 {
					continue
				}
				for u, l := range length {
					if from := distance[u]; l[v] > 0 && (u == s || from > 0) && from+l[v] == d {
						paths[v] += times[u][v] * paths[u]
					}
				}
				if paths[v] > 0 {
					distance[v] = d
				}
			}
		}
		for v := range n {
			if !taken[s] && !taken[v] {
				text += fmt.Sprint(s, ">", v, " ", distance[v], " ", paths[v], ", ")
			}
		}
	}
	return text
}

func square[T any](n int) [][]T {
	rows := make([][]T, n)
	for v := range rows {
		rows[v] = make([]T, n)
	}
	return rows
}

// Vertices that may go leave distances and numbers of shortest paths between the others as they are.
func TestContract(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	gone, stuck := 0, 0
	for number := range 400 {
		n := 3 + r.IntN(14)
		directed := number%2 == 1
		length, times := square[int64](n), square[int](n)
		for range 2 * n {
			u, v, l := r.IntN(n), r.IntN(n), 1+r.Int64N(int64(1+number%7))
			if u == v {
				continue
			}
			length[u][v], times[u][v] = l, 1+r.IntN(5)/4
			if !directed {
				length[v][u], times[v][u] = l, times[u][v]
			}
		}
		rows := func(back bool) *csr.Graph {
			g := &csr.Graph{Offsets: make([]int64, 1), Lengths: []int64{}}
			for u := range n {
				for v := range n {
					l, repeats := length[u][v], times[u][v]
					if back {
						l, repeats = length[v][u], times[v][u]
					}
					for range repeats {
						g.Targets, g.Lengths = append(g.Targets, uint32(v)), append(g.Lengths, l)
					}
				}
				g.Offsets = append(g.Offsets, int64(len(g.Targets)))
			}
			return g
		}
		g := rows(false)
		if directed {
			g.In = rows(true)
		}
		stay := make([]bool, n)
		for v := range stay {
			stay[v] = r.IntN(3) == 0
		}
		c, err := Contract(t.Context(), g, 1000, stay)
		if err != nil {
			t.Fatal(err)
		}
		var inside func(a Arc) int64
		inside = func(a Arc) int64 { // the length of a way
			if a.Way == 0 {
				return length[a.From][a.To]
			}
			parts := c.Ways[a.Way-1]
			if parts[0].From != a.From || parts[1].To != a.To { // an edge that is seen from its other end
				a.From, a.To = a.To, a.From
			}
			if directed && (parts[0].From != a.From || parts[1].To != a.To) || parts[0].To != parts[1].From || !c.Taken[parts[0].To] {
				t.Fatalf("graph %d: parts %v of %v", number, parts, a)
			}
			return inside(parts[0]) + inside(parts[1])
		}
		after, repeats := square[int64](n), square[int](n)
		for v := range n {
			if c.Taken[v] && stay[v] {
				t.Fatalf("graph %d: %d is gone", number, v)
			}
			if c.Taken[v] {
				gone++
				continue
			}
			if !stay[v] {
				stuck++
			}
			for _, e := range c.Out[v] {
				if old := after[v][e.To]; c.Taken[e.To] || old > 0 && old != e.Length {
					t.Fatalf("graph %d: an arc from %d to %d", number, v, e.To)
				}
				repeats[v][e.To]++
				if after[v][e.To] = e.Length; inside(Arc{uint32(v), e.To, e.Way}) != e.Length {
					t.Fatalf("graph %d: %d to %d", number, v, e.To)
				}
			}
		}
		if want, got := counted(length, times, c.Taken), counted(after, repeats, c.Taken); want != got {
			t.Fatalf("graph %d: %s, want %s", number, got, want)
		}
	}
	if gone == 0 || stuck == 0 {
		t.Errorf("%d vertices are gone, %d could not: nothing was tested", gone, stuck)
	}
}
