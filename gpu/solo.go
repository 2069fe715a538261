package gpu

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"bcstage/preprocess"
)

// Solo has each work-group search from one source by itself, through to the end.
const Solo Strategy = "solo"

// solo is the method of kernels/solo.cl.
type solo struct{}

//go:embed kernels/solo.cl
var soloSource string

func (solo) name() Strategy { return Solo }

func (solo) source() string { return soloSource }

// kernels/solo.cl has so many neighbours at hand for each vertex, or twice as many where
// vertices have more on average. It can tell so many vertices apart.
const (
	fewNear      = 4
	soloVertices = 1 << 16
)

// nearRow is how many neighbours a block of some mean degree has at hand. Sources that are drawn
// on delaunay_n16 take an H200 10 us with eight, and 13 with four.
func nearRow(degree float64) int {
	if degree > fewNear {
		return 2 * fewNear
	}
	return fewNear
}

// soloGroup is how many work-items of a work-group wait for each other, if devices choose.
// Smaller ones search from more sources at once than caches hold what these look at: an
// H200 takes 1.3 to 3 times as long with groups of 64 or 128.
const soloGroup = 256

// unitSources is how many sources a compute unit has in a wave, of which it searches from
// some six at a time.
const unitSources = 64

// soloDeep is which part of the usual depth makes a block of few edges deep enough: the cores of rome99 and power, .9 and .7 of it,
// take an H100 2.4 and 3.3 ms so, and 9.0 and 11.3 by levels.
const soloDeep = 0.6

// suits leaves meshes to ragged where others search for distances at the same time, for which it
// has no room: an H200 takes 0.36 s for both of t60k then, and 0.39 with this one.
func (solo) suits(found survey) (bool, string) {
	most := float64(fewNear)
	if found.drawn { // others have too little to do at a level, and ragged takes all sources only
		most *= 2
	}
	return float64(found.median) > soloDeep*found.limit() && !found.beside && solo{}.able(found) && found.degree <= most && !found.hubs,
		fmt.Sprintf("median depth %d of %d sources, %.0f being deep, and vertices have %.1f edges", found.median, surveyed, soloDeep*found.limit(), found.degree)
}

// able says whether the method can search a block at all.
func (solo) able(found survey) bool { return found.simple && found.vertices <= soloVertices }

func (solo) fit(s shape, found survey) (shape, error) {
	s.near, s.group, s.marked = nearRow(found.degree), soloGroup, 1<<10
	if s.vertices > s.marked*16 {
		s.marked = soloVertices / 16
	}
	return s, nil
}

func (solo) buffers(s shape) map[string]int64 {
	sources, kept := int64(s.packs)*int64(s.lanes()), int64(4)
	if s.edges > 0 {
		kept = sources * int64((s.vertices+15)/16) * 4
	}
	return map[string]int64{
		"List":   sources * int64(s.vertices) * 2,
		"Ends":   sources * int64(s.levels+2) * 4,
		"Paths":  sources * int64(s.vertices) * int64(s.number),
		"Deltas": sources * int64(s.vertices) * int64(s.number),
		"Kept":   kept,
	}
}

// Calls of kernels/solo.cl.
type (
	soloSearch struct {
		N, Depth, Even           uint32
		Ptr, Adj, Near           buffer
		Order, Place             buffer
		TargetMass, Multiplicity buffer
		Source, List, Ends       buffer
		Paths, Deltas, Kept      buffer
		Sums                     buffer
	}
	soloTally struct {
		N, Squared                uint32
		Order, Source, SourceMass buffer
		Deltas, Rows              buffer
	}
	soloOver struct {
		N, Arcs                  uint32
		Ptr, Adj, Near           buffer
		Order, Place             buffer
		TargetMass, Multiplicity buffer
		Source, SourceMass, Kept buffer
		Paths, Deltas, Cells     buffer
	}
)

// Memory that a launch leaves in any order, or added up in any.
func (soloSearch) unordered() []string { return []string{"List", "Sums"} }

func (solo) search(ctx context.Context, s *stream) error {
	n, even := uint32(s.shape.vertices), uint32(0)
	if isEven(s.task.block) {
		even = 1
	}
	if err := s.launch(soloSearch{N: n, Depth: uint32(s.shape.levels + 2), Even: even}, s.shape.packs*s.shape.lanes(), 1); err != nil {
		return err
	}
	if err := s.pause(ctx); err != nil {
		return err
	}
	s.entries = 0
	for _, count := range s.seating.counts {
		s.entries += int64(count) * int64(n)
	}
	calls := []soloTally{{N: n}}
	if s.shape.drawn {
		calls = append(calls, soloTally{N: n, SourceMass: s.memory["Draws"], Rows: s.memory["DrawnRows"]},
			soloTally{N: n, Squared: 1, SourceMass: s.memory["Draws"], Rows: s.memory["SquareRows"]})
	}
	for _, call := range calls {
		if err := s.tally(call); err != nil {
			return err
		}
	}
	if s.shape.edges == 0 {
		return nil
	}
	return s.launch(soloOver{N: n, Arcs: uint32(s.shape.arcs)}, s.shape.chunks(), s.shape.packs)
}

// isEven says whether all vertices of a block are one target each, and one way through.
func isEven(b *preprocess.Block) bool {
	other := func(x float64) bool { return x != 1 }
	return !slices.ContainsFunc(b.To, other) && !slices.ContainsFunc(b.Multiplicity, other)
}

// nearParts are a block's arrays that kernels/solo.cl reads. Vertices are numbered by
// clusters, so that what lies together is reached soon after each other, and place says
// which number one has.
func nearParts(b *preprocess.Block) []part {
	n := b.Vertices()
	order, place := clusters(b), make([]uint16, n)
	for i, v := range order {
		place[v] = uint16(i)
	}
	length := nearRow(meanDegree(b))
	near := make([]uint16, length*n)
	for i, v := range order {
		row := near[length*i : length*(i+1)]
		for k := range row {
			row[k] = uint16(i)
		}
		if neighbours := b.Neighbours(uint32(v)); len(neighbours) <= length {
			for k, u := range neighbours {
				row[k] = place[u]
			}
		}
	}
	return []part{{"Near", bytesOf(near)}, {"Order", bytesOf(order)}, {"Place", bytesOf(place)}}
}

// clusterSize is how many vertices are numbered together.
const clusterSize = 64

// clusters orders vertices by clusters, each grown breadth first.
func clusters(b *preprocess.Block) []uint16 {
	n := b.Vertices()
	order, taken := make([]uint16, 0, n), make([]bool, n)
	for s := range n {
		if taken[s] {
			continue
		}
		taken[s] = true
		first := len(order)
		order = append(order, uint16(s))
		for at := first; at < len(order) && len(order) < first+clusterSize; at++ {
			for _, u := range b.Neighbours(uint32(order[at])) {
				if !taken[u] && len(order) < first+clusterSize {
					taken[u] = true
					order = append(order, uint16(u))
				}
			}
		}
	}
	return order
}
