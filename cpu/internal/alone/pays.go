package alone

import "bcstage/preprocess"

const (
	// looked is the number of batches that Pays looks at.
	looked = 2
	// fewShare: a search by lanes takes as long for an arc as a Search from so many sources, or longer.
	fewShare = 4
	// mostLooks is how often Pays looks at every arc, on average. Where sources see more, rows of lanes are full.
	mostLooks = 3
	// densest is the largest number of arcs per vertex. Most arcs of dense blocks join vertices at equal distances: a
	// search by lanes passes them once for all sources.
	densest = 16
)

// Pays says whether few sources of a batch share a vertex at one distance. It guesses that from some batches, and counts
// a vertex by its arcs. Measured: docs/decisions/033-sources-within-a-cutoff.md.
func Pays(b *preprocess.Block) bool {
	if len(b.Targets) > densest*b.Vertices() {
		return false
	}
	s, batches := new(Search), (len(b.Sources)+b.Lanes-1)/b.Lanes
	s.prepare(b, 0)
	levels := make([]uint64, b.Vertices()) // by vertex: bits of the levels at which the batch has it
	alone, shared := 0, 0
	for i := range min(looked, batches) {
		first := i * batches / min(looked, batches) * b.Lanes
		clear(levels)
		for _, source := range b.Sources[first:min(first+b.Lanes, len(b.Sources))] {
			if err := s.search(source); err != nil || alone > mostLooks*len(b.Targets) {
				return false
			}
			for _, v := range s.order {
				if level := s.level[v]; int(level) <= b.Cutoff {
					arcs, bit := len(b.Neighbours(v)), uint64(1)<<min(level, 63)
					alone += arcs
					if levels[v]&bit == 0 {
						levels[v] |= bit
						shared += arcs
					}
				}
				s.level[v] = 0
			}
		}
	}
	return alone <= fewShare*shared
}
