package dial

import "math/bits"

// buckets is a queue of vertices by distance (R. B. Dial, "Algorithm 360", CACM 12, 1969). A bucket is at most as wide as the
// shortest arc, so nothing joins the bucket that is being taken.
type buckets struct {
	shift   int // log2 of the width
	lists   *[mostBuckets]bucket
	at      uint32 // number of the last bucket that was taken; its place is the remainder by len(lists)
	waiting uint32
	room    int // entries that all lists have room for
	arcs    int
}

// A bucket has vertices with their distances in the upper half. A vertex that came nearer leaves its old entry behind.
type bucket struct {
	entries []uint64
	count   uint32
}

// bucketRoom bounds the room of all buckets between two sources, in entries an arc.
const bucketRoom = 2

// fits reports whether there are enough buckets for offers along arcs of these lengths.
func fits(shortest, longest int64) bool { return longest>>width(shortest) < mostBuckets-1 }

func width(shortest int64) int { return bits.Len64(uint64(shortest)) - 1 }

func (b *buckets) prepare(shortest int64, arcs int) {
	b.shift, b.arcs = width(shortest), arcs
	if b.lists == nil {
		b.lists = new([mostBuckets]bucket)
	}
}

// start begins with an empty queue. Lists are made anew once they have grown out of proportion: different sources fill
// different ones.
func (b *buckets) start() {
	if b.room > bucketRoom*b.arcs {
		clear(b.lists[:])
		b.room = 0
	}
	if b.waiting != 0 {
		for i := range b.lists {
			b.lists[i].count = 0
		}
	}
	b.at, b.waiting = 0, 0
}

// put takes offers. Whether one is smaller than what the vertex has follows no pattern, so that no branch depends on it:
// every offer is entered, and the next one replaces a useless entry.
func (b *buckets) put(f *frame, offers int) {
	distance, shift, lists, waiting := f.distance, b.shift&31, b.lists, uint32(0)
	near, offered := f.offers[:offers], f.offered[:offers]
	for i := 0; i < len(near) && i < len(offered); i++ {
		d, v := near[i], offered[i]
		old := distance[v]
		distance[v] = min(d, old)
		list := &lists[d>>shift%mostBuckets]
		if int(list.count) >= len(list.entries) {
			b.grow(list)
		}
		list.entries[list.count] = uint64(d)<<32 | uint64(v)
		smaller := (d - old) >> 31
		list.count += smaller
		waiting += smaller
	}
	b.waiting += waiting
}

func (b *buckets) grow(list *bucket) {
	more := max(len(list.entries), 16)
	list.entries = append(list.entries, make([]uint64, more)...)
	list.entries = list.entries[:cap(list.entries)]
	b.room += more
}

// take moves the vertices of the nearest bucket to the order, from place end on, and returns its new end.
func (b *buckets) take(f *frame, end int) int {
	first := end
	for end == first && b.waiting > 0 {
		b.at++
		list := &b.lists[b.at%mostBuckets]
		for _, entry := range list.entries[:list.count] {
			v := uint32(entry)
			f.order[end] = v
			end += int((f.distance[v] ^ uint32(entry>>32) - 1) >> 31)
		}
		b.waiting -= list.count
		list.count = 0
	}
	return end
}
