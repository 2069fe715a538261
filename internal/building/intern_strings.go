package building

import (
	"bytes"
	"hash/maphash"
)

// stringTable numbers strings. Their bytes stand one after the other in the order of
// the numbers. Hash tables lead to them, one for each value of the top bits of a hash.
// So several goroutines can insert at once (insertTogether), each into tables of its
// own.
type stringTable struct {
	text    []byte
	offsets []int64 // string of number i: text[offsets[i]:offsets[i+1]]
	shards  []slots
	bits    int // bits of a hash that choose the table
	seed    maphash.Seed

	fresh  []newcomer // scratch of insertTogether
	hashes []uint32   // likewise, of the newcomers
}

// shardBits makes more tables than most machines have cores, so that cores have equal
// shares.
const shardBits = 6

// manyThreads is the number of goroutines from which on inserting together is faster
// than by one.
const manyThreads = 4

// newStringTable is for use by up to threads goroutines.
func newStringTable(threads int) *stringTable {
	t := &stringTable{offsets: make([]int64, 1), seed: maphash.MakeSeed()}
	if threads >= manyThreads {
		t.bits = shardBits
	}
	for range 1 << t.bits {
		t.shards = append(t.shards, slotsOf(fewestSlots>>t.bits, t.bits))
	}
	return t
}

// shard returns the table of a hash.
func (t *stringTable) shard(hash uint32) *slots {
	return &t.shards[uint64(hash)<<(t.bits&63)>>32]
}

func (t *stringTable) count() int { return len(t.offsets) - 1 }

func (t *stringTable) ids() Keys { return Keys{Bytes: t.text, Offsets: t.offsets} }

// bytes assumes that new ids are as long as the present ones, and nearly equally many
// in each table.
func (t *stringTable) bytes(more int) (most, listed int64) {
	text := more
	if n := t.count(); n > 0 {
		text = int(int64(more) * int64(len(t.text)) / int64(n))
	}
	return t.bytesWith(more, text)
}

// bytesWith is bytes for ids with that much text in all.
func (t *stringTable) bytesWith(more, text int) (most, listed int64) {
	listed = heldWithRoom(t.text, text) + heldWithRoom(t.offsets, more)
	most = listed
	for i := range t.shards {
		most += t.shards[i].bytes(more/len(t.shards) + more/16/len(t.shards) + 1)
	}
	return most, listed
}

func (t *stringTable) expect(Keys, []miss) {}

func (t *stringTable) prepare(int64) {}

// hash is the runtime's, under a random seed, so that nobody can choose colliding ids.
func (t *stringTable) hash(id []byte) uint32 { return uint32(maphash.Bytes(t.seed, id) >> 32) }

// find looks up a window of ids step by step, each step for all of them before the
// next: the slots, where their strings begin, and the strings. Their memory is then
// loaded in parallel; one id after the other would wait three times.
func (t *stringTable) find(keys Keys, out []uint32, misses []miss) []miss {
	var hashes [window]uint32
	var firsts [window]uint64
	var starts [window]int64
	for begin := 0; begin < len(out); begin += window {
		block := out[begin:min(begin+window, len(out))]
		for i := range block {
			hashes[i&(window-1)] = t.hash(keys.at(begin + i))
		}
		for i, hash := range hashes[:len(block)] {
			s := t.shard(hash)
			firsts[i] = s.slot[s.home(hash)]
		}
		for i := range block {
			// A free slot has the offset behind all strings, which exists, too.
			starts[i&(window-1)] = t.offsets[min(uint64(uint32(firsts[i&(window-1)])-1), uint64(len(t.offsets)-1))]
		}
		touch(t.text, starts[:len(block)])
		for i := range block {
			id := keys.at(begin + i)
			hash := hashes[i&(window-1)]
			slot := firsts[i&(window-1)]
			s := t.shard(hash)
			for at := s.home(hash); slot != 0 && !t.holds(slot, hash, id); slot = s.slot[at] {
				at = s.after(at)
			}
			if slot == 0 {
				misses = append(misses, miss{begin + i, hash})
			}
			block[i] = uint32(slot) - 1
		}
	}
	return misses
}

// touch reads a byte of the text at every start, and returns their sum, so that no
// compiler drops the reads.
//
//go:noinline
func touch(text []byte, starts []int64) (sum byte) {
	for _, at := range starts {
		if uint64(at) < uint64(len(text)) {
			sum += text[at]
		}
	}
	return sum
}

func (t *stringTable) holds(slot uint64, hash uint32, id []byte) bool {
	if uint32(slot>>32) != hash {
		return false
	}
	number := uint32(slot) - 1
	return bytes.Equal(t.text[t.offsets[number]:t.offsets[number+1]], id)
}

func (t *stringTable) insert(keys Keys, m miss) uint32 {
	id := keys.at(m.row)
	s := t.shard(m.hash)
	at := s.home(m.hash)
	for ; s.slot[at] != 0; at = s.after(at) {
		if t.holds(s.slot[at], m.hash, id) {
			return uint32(s.slot[at]) - 1
		}
	}
	number := uint32(t.count())
	t.text = append(withRoom(t.text, len(id)), id...)
	t.offsets = append(withRoom(t.offsets, 1), int64(len(t.text)))
	s.add(at, m.hash, number)
	return number
}
