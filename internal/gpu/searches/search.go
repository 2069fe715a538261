package searches

import (
	"context"
	"fmt"
	"math"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
)

// Searches holds a device and its kernels for searches. One goroutine uses it at a time.
type Searches struct {
	device   Device
	group    int // work-items of a work-group
	crew     int // work-items of the work-group that does narrow rounds alone
	programs map[Problem]Program
	kept     *kept // see Keep; nil: nothing

	Spare *searches.Spare // memory for rows of Lanes and ByLengths; nil: new
}

// New prepares to search on a device, which the caller closes.
func New(d Device) *Searches {
	return &Searches{device: d, group: groupOf(d, 256), crew: groupOf(d, crewOf(d.Local())), programs: make(map[Problem]Program)}
}

// Release frees the kernels, and the kept graph.
func (s *Searches) Release() {
	s.forget()
	for _, p := range s.programs {
		p.Release()
	}
}

func (s *Searches) program(p Problem) (Program, error) {
	if built := s.programs[p]; built != nil {
		return built, nil
	}
	built, err := s.device.Build(source(), options(p, s.group, s.crew))
	if err == nil {
		s.programs[p] = built
	}
	return built, err
}

// Search is for one graph, one problem and one strategy.
type Search struct {
	commands
	graph   *csr.Graph // in the device's numbers
	order   *order     // of its vertices, if they have other numbers there
	problem Problem
	method  method
	kept    *kept // of the graph; nil: nothing
	buffers map[string]Buffer
	own     []Buffer     // the part of buffers that is this search's
	uses    []*keptArray // and the shared part
	bytes   int64
	depth   int     // rounds of the last run
	rounds  []round // rounds with vertices at hand, unless the strategy is driven
	whole   []bool  // by round: it scanned the whole graph, where a strategy does so in some

	most   int        // for strategies with a limit: arcs of a vertex that one work-item may have at a time
	parts  csr.Stride // of vertices with more, where a strategy splits them
	firsts []uint32   // by vertex: its first part
	rise   uint32     // of the limit, for near; 0: not yet computed
}

// Of makes a search. The first Run allocates its memory on the device. The error is
// ErrProblem, or the device's.
func (s *Searches) Of(g *csr.Graph, p Problem, name Strategy) (*Search, error) {
	how, ok := find(name, p)
	switch {
	case !ok:
		return nil, fmt.Errorf("searches: %w: %s by strategy %s", ErrProblem, p, name)
	case int64(len(g.Targets)) > maxArcs:
		return nil, fmt.Errorf("searches: %w: %d arcs, at most %d", ErrProblem, len(g.Targets), int64(maxArcs))
	}
	search := &Search{graph: g, problem: p, method: how, kept: s.keeps(g), buffers: make(map[string]Buffer), parts: csr.Stride{Most: none}}
	var err error
	if search.commands, err = s.commands(p, search.named); err != nil {
		return nil, err
	}
	if how.byDegree {
		search.order, search.graph = s.orderOf(g)
	}
	if how.limits {
		parts, err := s.partsOf(g)
		if err != nil {
			return nil, err
		}
		search.most = parts.Most
		if how.splits {
			search.parts, search.firsts = *parts, make([]uint32, g.Vertices())
			for i := len(parts.Map) - 1; i >= 0; i-- {
				search.firsts[parts.Map[i]] = uint32(i)
			}
		}
	}
	return search, nil
}

// Release frees the memory on the device.
func (s *Search) Release() { s.release() }

// Bytes returns the device memory that the search has allocated: the graph, as far as its
// kernels read it, and the search's state.
func (s *Search) Bytes() int64 { return s.bytes }

// Rounds returns the number of rounds of the last Run: with hops, one more than the
// largest distance.
func (s *Search) Rounds() int { return s.depth }

// Calls of kernels/common.cl.
type (
	fill struct {
		Words, Value uint32
		Out          Buffer
	}
	begin struct {
		Source        uint32
		Offers, Paths Buffer
	}
)

// Run searches from a vertex, and returns when the device is done. The error is the
// context's, ErrRange, or the device's. It notices that a context has ended when the
// device has done what was launched, at most 32 rounds.
func (s *Search) Run(ctx context.Context, source uint32) error {
	s.err = nil
	if s.order != nil {
		source = s.order.numbers[source]
	}
	var err error
	if d, ok := s.method.strategy.(driven); ok {
		err = s.drive(ctx, d, source)
	} else {
		err = s.goThrough(ctx, s.start(source))
	}
	if err == nil && s.problem == BC {
		err = s.back(ctx)
	}
	if err != nil || s.problem != SSSP {
		return err
	}
	var fault [1]uint32
	if s.read("Fault", bytesOf(fault[:])); s.err == nil && fault[0] != 0 {
		return fmt.Errorf("searches: %w", ErrRange)
	}
	return s.err
}

// goThrough launches rounds from the first on.
func (s *Search) goThrough(ctx context.Context, first round) error {
	s.rounds, s.whole = s.rounds[:0], s.whole[:0]
	for ahead := 4; first.vertices > 0 && s.err == nil; ahead = min(2*ahead, window) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.method.looks {
			ahead = 1
		}
		first = s.advance(first, ahead)
	}
	s.depth = len(s.rounds)
	return s.err
}

