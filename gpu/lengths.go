package gpu

import (
	"context"
	_ "embed"

	"bcstage/preprocess"
)

// Lengths searches by distances that are sums of lengths: for blocks whose arcs have
// some. It is no choice beside those that go from level to level, but the only one there,
// whatever strategy is asked for.
const Lengths Strategy = "lengths"

// lengths is the method of kernels/lengths.cl, and of lengths_paths.cl.
type lengths struct{}

//go:embed kernels/lengths.cl
var lengthsSource string

//go:embed kernels/lengths_paths.cl
var lengthsPathsSource string

func (lengths) name() Strategy { return Lengths }

func (lengths) source() string { return lengthsSource + lengthsPathsSource }

func (lengths) suits(found survey) (bool, string) {
	return found.lengths.arcs > 0, "arcs have lengths"
}

// fit takes rows of one word of lanes: distances of more do not lie together.
func (lengths) fit(s shape, found survey) (shape, error) {
	s.lengths = found.lengths
	s.words, s.directed = 1, found.directed
	s.wide = s.lengths.wide
	return s, nil
}

// farthest is more than any distance of 32 bits. It and a length make no overflow.
const farthest = 1<<31 - 1

// distanceBytes is the size of a distance, and of a length.
func (s shape) distanceBytes() int64 {
	if s.wide {
		return 8
	}
	return 4
}

// lengthSizes are what memory and windows follow from, of a block with lengths.
type lengthSizes struct {
	arcs   int
	beyond int64 // more than any distance that counts
	width  int64 // of a window
	wide   bool  // distances, or lengths, have more than 31 bits
}

// windowArcs is how many arcs of mean length make a window.
const windowArcs = 4

func lengthSizesOf(b *preprocess.Block) (l lengthSizes) {
	if !b.HasLengths() {
		return l
	}
	sum, longest := 0.0, int64(0)
	for _, length := range b.Lengths {
		sum += float64(length)
		longest = max(longest, length)
	}
	l = lengthSizes{arcs: len(b.Targets), beyond: b.LongestWalk() + 1}
	if b.Cutoff > 0 {
		l.beyond = min(l.beyond, int64(b.Cutoff)+1)
	}
	l.wide = max(l.beyond, longest) > farthest
	l.width = int64(min(windowArcs*sum/float64(len(b.Lengths)), float64(l.beyond))) + 1
	return l
}

// marksIn is how many words of marks, for each of two lists, a work-group keeps in local
// memory of so many bytes: one of two numbers, since each is a program of its own, which
// takes an H200 most of a second to build when it is met first. 0: there is no room.
func (l lengthSizes) marksIn(local int64, vertices int) int {
	const rest = 1 << 8 // bytes that kernels have beside marks
	for words := 2048; l.arcs > 0 && int64(2*4*words+rest) <= min(local, mostMarks); words *= 2 {
		if vertices <= words*32 {
			return words
		}
	}
	return 0
}

// mostMarks is how many bytes of local memory are for marks at most, so that a compute
// unit has room for several work-groups.
const mostMarks = 1<<15 + 1<<8

func (lengths) buffers(s shape) map[string]int64 {
	rows := int64(s.packs) * int64(s.vertices)
	arcs := int64(s.packs) * int64(s.lengths.arcs)
	marks := int64(8)
	if s.marked == 0 {
		marks = int64(s.packs) * 2 * int64((s.vertices+31)/32) * 4
	}
	return map[string]int64{
		"Away":    rows * team * s.distanceBytes(),
		"Before":  arcs * 4,
		"After":   arcs * 4,
		"Reached": rows * 4,
		"Broken":  int64(s.packs) * 4,
		"Settled": rows * 4,
		"Paths":   rows * team * int64(s.number),
		"Shares":  rows * team * int64(s.number),
		"Lists":   3 * rows * 4,
		"Marks":   marks,
	}
}

