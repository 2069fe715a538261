package building

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"bcstage/internal/budget"
	"bcstage/internal/pages"
	"bcstage/internal/parallel"
)

// intTable numbers integers. While the ids are close together, as in most published graphs, their
// numbers are in an array by id; else in a hash table, with a list of the ids. The table changes its
// form whenever the other is better.
type intTable struct {
	threads int // that list the ids
	numbers int
	lo, hi  int64 // smallest and largest id, new ones of the round included

	direct []uint32 // number+1 of id base+i, or 0; nil while hashing
	base   uint64

	list   []uint64 // id of each number; nil while direct
	slots  slots    // likewise
	seed   [2]uint64
	looked int64 // ids looked up
}

const (
	// directFree is a span of ids for which an array is always used: 4 MiB.
	directFree = 1 << 20
	// directCheap is a span of ids, 32 MiB of an array, up to which the array is used once a quarter
	// as many have been looked up. A hash table until the span is reached would number a graph of two
	// million vertices more slowly than threads can read it.
	directCheap = 1 << 23
	// directLooked and directNumbers: an array of any size is used once its span is at most so many times the ids looked
	// up, and the numbers given. It then takes no more than twice the memory of a hash table that grows, and numbering
	// the rest takes a quarter of the time.
	directLooked, directNumbers = 4, 16
	// directSlack is the least number of ids for which an array leaves room on either side of those
	// it holds; a quarter of its span, if that is more.
	directSlack = 1 << 9
)

func newIntTable(threads int) *intTable {
	return &intTable{threads: threads, lo: math.MaxInt64, hi: math.MinInt64, seed: [2]uint64{rand.Uint64(), rand.Uint64()}}
}

func (t *intTable) count() int { return t.numbers }

func (t *intTable) ids() Keys {
	if t.hashing() {
		return Keys{Ints: t.list}
	}
	return Keys{Ints: t.listed()}
}

// bytes of an array include those of the next one if ids without gaps would not fit any more, and the
// list made of it in the end. A hash table may become an array after few more ids if that is cheap.
func (t *intTable) bytes(more int) (most, listed int64) {
	if t.hashing() {
		listed = heldWithRoom(t.list, more)
		most = listed + t.slots.bytes(more)
		if span := uint64(t.hi) - uint64(t.lo); span < max(directCheap, t.spanFor(uint64(more))) {
			most += 4 * 3 * int64(span) / 2
		}
		return most, listed
	}
	listed = 8 * int64(t.numbers+more)
	most = budget.Held(t.direct) + listed
	if t.numbers+more > len(t.direct) {
		most += 4 * 3 * int64(t.numbers+more) / 2
	}
	return most, listed
}

func (t *intTable) hashing() bool { return t.slots.slot != nil }

func (t *intTable) expect(keys Keys, misses []miss) {
	for _, m := range misses {
		id := int64(keys.Ints[m.row])
		t.lo, t.hi = min(t.lo, id), max(t.hi, id)
	}
}

func (t *intTable) prepare(looked int64) {
	t.looked = looked
	if !t.covers() {
		t.choose()
	}
}

// covers reports whether the array has a place for every id between lo and hi. The range may wrap
// around, so places for both are not enough.
func (t *intTable) covers() bool {
	first, places := uint64(t.lo)-t.base, uint64(len(t.direct))
	return first < places && uint64(t.hi)-uint64(t.lo) < places-first
}

// spanFor is the span for which an array larger than 32 MiB is worth its memory, after that many more ids.
func (t *intTable) spanFor(more uint64) uint64 {
	looked, numbers := uint64(t.looked)+more, uint64(t.numbers)+more
	return max(looked, min(directLooked*looked, directNumbers*numbers))
}

// choose makes the array or the hash table, whichever fits the span of the ids. Ids far apart cannot make an array
// large.
func (t *intTable) choose() {
	span := uint64(t.hi) - uint64(t.lo) // less one: at most 2^64-1
	if span < max(directFree, t.spanFor(0), min(directLooked*uint64(t.looked), directCheap)) {
		t.beDirect(span)
	} else if !t.hashing() {
		t.beHashing()
	}
}

func (t *intTable) beDirect(span uint64) {
	slack := max(span/4, directSlack)
	base := uint64(t.lo) - slack
	direct := pages.Large[uint32](int(span + 1 + 2*slack))
	if t.hashing() {
		parallel.SpreadWhole(t.threads, len(t.list), parallel.Interval, func(lo, hi int) {
			for i, id := range t.list[lo:hi] {
				direct[id-base] = uint32(lo + i + 1)
			}
		})
	} else if t.direct != nil {
		copy(direct[t.base-base:], t.direct)
	}
	t.direct, t.base, t.list, t.slots = direct, base, nil, slots{}
}