// start clears the last search, and puts the source at hand.
func (s *Search) start(source uint32) round {
	clear := map[string]uint32{"Dist": none, "Offers": none}
	n := s.graph.Vertices()
	words := map[string]int{"Paths": 2 * n, "Sums": 2 * n, "Fault": 1}
	switch s.problem {
	case SSSP:
		clear["Active"], clear["Marks"], clear["Fault"] = none, none, 0
	case BC:
		clear["Paths"], clear["Sums"] = 0, 0
	}
	for name, value := range clear {
		count := n
		if special, ok := words[name]; ok {
			count = special
		}
		s.all(fill{uint32(count), value, s.buffer(name)}, count)
	}
	s.launch(begin{Source: source}, 1)
	if !s.method.lists {
		return round{vertices: 1}
	}
	degree := len(s.graph.Neighbours(source))
	entries, starts := []uint32{source}, []uint32{0}
	if ways := s.parts.Ways(degree); ways > 0 {
		entries[0] = uint32(n) + s.firsts[source]
		for i := 1; i < ways; i++ {
			entries = append(entries, entries[0]+uint32(i))
			starts = append(starts, starts[i-1]+uint32((degree-i+ways)/ways))
		}
	}
	s.write("Queue", bytesOf(entries))
	s.write("Starts", bytesOf(starts))
	return round{vertices: uint32(len(entries)), arcs: uint32(degree)}
}

// advance launches rounds from a known one on, reads their sizes, and returns the round
// after them.
func (s *Search) advance(from round, rounds int) (next round) {
	sizes, bases := make([]uint64, rounds+1), make([]uint32, rounds+1)
	sizes[0], bases[0] = uint64(from.vertices)<<32|uint64(from.arcs), from.first
	s.place(sizes, bases)
	for i := range uint32(rounds) {
		r := round{number: from.number + i, at: i}
		if i == 0 {
			r = from
			r.at = 0
		}
		s.settle(r)
		s.method.forward(s, r)
	}
	if s.read("Sizes", bytesOf(sizes)); s.method.lists {
		s.read("Bases", bytesOf(bases))
	}
	for i, size := range sizes {
		next = round{number: from.number + uint32(i), at: uint32(i), vertices: uint32(size >> 32), arcs: uint32(size), first: bases[i]}
		if i < rounds && next.vertices > 0 {
			s.rounds = append(s.rounds, next)
		}
	}
	return next
}

// place writes how many vertices and arcs rounds have, and where their lists begin.
func (s *Search) place(sizes []uint64, bases []uint32) {
	if s.write("Sizes", bytesOf(sizes)); s.method.lists {
		s.write("Bases", bytesOf(bases))
	}
}

// settle launches the kernel that makes distances of a round's offers.
func (s *Search) settle(r round) {
	n := uint32(s.graph.Vertices())
	if s.method.lists {
		s.all(settle{N: n, Round: r.number, At: r.at, Other: uint32(s.entries())}, int(n))
	} else {
		s.all(settleAll{N: n, Round: r.number}, int(n))
	}
}

// back goes through the rounds again, the last one first, and adds up dependencies.
func (s *Search) back(ctx context.Context) error {
	n := uint32(s.graph.Vertices())
	for end := len(s.rounds); end > 1; { // the source's dependency is not needed
		if err := ctx.Err(); err != nil {
			return err
		}
		some := s.rounds[max(end-window, 1):end]
		end -= len(some)
		sizes, bases := make([]uint64, len(some)), make([]uint32, len(some))
		for i, r := range some {
			sizes[i], bases[i] = uint64(r.vertices)<<32|uint64(r.arcs), r.first
		}
		s.place(sizes, bases)
		for i := len(some) - 1; i >= 0; i-- {
			r := some[i]
			r.at = uint32(i)
			if int(r.number) < len(s.rounds)-1 {
				s.method.backward(s, r)
			}
			if s.method.lists {
				s.all(closeList{N: n, First: r.first, Count: r.vertices}, int(r.vertices))
			} else {
				s.all(closeAll{N: n, Level: r.number}, int(n))
			}
		}
	}
	s.read("Sizes", make([]byte, 8)) // waits
	return s.err
}

// Found is the result of a search, by vertex.
type Found struct {
	Distances    []uint32  // None: not reached
	Paths        []float64 // BC: shortest paths from the source; 0: not reached
	Dependencies []float64 // BC: see preprocess.Block; 0 at the source
}

// None is the distance of a vertex that is not reached.
const None = math.MaxUint32

// Found reads the result of the last Run.
func (s *Search) Found() (Found, error) {
	n := s.graph.Vertices()
	f := Found{Distances: make([]uint32, n)}
	s.read("Dist", bytesOf(f.Distances))
	if s.order != nil {
		f.Distances = s.order.old(f.Distances)
	}
	if s.problem == BC {
		f.Paths, f.Dependencies = make([]float64, n), make([]float64, n)
		s.read("Paths", bytesOf(f.Paths))
		s.read("Sums", bytesOf(f.Dependencies))
	}
	return f, s.err
}
