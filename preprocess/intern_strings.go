package preprocess

import (
	"bytes"
	"hash/maphash"
)

// stringTable numbers strings: their bytes stand one after the other in the
// order of the numbers, and a hash table leads to them.
type stringTable struct {
	text    []byte
	offsets []int64 // string of number i: text[offsets[i]:offsets[i+1]]
	slots   slots
	seed    maphash.Seed
}

func newStringTable() *stringTable {
	return &stringTable{offsets: make([]int64, 1), slots: newSlots(0), seed: maphash.MakeSeed()}
}

func (t *stringTable) count() int { return len(t.offsets) - 1 }

func (t *stringTable) ids() Keys { return Keys{Bytes: t.text, Offsets: t.offsets} }

// bytes takes new ids to be as long as those that are there.
func (t *stringTable) bytes(more int) (most, listed int64) {
	text := more
	if n := t.count(); n > 0 {
		text = int(int64(more) * int64(len(t.text)) / int64(n))
	}
	listed = heldWithRoom(t.text, text) + heldWithRoom(t.offsets, more)
	return listed + t.slots.bytes(more), listed
}

func (t *stringTable) expect(Keys, []miss) {}

func (t *stringTable) prepare(int64) {}

// hash is the runtime's, under a random seed, so that nobody can choose ids
// that collide.
func (t *stringTable) hash(id []byte) uint32 { return uint32(maphash.Bytes(t.seed, id) >> 32) }

// find looks up a window of ids step by step, all of them in one step before any in
// the next: the slots, where their strings begin, and the strings then come from
// memory side by side, where one id after the other would wait three times.
func (t *stringTable) find(keys Keys, out []uint32, misses []miss) []miss {
	var hashes [window]uint32
	var firsts [window]uint64
	var starts [window]int64
	s := &t.slots
	for begin := 0; begin < len(out); begin += window {
		block := out[begin:min(begin+window, len(out))]
		for i := range block {
			hashes[i&(window-1)] = t.hash(keys.at(begin + i))
		}
		for i, hash := range hashes[:len(block)] {
			firsts[i] = s.slot[s.home(hash)]
		}
		for i := range block {
			// A free slot has the offset behind all strings, which is there, too.
			starts[i&(window-1)] = t.offsets[min(uint64(uint32(firsts[i&(window-1)])-1), uint64(len(t.offsets)-1))]
		}
		touch(t.text, starts[:len(block)])
		for i := range block {
			id := keys.at(begin + i)
			hash := hashes[i&(window-1)]
			slot := firsts[i&(window-1)]
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

// touch reads a byte of the text at every start, and gives their sum, so that no
// compiler leaves the reading out.
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
	at := t.slots.home(m.hash)
	for ; t.slots.slot[at] != 0; at = t.slots.after(at) {
		if t.holds(t.slots.slot[at], m.hash, id) {
			return uint32(t.slots.slot[at]) - 1
		}
	}
	number := uint32(t.count())
	t.text = append(withRoom(t.text, len(id)), id...)
	t.offsets = append(withRoom(t.offsets, 1), int64(len(t.text)))
	t.slots.add(at, m.hash, number)
	return number
}