// Calls of kernels/lengths.cl and kernels/lengths_paths.cl.
type (
	lengthsSearch struct {
		N, BeyondLow, BeyondHigh uint32
		WidthLow, WidthHigh      uint32
		Ptr, Adj, Length         buffer
		Source, Away, Broken     buffer
		Lists, Marks             buffer
	}
	lengthsLink struct {
		N, BeyondLow, BeyondHigh     uint32
		Arcs                         uint32
		Ptr, Adj, Length             buffer
		InPtr, InAdj, InLength       buffer
		Away, Before, After, Reached buffer
		Broken                       buffer
	}
	lengthsCount struct {
		N, Arcs                      uint32
		Ptr, Adj, InPtr, InAdj       buffer
		Multiplicity, Source         buffer
		Away, Before, After, Reached buffer
		Broken, Settled, Paths       buffer
		Lists, Marks                 buffer
	}
	lengthsDepend struct {
		N, Arcs                              uint32
		Ptr, Adj, InPtr, InAdj               buffer
		TargetMass, Multiplicity             buffer
		Before, After, Reached               buffer
		Settled, Paths, Shares, Lists, Marks buffer
	}
	lengthsTally struct {
		N, BeyondLow, BeyondHigh uint32
		Chunks, Squared          uint32
		TargetMass, Away, Broken buffer
		Paths, SourceMass        buffer
		Rows, Parts              buffer
	}
)

// Memory that a launch leaves in any order.
func (lengthsSearch) unordered() []string { return []string{"Lists", "Marks"} }
func (lengthsCount) unordered() []string  { return []string{"Lists", "Marks"} }
func (lengthsDepend) unordered() []string { return []string{"Lists", "Marks"} }

// search has a work-group for each pack go through to the end, step by step.
func (lengths) search(ctx context.Context, s *stream) error {
	l, n := s.shape.lengths, uint32(s.shape.vertices)
	low, high, arcs := uint32(l.beyond), uint32(l.beyond>>32), uint32(l.arcs)
	inPtr, inAdj, inLength := s.graph.way("Ptr"), s.graph.way("Adj"), s.graph.way("Length")
	if err := s.launch(lengthsSearch{N: n, BeyondLow: low, BeyondHigh: high, WidthLow: uint32(l.width), WidthHigh: uint32(l.width >> 32)}, s.shape.packs, 1); err != nil {
		return err
	}
	if err := s.pause(ctx); err != nil {
		return err
	}
	if err := s.launch(lengthsLink{N: n, BeyondLow: low, BeyondHigh: high, Arcs: arcs, InPtr: inPtr, InAdj: inAdj, InLength: inLength}, s.shape.chunks(), s.shape.packs); err != nil {
		return err
	}
	if err := s.launch(lengthsCount{N: n, Arcs: arcs, InPtr: inPtr, InAdj: inAdj}, s.shape.packs, 1); err != nil {
		return err
	}
	if err := s.pause(ctx); err != nil {
		return err
	}
	if err := s.launch(lengthsDepend{N: n, Arcs: arcs, InPtr: inPtr, InAdj: inAdj}, s.shape.packs, 1); err != nil {
		return err
	}
	calls := []lengthsTally{{N: n, BeyondLow: low, BeyondHigh: high, Chunks: uint32(s.shape.chunks())}}
	if s.shape.drawn {
		calls = append(calls, calls[0], calls[0])
		calls[1].SourceMass, calls[1].Rows = s.memory["Draws"], s.memory["DrawnRows"]
		calls[2].SourceMass, calls[2].Rows, calls[2].Squared = s.memory["Draws"], s.memory["SquareRows"], 1
	}
	for _, call := range calls {
		if err := s.tally(call); err != nil {
			return err
		}
	}
	return s.foldParts()
}

// TakesLengths says whether a block is for devices as far as lengths go: where there are
// some, paths are searched from edge to edge, to targets that count the same for all.
func TakesLengths(b *preprocess.Block) bool {
	return !b.HasLengths() || b.Kind() == preprocess.KindLengths && len(b.Waived) == 0 && !b.HasFlows() && !b.Linear
}

// TakesMasses says whether a block is for devices as far as masses go: as sources and as targets, they are no more
// in all than vertices can be, which is what kernels have room for, and count alike at any distance.
func TakesMasses(b *preprocess.Block) bool {
	if b.Decay != nil {
		return false
	}
	light := func(masses []float64) bool {
		total := 0.0
		for _, mass := range masses {
			total += mass
		}
		return total <= preprocess.MaxVertices
	}
	return light(b.From) && (b.OneMass() || light(b.To))
}

// unitPacks is how many packs, each a work-group, a compute unit has to do in a wave.
const unitPacks = 8
