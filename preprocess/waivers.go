package preprocess

import (
	"cmp"
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Waive lists a target that counts for so much less mass in the search from a source. Searches want Waived sorted.
func (b *Block) Waive(source, target uint32, mass float64) {
	b.Waived = append(b.Waived, waiver{source, target, mass})
}

// WaivedBy returns the waivers of a source.
func (b *Block) WaivedBy(source uint32) []waiver {
	if b.Waived == nil {
		return nil
	}
	first, _ := slices.BinarySearchFunc(b.Waived, source, func(x waiver, s uint32) int { return cmp.Compare(x.Source, s) })
	end := first
	for end < len(b.Waived) && b.Waived[end].Source == source {
		end++
	}
	return b.Waived[first:end]
}

// MostWaived is an upper bound of the number of waivers of the sources of a batch of that size.
func (b *Block) MostWaived(sources int) int {
	most, first := 0, 0
	for i, x := range b.Waived {
		if x.Source != b.Waived[first].Source {
			first = i
		}
		most = max(most, i-first+1)
	}
	return min(sources*most, len(b.Waived))
}

// waives reports whether the vertex counts for less as a target of its own search, which begins at s.
func (w *forcedWays) waives(s, v uint32) bool {
	return s != csr.None && s != v && w.To[v] > 0 && w.through[v] > 0 && w.returned(v)
}

// waivable reports whether masses keep enough digits when waivers are subtracted. A subtraction loses the more
// digits the nearer the waiver is to the mass. Where vertices count for one each, at most two are lost. The
// only error is the context's.
func (w *forcedWays) waivable(ctx context.Context, source []uint32, virtual int) (bool, error) {
	const most = 1 << 12 // 12 of 53 bits, so that 41 are left, 4e-13
	mass, err := w.sourceMass(ctx, source, virtual)
	if err != nil {
		return false, err
	}
	for v := range parallel.Until(ctx, uint32(len(w.next))) {
		s := source[w.root[v]]
		if w.waives(s, v) && mass[s] > most && most*(mass[s]-float64(w.through[v])) < mass[s] {
			return false, nil
		}
	}
	return true, ctx.Err()
}
