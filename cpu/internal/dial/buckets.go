package dial

import "math/bits"

// buckets bounds the memory of the queue of vertices by distance (R. B. Dial, "Algorithm 360", CACM 12, 1969). A bucket is at
// most as wide as the shortest arc, so nothing joins the bucket that is being taken. Buckets are numbered by distance; the place
// of one is the remainder by mostBuckets.
type buckets struct {
	room int // entries that all lists have room for
	arcs int
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

// start begins with the source alone in the queue. Lists are made anew once they have grown out of proportion: different sources fill
// different ones.
func (b *buckets) start(f *frame, source uint32) {
	if f.lists == nil {
		f.lists = new([mostBuckets]bucket)
	}
	if b.room > bucketRoom*b.arcs {
		clear(f.lists[:])
		b.room = 0
	}
	if f.waiting != 0 {
		for i := range f.lists {
			f.lists[i].count = 0
		}
	}
	f.waiting = 0
	f.offered[0], f.offers[0] = source, 0
	b.put(f, 0, 1)
}

// put takes offers, from number first on. Whether one is smaller than what the vertex has follows no pattern, so that no branch
// depends on it: every offer is entered, and the next one replaces a useless entry.
func (b *buckets) put(f *frame, first, offers int) {
	distance, shift, lists := f.distance, f.shift&31, f.lists
	near, offered := f.offers[first:offers], f.offered[first:offers]
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
		f.waiting += uint64(smaller)
	}
}

func (b *buckets) grow(list *bucket) {
	more := max(len(list.entries), 16)
	list.entries = append(list.entries, make([]uint64, more)...)
	list.entries = list.entries[:cap(list.entries)]
	b.room += more
}
