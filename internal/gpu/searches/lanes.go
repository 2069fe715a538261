package searches

import (
	"context"
	"fmt"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// maxWords is the largest number of words of lanes in a row: 32 bytes together, the
// smallest memory transfer.
const maxWords = 8

// Lanes searches for hops from up to 256 sources at once, and passes on the same rows as
// a searches.Search of cores. A vertex is visited in every level until it has met all
// lanes: M. Then et al., "The more the merrier: efficient multi-source graph traversal",
// VLDB 2014, in pull form.
//
// Complexity: O((n + m) d) for all sources together, with d levels. Memory on the
// device, with n vertices, m arcs, L lanes: 4(n + m) bytes for the graph, 4.4 n L for
// the lanes; on the host 4n for each thread.
type Lanes struct {
	commands
	graph   *csr.Graph
	cutoff  uint32
	threads int
	buffers map[string]Buffer
	bytes   int64
	words   int
	far     [][]uint32 // by thread: distances of a lane
}

// Calls of kernels/lanes.cl.
type (
	lanesClear struct {
		N, Words, Count      uint32
		Here, Seen, Far, Met Buffer
	}
	lanesSeed struct {
		N, Words, Count          uint32
		Sources, Here, Seen, Far Buffer
	}
	lanesLevel struct {
		N, Words, Level                          uint32
		InPtr, InAdj, Here, Next, Seen, Far, Met Buffer
	}
)

// NewLanes loads a graph onto the device, with memory for as many lanes as fit, but no
// more than the sources need. Distances beyond the cutoff are left out; below 0: none.
// threads goroutines make rows of the results. The error is ErrProblem, for a graph with
// lengths or too many arcs, or the device's.
func (s *Searches) NewLanes(g *csr.Graph, cutoff int64, sources, threads int) (*Lanes, error) {
	switch {
	case g.HasLengths():
		return nil, fmt.Errorf("searches: %w: lanes count hops, not lengths", ErrProblem)
	case int64(len(g.Targets)) > maxArcs:
		return nil, fmt.Errorf("searches: %w: %d arcs, at most %d", ErrProblem, len(g.Targets), int64(maxArcs))
	}
	l := &Lanes{graph: g, cutoff: none - 1, threads: max(threads, 1), buffers: make(map[string]Buffer)}
	var err error
	if l.commands, err = s.commands(BFS, func(name string) (Buffer, error) { return l.buffers[name], nil }); err != nil {
		return nil, err
	}
	if cutoff >= 0 {
		l.cutoff = uint32(min(cutoff, none-1))
	}
	if err := l.load(sources); err != nil {
		l.Release()
		return nil, err
	}
	return l, nil
}

// load allocates the memory.
func (l *Lanes) load(sources int) error {
	in, n := l.graph.Reverse(), l.graph.Vertices()
	for name, content := range map[string][]byte{"InPtr": offsets(in), "InAdj": bytesOf(in.Targets)} {
		b, err := l.allocate(name, max(len(content), unused))
		if err == nil && len(content) > 0 {
			err = l.of.device.Write(b, 0, content)
		}
		if err != nil {
			return err
		}
	}
	for l.words = max(min((sources+31)/32, maxWords), 1); ; l.words /= 2 {
		row, before := 4*n*l.words, l.bytes
		sizes := []struct {
			name  string
			bytes int
		}{{"Far", 32 * row}, {"Here", row}, {"Next", row}, {"Seen", row}, {"Sources", 4 * 32 * l.words}, {"Met", 4 * 3}}
		var err error
		for _, s := range sizes {
			if _, err = l.allocate(s.name, max(s.bytes, unused)); err != nil {
				break
			}
		}
		if err == nil {
			return nil
		}
		if l.words == 1 {
			return err
		}
		for _, s := range sizes { // half as many
			if b, there := l.buffers[s.name]; there {
				l.of.device.Free(b)
				delete(l.buffers, s.name)
			}
		}
		l.bytes = before
	}
}

func (l *Lanes) allocate(name string, bytes int) (Buffer, error) {
	b, err := l.of.device.Allocate(bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.buffers[name] = b
	l.bytes += int64(bytes)
	return b, nil
}

// Release frees the memory on the device.
func (l *Lanes) Release() {
	for _, b := range l.buffers {
		l.of.device.Free(b)
	}
	l.buffers = nil
}

// Lanes returns the largest number of sources of a Run.
func (l *Lanes) Lanes() int { return 32 * l.words }

// Bytes returns the device memory in use.
func (l *Lanes) Bytes() int64 { return l.bytes }

// HostBytes returns about the most host memory of a Run of Lanes or ByLengths. It counts
// distances of one source per thread, and of the current one; and rows of these and of
// two that wait.
func HostBytes(g *csr.Graph, threads int) int64 {
	const distance, row = 4, 4 + 8
	return int64(g.Vertices()) * int64((threads+1)*(distance+row)+2*row)
}

// Group returns the number of work-items of a work-group.
func (l *Lanes) Group() int { return l.of.group }

// Run searches from the sources and calls emit for each, in their order, from the
// calling goroutine. It ends with emit's error, the context's, or the device's. It
// notices that a context has ended when the device has done what was launched, at most
// 32 levels.
func (l *Lanes) Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error {
	if err := l.search(ctx, sources); err != nil {
		return err
	}
	n := l.graph.Vertices()
	for first := 0; first < len(sources); first += l.threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := make([]searches.Rows, min(l.threads, len(sources)-first))
		for i := range rows {
			if i == len(l.far) {
				l.far = append(l.far, make([]uint32, n))
			}
			if err := l.of.device.Read(l.buffers["Far"], 4*n*(first+i), bytesOf(l.far[i])); err != nil {
				return fmt.Errorf("searches: distances from source %d: %w", first+i, err)
			}
		}
		parallel.EachWhole(l.threads, len(rows), func(_, i int) { rows[i] = l.of.Spare.RowsOf(l.far[i]) })
		for _, r := range rows {
			if err := emit(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// search leaves the distances of all lanes on the device.
func (l *Lanes) search(ctx context.Context, sources []uint32) error {
	n, words, count := l.graph.Vertices(), uint32((len(sources)+31)/32), uint32(len(sources))
	l.err = nil
	l.write("Sources", bytesOf(sources))
	l.all(lanesClear{N: uint32(n), Words: words, Count: count}, n*int(words))
	l.all(lanesSeed{N: uint32(n), Words: words, Count: count}, len(sources))
	met := make([]uint32, 3)
	level, last := uint32(1), uint32(0)
	for ahead := uint32(4); level <= l.cutoff; ahead = min(2*ahead, window) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for last = min(level-1+ahead, l.cutoff); level <= last; level++ {
			call := lanesLevel{N: uint32(n), Words: words, Level: level, Here: l.buffer("Here"), Next: l.buffer("Next")}
			if level%2 == 0 {
				call.Here, call.Next = call.Next, call.Here
			}
			l.all(call, n*int(words))
		}
		if l.read("Met", bytesOf(met)); met[last%3] == 0 || l.err != nil {
			break
		}
	}
	return l.err
}
