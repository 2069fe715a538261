package preprocess

import (
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
)

// withQuestion lists the sections that version 2 adds to version 1:
//
//   - the identity of the question;
//   - if some paths are too long for it, the cutoff;
//   - if some block has two masses, the target masses of all ("weights" are then the source masses);
//   - if arcs have lengths, or shortcuts, the lengths;
//   - of a directed graph, the arcs the other way round, and which blocks are undirected, if some but not all are;
//   - where vertices were taken out of edges, these: see Inside;
//   - of blocks for distances, what they have in place of masses: see ofDistances.
func (p *Prepared) withQuestion() []section {
	if p.version() == 1 {
		return nil
	}
	sections := []section{whole("question", []byte(p.Question.Identity()))}
	if p.cutoff != noCutoff {
		sections = append(sections, whole("cutoff", []int64{p.cutoff}))
	}
	if !p.oneMass() {
		sections = append(sections, byBlock("target_weights", p.Blocks, func(b *Block) []float64 { return b.To }))
	}
	long := slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.HasLengths() })
	if long {
		sections = append(sections, byBlock("lengths", p.Blocks, func(b *Block) []int64 { return b.Lengths }))
	}
	if slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.Directed() }) {
		in := func(b *Block) *csr.Graph {
			if !b.Directed() {
				return new(csr.Graph)
			}
			return b.In
		}
		sections = append(sections,
			byBlock("in_offsets", p.Blocks, func(b *Block) []int64 { return in(b).Offsets }),
			byBlock("in_targets", p.Blocks, func(b *Block) []uint32 { return in(b).Targets }))
		if slices.ContainsFunc(p.Blocks, func(b Block) bool { return !b.Directed() }) {
			sections = append(sections, byBlock("two_way", p.Blocks, func(b *Block) []uint8 {
				if b.Directed() {
					return []uint8{0}
				}
				return []uint8{1}
			}))
		}
		if slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.merged() }) {
			sections = append(sections,
				byBlock("merged", p.Blocks, func(b *Block) []int64 { return []int64{int64(b.virtual()), int64(len(b.Waived))} }),
				byBlock("waived_sources", p.Blocks, func(b *Block) []uint32 { sources, _, _ := waiverColumns(b.Waived); return sources }),
				byBlock("waived_targets", p.Blocks, func(b *Block) []uint32 { _, targets, _ := waiverColumns(b.Waived); return targets }),
				byBlock("waived_masses", p.Blocks, func(b *Block) []float64 { _, _, masses := waiverColumns(b.Waived); return masses }))
		}
		if long {
			sections = append(sections, byBlock("in_lengths", p.Blocks, func(b *Block) []int64 { return in(b).Lengths }))
		}
	}
	if slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.HasFlows() }) {
		inside := func(b *Block) insides {
			if !b.HasFlows() {
				return insides{}
			}
			return *b.Flows.Inside
		}
		sections = append(sections,
			byBlock("contracted", p.Blocks, func(b *Block) []int64 {
				return []int64{int64(len(inside(b).First)), int64(len(inside(b).Vertices))}
			}),
			byBlock("flow_numbers", p.Blocks, func(b *Block) []uint32 {
				if !b.HasFlows() {
					return nil
				}
				return b.Flows.Of
			}),
			byBlock("inside_first", p.Blocks, func(b *Block) []uint32 { return inside(b).First }),
			byBlock("inside", p.Blocks, func(b *Block) []uint32 { return inside(b).Vertices }))
	}
	if p.Question.Searches(measures.Distances) {
		sections = append(sections,
			byBlock("distances", p.Blocks, (*Block).ofDistances),
			byBlock("counted", p.Blocks, (*Block).countedBytes),
			byBlock("into", p.Blocks, func(b *Block) []uint32 { return b.roads().Into }))
	}
	if p.IsSource != nil {
		sections = append(sections, whole("is_source", p.IsSource), whole("is_target", p.IsTarget))
	}
	return sections
}

// The section "distances": distancesNumbers numbers per block.
const (
	distancesWay     = iota // 0: paths are counted; 1: distances to its vertices; 2: from them, Outward; plus 2 with Own, plus 4 with followers
	distancesSources        // 0: paths are counted
	distancesCounted        // 1: "counted" has a byte for each vertex
	distancesRoads          // 1: the chains are those of roads, and "into" has a number for each vertex
	distancesNumbers
)

// ofDistances returns the block's numbers in that section.
func (b *Block) ofDistances() []int64 {
	numbers := make([]int64, distancesNumbers)
	if !b.Kind().Reach() {
		return numbers
	}
	numbers[distancesWay], numbers[distancesSources] = 1, int64(len(b.Sources))
	if b.Outward {
		numbers[distancesWay] = 2
	}
	if b.Own {
		numbers[distancesWay] += 2
	}
	if b.Follow() {
		numbers[distancesWay] += 2
	}
	if b.counted != nil {
		numbers[distancesCounted] = 1
	}
	if b.Roads != nil {
		numbers[distancesRoads] = 1
	}
	return numbers
}

// countedBytes returns Block.counted as bytes.
func (b *Block) countedBytes() []uint8 {
	bytes := make([]uint8, len(b.counted))
	for v, counts := range b.counted {
		if counts {
			bytes[v] = 1
		}
	}
	return bytes
}

// roads returns the roads of the block, empty if it has none.
func (b *Block) roads() *csr.Roads {
	if b.Roads == nil {
		return &csr.Roads{}
	}
	return b.Roads
}

// lengths reports whether arcs have lengths. All blocks agree on that but those with shortcuts, which always have some.
func (p *Plan) lengths() bool {
	if i := slices.IndexFunc(p.Blocks, func(b Block) bool { return !b.contracted() }); i >= 0 {
		return p.Blocks[i].HasLengths()
	}
	return len(p.Blocks) > 0 && p.Question.Lengths.Column != ""
}

// merged reports whether out-sets left something that a file must hold.
func (b *Block) merged() bool { return b.virtual() > 0 || len(b.Waived) > 0 }

// waiverColumns returns the fields of waivers as columns.
func waiverColumns(waived []waiver) (sources, targets []uint32, masses []float64) {
	for _, x := range waived {
		sources, targets, masses = append(sources, x.Source), append(targets, x.Target), append(masses, x.Mass)
	}
	return sources, targets, masses
}
