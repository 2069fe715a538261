package preprocess

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unsafe"

	"bcstage/internal/building"
	"bcstage/internal/csr"
)

// sectionReader has the arrays of a file by name, and the first error found in
// them.
type sectionReader struct {
	bytes map[string][]byte
	err   error
}

func readSections(data []byte) (*sectionReader, error) {
	count, end := uint64(binary.LittleEndian.Uint32(data[12:])), binary.LittleEndian.Uint64(data[24:])
	if preparedHeader+count*sectionEntry > end {
		return nil, damaged("%d sections", count)
	}
	in := &sectionReader{bytes: make(map[string][]byte, count)}
	for i := range count {
		entry := data[preparedHeader+i*sectionEntry:][:sectionEntry]
		name := strings.TrimRight(string(entry[:sectionName]), "\x00")
		at, size := binary.LittleEndian.Uint64(entry[sectionName:]), binary.LittleEndian.Uint64(entry[sectionName+8:])
		if at%sectionAlign != 0 || at > end || size > end-at {
			return nil, damaged("section %q: %d bytes at byte %d", name, size, at)
		}
		in.bytes[name] = data[at : at+size : at+size]
	}
	return in, nil
}

// scopes reads what withScopes wrote, for n vertices.
func (in *sectionReader) scopes(n int) (p building.Scopes) {
	if _, ok := in.bytes["sides"]; ok {
		p.Side = take[uint8](in, "sides", n)
	}
	if _, ok := in.bytes["graphs"]; !ok {
		return p
	}
	p.Of = take[uint32](in, "graphs", n)
	for {
		name := func(of string) string { return byName(len(p.By), of) }
		if _, ok := in.bytes[name("ids")]; !ok || in.err != nil {
			return p
		}
		column := building.Keys{}
		if len(in.bytes[name("offsets")]) > 0 {
			column.Offsets = take[int64](in, name("offsets"), anyCount)
			column.Bytes = take[byte](in, name("bytes"), anyCount)
		} else {
			column.Ints = take[uint64](in, name("ids"), anyCount)
		}
		p.By = append(p.By, column)
	}
}

// anyCount stands for any number of elements.
const anyCount = -1

// take returns the section as an array of count elements.
func take[T element](in *sectionReader, name string, count int) []T {
	data, size := in.bytes[name], int(unsafe.Sizeof(*new(T)))
	if in.err == nil && (len(data)%size != 0 || count != anyCount && len(data)/size != count) {
		in.err = damaged("section %q: %d bytes, want %d of %d each", name, len(data), count, size)
	}
	if in.err != nil {
		return nil
	}
	return elements[T](data)
}

