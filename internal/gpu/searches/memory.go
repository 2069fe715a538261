package searches

import (
	"fmt"
	"math"
	"unsafe"

	"bcstage/internal/csr"
)

// none is NONE in kernels: no distance, and no limit of degrees.
const none = math.MaxUint32

// window is the largest number of rounds launched ahead.
const window = 32

// maxArcs is the largest number of arcs of a graph. Indices of arcs that work-items
// visit in strides then stay in 32 bits.
const maxArcs = 1<<32 - 1<<24

// unused is the size of a buffer that a problem or strategy does not have: kernels get
// some memory.
const unused = 8

// named returns the search's memory of a name, which is allocated when it is first
// asked for. So a search takes only what its kernels use.
func (s *Search) named(name string) (Buffer, error) {
	switch {
	case name == "Origins" && s.problem != BFS: // tails, which few strategies need with BFS
		name = "Tails"
	case name == "InPtr" && !s.graph.Directed():
		name = "Ptr"
	case name == "InAdj" && !s.graph.Directed():
		name = "Adj"
	}
	if b, there := s.buffers[name]; there {
		return b, nil
	}
	if s.kept != nil && s.ofGraph(name) {
		a, err := s.shared(name)
		if err != nil {
			return nil, err
		}
		s.buffers[name] = a.buffer
		s.bytes += int64(a.bytes)
		return a.buffer, nil
	}
	b, size, err := s.filled(name)
	if err != nil {
		return nil, err
	}
	s.buffers[name], s.own = b, append(s.own, b)
	s.bytes += int64(size)
	return b, nil
}

// filled allocates memory for an array, and writes its initial content.
func (s *Search) filled(name string) (Buffer, int, error) {
	content, size := s.array(name)
	size = max(size, len(content), unused)
	b, err := s.of.device.Allocate(size)
	if err != nil && s.kept != nil && s.kept.trim(s.of.device) {
		b, err = s.of.device.Allocate(size)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	if len(content) > 0 {
		if err := s.of.device.Write(b, 0, content); err != nil {
			s.of.device.Free(b)
			return nil, 0, err
		}
	}
	return b, size, nil
}

// array returns the initial content of an array, if any, or its size in bytes. It is by
// vertex, unless stated otherwise.
func (s *Search) array(name string) (content []byte, size int) {
	n, arcs := s.graph.Vertices(), len(s.graph.Targets)
	only := func(p Problem, size int) ([]byte, int) {
		if s.problem != p {
			size = unused
		}
		return nil, size
	}
	switch name {
	// The graph.
	case "Ptr": // n+1: where the arcs of a vertex begin in Adj
		return offsets(s.graph), 0
	case "Adj": // by arc: where it leads
		return bytesOf(s.graph.Targets), 0
	case "Tails": // by arc: the vertex that it leaves
		return tails(s.graph), 0
	case "Lengths": // by arc
		if s.problem != SSSP {
			return nil, unused
		}
		return lengths(s.graph), 0
	case "InPtr":
		return offsets(s.graph.In), 0
	case "InAdj":
		return bytesOf(s.graph.In.Targets), 0
	case "Origins":
		return nil, unused
	case "Map": // by part of a vertex with many arcs: see csr.Stride
		return bytesOf(s.parts.Map), 0
	case "Off":
		return bytesOf(s.parts.Off), 0
	case "Firsts": // its first part, if it has some
		return bytesOf(s.firsts), 0
	// The search.
	case "Dist", "Offers":
		return nil, 4 * n
	case "Active", "Marks": // rounds: in which it is at hand; in whose list it is
		return only(SSSP, 4*n)
	case "Paths", "Sums", "Shares":
		return only(BC, 8*n)
	case "Queue", "Starts": // vertices at hand, by place in the list, and where their arcs begin
		return nil, 4 * s.capacity()
	case "List", "NextList": // arcs that leave the list
		return nil, 4 * arcs
	case "More", "EvenMore": // vertices of the list that have arcs left
		return nil, 4 * n
	case "Begins": // where those arcs begin among all that are left, when few vertices have some
		return nil, 4 * s.of.group
	case "Rest": // how many vertices have some (upper half), and arcs (lower half)
		return nil, 8
	case "Zero":
		return make([]byte, 4), 0
	case "Sizes": // by round: vertices (upper half) and arcs at hand
		return nil, 8 * (window + 1)
	case "Bases": // by round: where the list begins in Queue
		return nil, 4 * (window + 1)
	case "Progress": // the state of a driven search: kernels/narrow.cl
		return nil, 4 * progressWords
	case "Lots": // vertices and arcs of a round as in Sizes, in push direction
		return nil, 8
	case "Bits": // a bit each: at hand, in even rounds and in odd ones
		return nil, 2 * ((n + 31) / 32 * 4)
	case "Seen": // a bit each
		return nil, (n + 31) / 32 * 4
	case "Far": // whether it is in a pile
		return only(SSSP, 4*n)
	case "Pile": // two piles of vertices
		return nil, 2 * 4 * n
	case "Piled": // their heights
		return nil, 2 * 4
	case "Lowest": // lowest offer to the vertices in them
		return nil, 4
	case "Fault": // not 0 if a distance did not fit
		return nil, 4
	}
	panic("searches: no array " + name)
}

// capacity returns the number of entries of Queue: those of all rounds or, with SSSP,
// where vertices come again, of two.
func (s *Search) capacity() int {
	if s.problem == SSSP {
		return 2 * s.entries()
	}
	return s.entries()
}

// entries returns the largest length of a round's list.
func (s *Search) entries() int { return s.graph.Vertices() + len(s.parts.Map) }

func (s *Search) release() {
	for _, b := range s.own {
		s.of.device.Free(b)
	}
	for _, a := range s.uses {
		a.users--
	}
	s.buffers, s.own, s.uses = nil, nil, nil
}

// offsets returns a graph's offsets with 32 bits.
func offsets(g *csr.Graph) []byte {
	list := make([]uint32, len(g.Offsets))
	for v, offset := range g.Offsets {
		list[v] = uint32(offset)
	}
	return bytesOf(list)
}

// tails returns the vertices that arcs leave.
func tails(g *csr.Graph) []byte {
	list := make([]uint32, 0, len(g.Targets))
	for v := range uint32(g.Vertices()) {
		for range g.Neighbours(v) {
			list = append(list, v)
		}
	}
	return bytesOf(list)
}

// lengths returns a graph's lengths with 32 bits. A longer arc gets an impossible
// length, and a search that goes along it reports that.
func lengths(g *csr.Graph) []byte {
	list := make([]uint32, len(g.Targets))
	for e := range list {
		list[e] = 1
		if g.HasLengths() {
			list[e] = uint32(min(g.Lengths[e], none))
		}
	}
	return bytesOf(list)
}

// bytesOf is the memory of a slice of numbers.
func bytesOf[T uint32 | uint64 | float64](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
