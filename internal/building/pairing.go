package building

import "math/bits"

// pairing numbers pairs of numbers in first-seen order. A pair is packed into
// one integer, which the integer table numbers: pairs of small numbers are so
// close together that the table is an array.
type pairing struct {
	interner
	width  int   // bits of a pair's second number
	review int64 // number of look-ups after which the width is reconsidered

	first, second []uint64 // scratch: packed pairs
}

// widest is the width that holds every number; the table is then a hash table.
const widest = 32

func (p *pairing) pack(first uint64, second uint32) uint64 { return first<<p.width | uint64(second) }

// fit makes room for pairs of two numbers below the given ones, which never
// fall. The width is the least, as long as all such pairs then fit an array
// that the table accepts.
func (p *pairing) fit(firsts, seconds int) {
	width := bits.Len(uint(max(seconds, 1) - 1))
	if width <= p.width && p.looked < p.review {
		return
	}
	p.review = 2 * max(p.looked, fewestRound)
	if uint64(firsts)<<width >= uint64(max(directFree, p.looked)) {
		width = widest
	}
	if p.table == nil {
		p.table, p.width = newIntTable(p.threads), width
	} else if width != p.width {
		p.repack(width)
	}
}

// repack rebuilds the table.
func (p *pairing) repack(width int) {
	first, second := p.unpack()
	packed := make([]uint64, len(first))
	p.width = width
	for i := range packed {
		packed[i] = p.pack(uint64(first[i]), second[i])
	}
	looked := p.looked
	p.table = newIntTable(p.threads)
	p.interner.number(Keys{Ints: packed}, Keys{}, first, nil)
	p.looked = looked
}

// unpack lists both numbers of each pair, by the pair's number.
func (p *pairing) unpack() (first, second []uint32) {
	packed := p.table.ids().Ints
	first, second = make([]uint32, len(packed)), make([]uint32, len(packed))
	for i, pair := range packed {
		first[i], second[i] = uint32(pair>>p.width), uint32(pair&(1<<p.width-1))
	}
	return first, second
}
