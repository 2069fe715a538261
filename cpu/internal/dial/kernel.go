package dial

// frame is the part of a search that kernels see. Vertex v has arcs offsets[v]..offsets[v+1]-1. A place is that of a vertex
// in the order.
type frame struct {
	offsets []int64
	targets []uint32
	lengths []uint32 // by arc, in units of their greatest common divisor

	unmet    uint32   // the distance of vertices that the search has not met: larger than any other
	distance []uint32 // by vertex
	order    []uint32 // by place: the vertex

	offered []uint32 // vertices that are offered a smaller distance
	offers  []uint32 // that distance, likewise

	before []uint32 // predecessors, in the order of the vertices they precede
	passed []uint32 // by place: the first of its predecessors
}

// A kernel looks at the arcs of the vertices from place first to end. It lists the offers to their neighbours, and from place
// linked on their predecessors. It returns the number of offers, and the place after the last predecessor.
type kernel func(f *frame, first, end, linked int) (offers, links int)

// roomLeft is how many entries a kernel may write beyond the end of a list.
const roomLeft = 8

// look is the kernel of all processors. Whether an arc leads to a predecessor, or to a vertex that comes nearer, follows no
// pattern. So no branch depends on it: every arc is listed, and the next one replaces a useless entry.
func look(f *frame, first, end, linked int) (offers, links int) {
	distance, offered, nears, before := f.distance, f.offered, f.offers, f.before
	nears = nears[:len(offered)]
	for at, u := range f.order[first:end] {
		d, from, to := distance[u], f.offsets[u], f.offsets[u+1]
		f.passed[first+at] = uint32(linked)
		lengths := f.lengths[from:to]
		for i, v := range f.targets[from:to] {
			length, other := lengths[i], distance[v]
			offered[offers], nears[offers], before[linked] = v, d+length, v
			offers += int((d + length - other) >> 31)
			linked += int((other + length ^ d - 1) >> 31)
		}
	}
	return offers, linked
}
