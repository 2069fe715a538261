package searches

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
)

const (
	maxLanes  = 64 // bits of a mask
	pathLanes = 8  // counts in a cache line
)

// hops searches breadth first from several sources at once, one bit each: M. Then
// et al., "The more the merrier: efficient multi-source graph traversal", VLDB
// 2014. Levels of many edges are pulled, others pushed (S. Beamer, K. Asanovic,
// D. Patterson, "Direction-optimizing breadth-first search", SC 2012).
type hops struct {
	seen, here, next []uint64 // by vertex: sources that have reached it; at this level; at the next
	vertex           []uint32 // entries, level by level, within a level by vertex
	mask             []uint64
	levels           []int     // where each level's entries begin, and the end
	touched          []uint32  // of a pushed level
	counts           []float64 // by vertex, then lane; nil: not counted
	found            []int     // by lane: entries
	ended            bool      // arrays by vertex are 0 except at the entries
}

// every is the number of vertices or entries between two checks of the context.
const every = 1 << 14

// A level is pulled if it has more than one in denseEdges of the edges. It is sorted by
// looking at every vertex if it has more than one in denseVertices of these.
const (
	denseEdges    = 16
	denseVertices = 32
)

// most is the largest number of entries per vertex for that many sources. With more,
// searching each source alone is faster.
func most(lanes int) int { return max(lanes/8, 4) }

// search stops early, and returns deep, if there are too many entries.
func (h *hops) search(ctx context.Context, g *csr.Graph, sources []uint32, o Options) (deep bool, err error) {
	n := g.Vertices()
	h.forget(n, o.Paths)
	h.vertex, h.mask, h.levels, h.touched = h.vertex[:0], h.mask[:0], append(h.levels[:0], 0), h.touched[:0]
	h.found = pages.Cleared(h.found, len(sources))
	for lane, source := range sources {
		if h.next[source] == 0 {
			h.touched = append(h.touched, source)
		}
		h.next[source] |= 1 << lane
		if o.Paths {
			h.counts[int(source)*pathLanes+lane] = 1
		}
	}
	h.close()
	all := ^uint64(0) >> (maxLanes - len(sources))
	in := g.Reverse()
	for distance := int64(0); distance < o.Cutoff; distance++ {
		first, end := h.levels[len(h.levels)-2], len(h.vertex)
		if first == end {
			break
		}
		if end > most(len(sources))*n {
			return true, nil
		}
		edges := int64(0)
		for _, u := range h.vertex[first:end] {
			edges += g.Offsets[u+1] - g.Offsets[u]
		}
		if edges > int64(len(g.Targets)/denseEdges) {
			err = h.pull(ctx, in, all, o.Paths)
		} else {
			err = h.push(ctx, g, first, end, o.Paths)
		}
		if err != nil {
			return false, err
		}
		for _, u := range h.vertex[first:end] {
			h.here[u] = 0
		}
		h.close()
	}
	h.ended = true
	return false, nil
}

// forget makes room for a search of n vertices. If the last search met few, it does not
// look at all the others.
func (h *hops) forget(n int, paths bool) {
	if h.ended && len(h.vertex) < n/denseVertices {
		for _, v := range h.vertex {
			h.seen[v], h.here[v], h.next[v] = 0, 0, 0
			if paths {
				clear(h.counts[int(v)*pathLanes:][:pathLanes])
			}
		}
	} else {
		h.seen, h.here, h.next = pages.Cleared(h.seen, n), pages.Cleared(h.here, n), pages.Cleared(h.next, n)
		if paths {
			h.counts = pages.Cleared(h.counts, n*pathLanes)
		}
	}
	h.ended = false
}

// push marks the successors of the level.
func (h *hops) push(ctx context.Context, g *csr.Graph, first, end int, paths bool) error {
	h.touched = h.touched[:0]
	for at := first; at < end; at++ {
		if (at-first)%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u, m := h.vertex[at], h.mask[at]
		for _, v := range g.Neighbours(u) {
			fresh := m &^ h.seen[v]
			if fresh == 0 {
				continue
			}
			if h.next[v] == 0 {
				h.touched = append(h.touched, v)
			}
			h.next[v] |= fresh
			if paths {
				h.add(v, u, fresh)
			}
		}
	}
	return nil
}

// pull looks for neighbours in the level, for each vertex that some source has not
// reached.
func (h *hops) pull(ctx context.Context, in *csr.Graph, all uint64, paths bool) error {
	h.touched = h.touched[:0]
	for v := range h.seen {
		if v%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		open := all &^ h.seen[v]
		if open == 0 {
			continue
		}
		fresh := uint64(0)
		for _, u := range in.Neighbours(uint32(v)) {
			hit := h.here[u] & open
			if fresh |= hit; paths {
				if hit != 0 {
					h.add(uint32(v), u, hit)
				}
			} else if fresh == open {
				break
			}
		}
		if fresh != 0 {
			h.next[v] = fresh
			h.touched = append(h.touched, uint32(v))
		}
	}
	return nil
}

// add counts the paths to v through u.
func (h *hops) add(v, u uint32, lanes uint64) {
	to, from := h.counts[int(v)*pathLanes:][:pathLanes], h.counts[int(u)*pathLanes:][:pathLanes]
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros64(lanes)
		to[lane] += from[lane]
	}
}

// close makes entries of the touched vertices, by vertex, and the current level of them.
func (h *hops) close() {
	if len(h.touched) > len(h.next)/denseVertices {
		h.touched = h.touched[:0]
		for v, m := range h.next {
			if m != 0 {
				h.touched = append(h.touched, uint32(v))
			}
		}
	} else {
		slices.Sort(h.touched)
	}
	for _, v := range h.touched {
		m := h.next[v]
		h.vertex, h.mask = append(h.vertex, v), append(h.mask, m)
		h.seen[v] |= m
	}
	h.here, h.next = h.next, h.here
	h.levels = append(h.levels, len(h.vertex))
}

// turn transposes the masks of every 64 entries, with a bit per lane, to words with a bit
// per entry, one for each lane. The rows of a lane are then read from its words alone.
// Entries have few lanes each, and testing each entry for each lane would cost as much as
// searching. The only error is the context's.
func (h *hops) turn(ctx context.Context) error {
	for len(h.mask)%maxLanes != 0 {
		h.mask = append(h.mask, 0)
	}
	for at := 0; at < len(h.mask); at += maxLanes {
		if at%(every*maxLanes) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		words := (*[maxLanes]uint64)(h.mask[at:])
		engine.Transpose(words)
		for lane := range h.found {
			h.found[lane] += bits.OnesCount64(words[lane])
		}
	}
	return nil
}

// rows returns the rows of one source, after turn.
func (h *hops) rows(lane int, spare *Spare) Rows {
	r := spare.Rows(h.found[lane], h.counts != nil)
	row := 0
	for distance, first := range h.levels[:len(h.levels)-1] {
		end, before := h.levels[distance+1], row
		for at := first &^ (maxLanes - 1); at < end; at += maxLanes {
			word := h.mask[at+lane]
			if at < first { // the level before ends within these
				word &= ^uint64(0) << (first - at)
			}
			if end-at < maxLanes {
				word &= 1<<(end-at) - 1
			}
			for ; word != 0; word &= word - 1 {
				r.Vertices[row] = h.vertex[at+bits.TrailingZeros64(word)]
				row++
			}
		}
		for i := range r.Distances[before:row] {
			r.Distances[before+i] = int64(distance)
		}
	}
	if h.counts != nil {
		for i, v := range r.Vertices {
			r.Paths[i] = h.counts[int(v)*pathLanes+lane]
		}
	}
	return r
}