func (t *intTable) beHashing() {
	t.list, t.slots, t.direct = t.listed(), newSlots(t.numbers), nil
	for number, id := range t.list {
		t.slots.append(t.hash(id), uint32(number))
	}
}

// listed makes the list of ids from the array.
func (t *intTable) listed() []uint64 {
	list := make([]uint64, t.numbers)
	parallel.SpreadWhole(t.threads, len(t.direct), parallel.Interval, func(lo, hi int) {
		for i, number := range t.direct[lo:hi] {
			if number != 0 {
				list[number-1] = t.base + uint64(lo+i)
			}
		}
	})
	return list
}

func (t *intTable) find(keys Keys, out []uint32, misses []miss) []miss {
	if t.hashing() {
		return t.findHash(keys.Ints, out, misses)
	}
	return t.findDirect(keys.Ints, out, misses)
}

func (t *intTable) findDirect(ids []uint64, out []uint32, misses []miss) []miss {
	direct, base := t.direct, t.base
	out = out[:len(ids)]
	for i, id := range ids {
		number := uint32(0)
		if at := id - base; at < uint64(len(direct)) {
			number = direct[at]
		}
		if number == 0 {
			misses = append(misses, miss{row: i})
		}
		out[i] = number - 1
	}
	return misses
}

// window is the number of ids that findHash hashes before it compares the first: their slots are then
// loaded from memory in parallel.
const window = 64

func (t *intTable) findHash(ids []uint64, out []uint32, misses []miss) []miss {
	var hashes [window]uint32
	var firsts [window]uint64
	s := &t.slots
	for begin := 0; begin < len(ids); begin += window {
		block := ids[begin:min(begin+window, len(ids))]
		for i, id := range block {
			hashes[i&(window-1)] = t.hash(id)
		}
		for i, hash := range hashes[:len(block)] {
			firsts[i] = s.slot[s.home(hash)]
		}
		for i, id := range block {
			hash := hashes[i&(window-1)]
			slot := firsts[i&(window-1)]
			for at := s.home(hash); slot != 0 && !t.holds(slot, hash, id); slot = s.slot[at] {
				at = s.after(at)
			}
			if slot == 0 {
				misses = append(misses, miss{begin + i, hash})
			}
			out[begin+i] = uint32(slot) - 1
		}
	}
	return misses
}

func (t *intTable) holds(slot uint64, hash uint32, id uint64) bool {
	return uint32(slot>>32) == hash && t.list[uint32(slot)-1] == id
}

// hash is two rounds of multiply and fold (as in wyhash, W. Yi 2019) under a random seed, so that
// nobody can choose colliding ids.
func (t *intTable) hash(id uint64) uint32 {
	hi, lo := bits.Mul64(id^t.seed[0], t.seed[1]|1)
	hi, lo = bits.Mul64(hi^lo^t.seed[1], 0x9e3779b97f4a7c15)
	return uint32((hi ^ lo) >> 32)
}

// load reads the places of misses, whose look-up may have been on another core, and returns a sum, so that no compiler
// drops the reads. Their memory is loaded in parallel; one insert after the other would wait for it.
//
//go:noinline
func (t *intTable) load(ids []uint64, misses []miss) (sum uint64) {
	for _, m := range misses {
		if t.hashing() {
			sum += t.slots.slot[t.slots.home(t.hash(ids[m.row]))]
		} else {
			sum += uint64(t.direct[ids[m.row]-t.base])
		}
	}
	return sum
}

func (t *intTable) insert(keys Keys, m miss) uint32 {
	id := keys.Ints[m.row]
	if !t.hashing() {
		place := &t.direct[id-t.base]
		if *place == 0 {
			t.numbers++
			*place = uint32(t.numbers)
		}
		return *place - 1
	}
	hash := t.hash(id)
	at := t.slots.home(hash)
	for ; t.slots.slot[at] != 0; at = t.slots.after(at) {
		if t.holds(t.slots.slot[at], hash, id) {
			return uint32(t.slots.slot[at]) - 1
		}
	}
	t.list = append(withRoom(t.list, 1), id)
	t.slots.add(at, hash, uint32(t.numbers))
	t.numbers++
	return uint32(t.numbers - 1)
}
