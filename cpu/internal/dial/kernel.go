package dial

// frame is the part of a search that kernels see.
type frame struct {
	chunks []chunk
	owners []uint32 // by chunk: the vertex
	firsts []uint32 // by vertex: its first chunk

	unmet    uint32   // the distance of vertices that the search has not met: larger than any other
	distance []uint32 // by vertex

	list    []uint32 // chunks to look at
	offered []uint32 // vertices that are offered a smaller distance, or with ties the same
	offers  []uint32 // that distance, likewise
	senders []uint32 // who offers it, likewise, with ties; offered itself without them
	ties    uint32   // 1 where links of shortest paths are made of offers; else 0

	after, before []uint32 // links of shortest paths: a vertex, and a predecessor of it

	lists   *[mostBuckets]bucket
	shift   uint64 // log2 of a bucket's width
	waiting uint64 // entries in buckets

	rows []uint32 // distances from several sources, in a block with Distances; else from one
}

// A chunk has some arcs of a vertex, in one cache line. Arcs of no use are at its end. They lead to the vertex itself, and are
// longer than any path.
type chunk struct {
	targets [chunkArcs]uint32
	lengths [chunkArcs]uint32 // in units of their greatest common divisor
}

const chunkArcs = 8

// A kernel takes a bucket that is not empty, whose vertices have their distance, and looks at their arcs. It lists the offers to
// their neighbours from place first on, and from place linked on the links to their predecessors, or no links if linked is
// negative. It returns the places after the last link and the last offer. Offers before place put are in buckets. The others are
// not, since a bucket is full.
type kernel func(f *frame, taken *bucket, linked, first int) (links, offers, put int)

// roomLeft is how many entries a kernel may write beyond the end of a list.
const roomLeft = 8

// look is the kernel of all processors. Whether an arc leads to a predecessor, or to a vertex that comes nearer, follows no
// pattern. So no branch depends on it: every arc is listed, and the next one replaces a useless entry.
func look(f *frame, taken *bucket, linked, first int) (links, offers, put int) {
	distance, offered, nears, after, before := f.distance, f.offered, f.offers, f.after, f.before
	nears, before = nears[:len(offered)], before[:len(after)]
	senders := f.senders[:len(offered)]
	offers = first
	for _, at := range f.list[:f.take(taken)] {
		c, u := &f.chunks[at], f.owners[at]
		d := distance[u]
		for i, v := range &c.targets {
			if v == u {
				break
			}
			length, other := c.lengths[i], distance[v]
			senders[offers] = u
			offered[offers], nears[offers] = v, d+length
			offers += int((d + length - other - f.ties) >> 31)
			if linked >= 0 {
				after[linked], before[linked] = u, v
				linked += int((other + length ^ d - 1) >> 31)
			}
		}
	}
	return linked, offers, first
}

// take lists the chunks of the vertices of a bucket, and returns how many there are.
func (f *frame) take(taken *bucket) (chunks int) {
	for _, entry := range taken.entries[:taken.count] {
		v := uint32(entry)
		first := f.firsts[v]
		count := (f.firsts[v+1] - first) * ((f.distance[v] ^ uint32(entry>>32) - 1) >> 31)
		*(*[4]uint32)(f.list[chunks:]) = [4]uint32{first, first + 1, first + 2, first + 3}
		for i := uint32(4); i < count; i++ {
			f.list[chunks+int(i)] = first + i
		}
		chunks += int(count)
	}
	return chunks
}
