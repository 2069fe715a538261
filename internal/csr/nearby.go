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
	h := halver{graph: g, part: make([]uint32, n), met: make([]uint32, n), queue: make([]uint32, 0, n)}
	order := Ascending(n)
	stack := [][]uint32{order}
	for part := uint32(1); len(stack) > 0; {
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
		for _, v := range list[middle:] {
			h.part[v] = part
		}
		part++
		stack = append(stack, list[middle:], list[:middle])
	}
	return order, nil
}

// halver searches parts of a graph.
type halver struct {
	graph *Graph
	part  []uint32 // by vertex: the part it is in
	met   []uint32 // by vertex: the last search that met it
	count uint32   // searches
	queue []uint32
}

// search puts the vertices of a part in breadth-first order from one of them,
// and, if the part falls to pieces, from one of each other piece.
func (h *halver) search(ctx context.Context, list []uint32, root uint32) error {
	h.count++
	h.queue = append(h.queue[:0], root)
	h.met[root] = h.count
	next := 0
	for head := range list {
		if head%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if head == len(h.queue) {
			for h.met[list[next]] == h.count {
				next++
			}
			h.met[list[next]] = h.count
			h.queue = append(h.queue, list[next])
		}
		v := h.queue[head]
		for _, u := range h.graph.Neighbours(v) {
			if h.part[u] == h.part[v] && h.met[u] != h.count {
				h.met[u] = h.count
				h.queue = append(h.queue, u)
			}
		}
	}
	copy(list, h.queue)
	return nil
}