// blocks cuts the arrays that blocks share.
func (in *sectionReader) blocks() []Block {
	table := take[int64](in, "blocks", anyCount)
	if len(table)%blockNumbers != 0 {
		in.err = damaged("section \"blocks\": %d numbers", len(table))
	}
	if in.err != nil || len(table) == 0 {
		return nil
	}
	offsets, targets := portion[int64](in, "offsets"), portion[uint32](in, "targets")
	weights, sources, vertices := portion[float64](in, "weights"), portion[uint32](in, "sources"), portion[uint32](in, "vertices")
	toWeights := portion[float64](in, "target_weights")
	oneMass := len(toWeights.left) == 0
	lengths := portion[int64](in, "lengths")
	allLong := len(lengths.left) == len(targets.left) // else contracted blocks alone have lengths
	inOffsets, inTargets, inLengths := portion[int64](in, "in_offsets"), portion[uint32](in, "in_targets"), portion[int64](in, "in_lengths")
	twoWay, undirected := portion[uint8](in, "two_way"), len(in.bytes["in_offsets"]) == 0
	mixed := len(twoWay.left) > 0
	merged := portion[int64](in, "merged")
	waived := waiverReader{portion[uint32](in, "waived_sources"), portion[uint32](in, "waived_targets"), portion[float64](in, "waived_masses")}
	anyMerged := len(merged.left) > 0
	contracted, flowNumbers := portion[int64](in, "contracted"), portion[uint32](in, "flow_numbers")
	insideFirst, inside := portion[uint32](in, "inside_first"), portion[uint32](in, "inside")
	anyContracted := len(contracted.left) > 0
	farness := portion[uint16](in, "farness")
	classes, multiplicities, within := portion[uint32](in, "classes"), portion[float64](in, "multiplicities"), portion[int64](in, "within")
	junctions, chainEnds, first, inner := portion[uint32](in, "junctions"), portion[uint32](in, "chain_ends"), portion[uint32](in, "chain_first"), portion[uint32](in, "chain_inner")
	distances, counted, into := portion[int64](in, "distances"), portion[uint8](in, "counted"), portion[uint32](in, "into")
	someDistances := len(distances.left) > 0
	blocks := make([]Block, len(table)/blockNumbers)
	for i := range blocks {
		is, b := table[i*blockNumbers:][:blockNumbers], &blocks[i]
		for _, x := range is {
			if x < 0 || x > maxInt/4 {
				in.err = damaged("block %d: %d", i, is)
				return nil
			}
		}
		n := is[blockVertices]
		b.Offsets, b.Targets = offsets.next(in, n+1), targets.next(in, is[blockTargets])
		if anyContracted {
			counts := contracted.next(in, 2)
			if counts == nil || counts[0] < 0 || counts[1] < 0 || max(counts[0], counts[1]) > maxInt/4 {
				in.err = cmp.Or(in.err, damaged("block %d: contracted %d", i, counts))
				return nil
			}
			if counts[0] > 0 {
				b.Flows = &Flows{Of: flowNumbers.next(in, is[blockTargets]), Inside: &insides{insideFirst.next(in, counts[0]), inside.next(in, counts[1])}}
			}
		}
		long := allLong || b.contracted()
		if long {
			b.Lengths = lengths.next(in, is[blockTargets])
		}
		if !undirected && !(mixed && slices.Contains(twoWay.next(in, 1), 1)) {
			b.In = &csr.Graph{Offsets: inOffsets.next(in, n+1), Targets: inTargets.next(in, is[blockTargets])}
			if long {
				b.In.Lengths = inLengths.next(in, is[blockTargets])
			}
		}
		about := make([]int64, distancesNumbers)
		if someDistances {
			if about = distances.next(in, distancesNumbers); about == nil || about[distancesWay] > 6 || about[distancesWay] > 0 && (about[distancesSources] < 1 || about[distancesSources] > n) {
				in.err = cmp.Or(in.err, damaged("block %d: distances %d", i, about))
				return nil
			}
		}
		if b.Distances = about[distancesWay] > 0; b.Distances {
			b.Outward, b.Own = about[distancesWay]%2 == 0, about[distancesWay] > 2
			b.Sources = sources.next(in, about[distancesSources])
			if about[distancesWay] > 4 {
				b.otherFollow()
			}
			if about[distancesCounted] > 0 {
				b.counted = make([]bool, n)
				for v, counts := range counted.next(in, n) {
					b.counted[v] = counts > 0
				}
			}
		} else {
			b.setMass(weights.next(in, n))
			if !oneMass {
				b.To = toWeights.next(in, n)
			}
			b.Sources = sources.next(in, int64(b.begins()))
		}
		b.Lanes, b.Entries = int(is[blockLanes]), int(is[blockEntries])
		members := n
		if anyMerged {
			counts := merged.next(in, 2)
			if counts == nil || counts[0] < 0 || counts[0] >= n || counts[1] < 0 || counts[1] > maxInt/4 {
				in.err = cmp.Or(in.err, damaged("block %d: merged %d", i, counts))
				return nil
			}
			members -= counts[0]
			b.Waived = waived.next(in, counts[1])
		}
		if is[blockMembers] > 0 {
			members = is[blockMembers]
			b.classes, b.Multiplicity, b.within = classes.next(in, n+1), multiplicities.next(in, n), converted[float64](within.next(in, n))
		}
		b.vertices = vertices.next(in, members)
		if is[blockFarness] > 0 {
			b.Farness = farness.next(in, n)
		}
		if is[blockJunctions] > 0 {
			b.Chains = &csr.Chains{
				Junctions: junctions.next(in, is[blockJunctions]),
				Ends:      pairwise(chainEnds.next(in, 2*is[blockChains])),
				First:     first.next(in, is[blockChains]+1),
				Inner:     inner.next(in, is[blockInner]),
			}
		}
		if about[distancesRoads] > 0 {
			if b.Chains == nil || !b.Distances {
				in.err = cmp.Or(in.err, damaged("block %d: roads without junctions", i))
				return nil
			}
			b.Roads, b.Chains = &csr.Roads{Chains: *b.Chains, Into: into.next(in, n)}, nil
		}
		if in.err != nil {
			return nil
		}
	}
	return blocks
}

// waiverReader reads waivers from their columns.
type waiverReader struct {
	sources, targets *shared[uint32]
	masses           *shared[float64]
}

func (r *waiverReader) next(in *sectionReader, count int64) (waived []waiver) {
	sources, targets, masses := r.sources.next(in, count), r.targets.next(in, count), r.masses.next(in, count)
	if in.err != nil {
		return nil
	}
	for i, s := range sources {
		waived = append(waived, waiver{s, targets[i], masses[i]})
	}
	return waived
}

const maxInt = int64(^uint(0) >> 1)

// shared is an array that blocks share: the rest is for the next blocks.
type shared[T element] struct {
	name string
	left []T
}

func portion[T element](in *sectionReader, name string) *shared[T] {
	return &shared[T]{name, take[T](in, name, anyCount)}
}

func (s *shared[T]) next(in *sectionReader, count int64) []T {
	if count > int64(len(s.left)) {
		if in.err == nil {
			in.err = damaged("section %q ends early", s.name)
		}
		return nil
	}
	part := s.left[:count:count]
	s.left = s.left[count:]
	return part
}
