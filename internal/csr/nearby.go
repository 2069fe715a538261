package csr

import "context"

// ShortestRun is the run of searches to the end of all paths. Within a cutoff, batches are compact and may have any order.
const ShortestRun = 4

// Nearby orders the vertices of g such that every run of them is compact, unless it is
// shorter than run. It halves the graph recursively, in breadth-first order from a vertex
// at the rim. Time O((n + m) log (n/run)), memory O(n). The only error is the
// context's.
func Nearby(ctx context.Context, g *Graph, run int) ([]uint32, error) {
	n := g.Vertices()
	h := halver{graph: g, of: make([]uint32, n), queue: make([]uint32, n+1)}
	order := Ascending(n)
	stack := [][]uint32{order}
	for len(stack) > 0 {
		list := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(list) <= run {
			continue
		}
		// The vertex met last is at the rim.
		for range 2 {
			if err := h.search(ctx, list, list[len(list)-1]); err != nil {
				return nil, err
			}
		}
		middle := len(list) / 2
		h.count++
		for _, v := range list[middle:] {
			h.of[v] = h.count
		}
		stack = append(stack, list[middle:], list[:middle])
	}
	return order, nil
}

// halver searches parts of a graph.
type halver struct {
	graph *Graph
	of    []uint32 // by vertex: the part it is in and the last search of that, in one number
	count uint32   // such numbers
	queue []uint32
}

// search puts the vertices of a part in breadth-first order from one of them,
// and, if the part falls to pieces, from one of each other piece.
func (h *halver) search(ctx context.Context, list []uint32, root uint32) error {
	h.count++
	of, queue, unmet, met := h.of, h.queue, h.of[root], h.count
	of[root], queue[0] = met, root
	found, next := 1, 0
	for head := range list {
		if head%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if head == found {
			for of[list[next]] == met {
				next++
			}
			of[list[next]], queue[found] = met, list[next]
			found++
		}
		for _, u := range h.graph.Neighbours(queue[head]) {
			some := uint32(0) // no branch on whether u is new, which would be mispredicted
			if of[u] == unmet {
				some = 1
			}
			queue[found] = u
			of[u] += some * (met - unmet)
			found += int(some)
		}
	}
	copy(list, queue)
	return nil
}
