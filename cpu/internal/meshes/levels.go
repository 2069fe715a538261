package meshes

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// leveller finds the levels of all vertices of a block, from sources near one another, one for
// each lane at most.
type leveller struct {
	frame
	byLevel     levelKernels
	width       int  // lanes that are searched together once levels are known: numbers in a row
	isShort     bool // levels are short, and lanes twice as many; for distances alone
	block       *preprocess.Block
	levelMemory []uint16 // levels of all lanes, and up to a cache line before them

	start    [lanes]uint16 // level of each source
	latest   uint16        // the largest of them
	farthest int           // breadth-first level of the farthest source
	ends     []uint32      // where each breadth-first level ends
	rankOf   []uint32      // by vertex: its rank plus 1
	inOrder  []uint32      // all ranks
	out, in  arcs          // to successors, and of a directed block from predecessors

	changed, dirty []uint32 // room for ranks
	open           []uint8  // by rank: 1 if it has been added, and is not listed in dirty
}

// far is the level of unreached vertices.
const far = 1<<15 - 1

// Fits says whether 32 bits number the arcs of a block.
func Fits(b *preprocess.Block) bool { return int64(len(b.Targets)) <= math.MaxUint32 }

// lay makes room for a block.
func (s *leveller) lay(b *preprocess.Block) {
	n := b.Vertices()
	s.block = b
	s.levelMemory, s.levels = pages.Aligned(s.levelMemory, n*lanes)
	s.order = pages.Resize(s.order, n+1)
	if s.out.resize(&b.Graph); b.Directed() {
		s.in.resize(b.In)
	}
	s.sums, s.changed, s.rankOf = pages.Resize(s.sums, n), pages.Resize(s.changed, n), pages.Resize(s.rankOf, n)
	s.dirty, s.open, s.inOrder = pages.Cleared(s.dirty, n+1+margin), pages.Cleared(s.open, n), pages.Resize(s.inOrder, n)
	for r := range s.inOrder {
		s.inOrder[r] = uint32(r)
	}
}

// flood ranks the vertices breadth first from the first source, whatever the directions of arcs. It stores the arcs of a
// vertex by rank in its turn, when all its neighbours have a rank.
func (s *leveller) flood(ctx context.Context, sources []uint32) error {
	clear(s.rankOf)
	first := sources[0]
	s.order[0], s.rankOf[first] = first, 1
	found, next := uint32(1), uint32(0)
	s.ends = append(s.ends[:0], 1)
	s.out.offsets[0] = 0
	if s.block.Directed() {
		s.in.offsets[0] = 0
	}
	for r := range uint32(len(s.rankOf)) {
		if r%segment == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if r == found { // no arc joins the others
			for s.rankOf[next] != 0 {
				next++
			}
			found++
			s.order[r], s.rankOf[next] = next, found
		}
		if r == s.ends[len(s.ends)-1] {
			s.ends = append(s.ends, found)
		}
		found = s.rankAll(&s.out, r, s.block.Neighbours(s.order[r]), found)
		if s.block.Directed() {
			found = s.rankAll(&s.in, r, s.block.In.Neighbours(s.order[r]), found)
		}
		s.layFlows(r)
	}
	s.offsets, s.targets = s.out.offsets, s.out.targets
	if s.block.Directed() {
		s.offsets, s.targets = s.in.offsets, s.in.targets
	}
	return nil
}

// rankAll stores the arcs of a rank. It gives ranks from found on to those of its neighbours that have none, and returns
// the next one.
func (s *leveller) rankAll(to *arcs, r uint32, neighbours []uint32, found uint32) uint32 {
	rankOf, order, targets, at := s.rankOf, s.order, to.targets, to.offsets[r]
	for _, u := range neighbours {
		x := rankOf[u]
		fresh := (x - 1) &^ x >> 31 // 1 if x is 0: not predictable
		x |= (found + 1) & -fresh
		rankOf[u], order[found] = x, u
		found += fresh
		targets[at] = x - 1
		at++
	}
	to.offsets[r+1] = at
	return found
}

// seat gives each source its lane.
func (s *leveller) seat(_ context.Context, sources []uint32) error {
	b := s.block
	s.latest = 0
	if b.Farness != nil {
		for _, v := range sources {
			s.latest = max(s.latest, b.Farness[v])
		}
	}
	s.farthest = s.levelOfLast(sources)
	s.blank(0, s.ends[s.farthest])
	for i := range lanes {
		v := sourceOf(sources, i)
		if s.start[i] = 0; b.Farness != nil {
			s.start[i] = s.latest - b.Farness[v]
		}
		s.levelsOf(s.rankOf[v] - 1)[i] = s.start[i]
	}
	return nil
}

// sourceOf returns the source of a lane. Lanes without one repeat the first.
func sourceOf(sources []uint32, lane int) uint32 {
	if lane < len(sources) {
		return sources[lane]
	}
	return sources[0]
}

// levelOfLast returns the breadth-first level of the farthest of some vertices.
func (s *leveller) levelOfLast(vertices []uint32) (level int) {
	last := uint32(0)
	for _, v := range vertices {
		last = max(last, s.rankOf[v]-1)
	}
	for s.ends[level] <= last {
		level++
	}
	return level
}

// settle finds the levels of all vertices. Up to the distance of the farthest source from
// the first, it relaxes until no level changes. From there on it adds one
// breadth-first level after the other. Each is relaxed when it is added, and again
// after the next one. Few rows change then, and mend corrects their neighbours before
// farther vertices use them. So a mesh takes about two relaxations of each vertex.
func (s *leveller) settle(ctx context.Context, _ []uint32) error {
	before, first := uint32(0), uint32(0)
	last := len(s.ends) - 1
	clear(s.open)
	for level := s.farthest; level <= last+1; level++ {
		end := s.ends[min(level, last)]
		for r := first; r < end; r++ {
			s.open[r] = 1
		}
		s.blank(end, s.ends[min(level+1, last)])
		changed, err := s.relax(ctx, s.inOrder[first:end])
		switch {
		case err != nil:
		case first > 0:
			changed, err = s.relax(ctx, s.inOrder[before:first])
		default:
			back := s.dirty[:end]
			copy(back, s.inOrder)
			slices.Reverse(back)
			changed, err = s.relax(ctx, back)
		}
		if err == nil {
			err = s.mend(ctx, changed)
		}
		if err != nil {
			return err
		}
		before, first = first, end
	}
	return nil
}

// blank marks ranks first..end-1 as unreached.
func (s *leveller) blank(first, end uint32) {
	blank := &unreached
	if s.isShort {
		blank = &shortUnreached
	}
	for rows := s.levels[int(first)*lanes : int(end)*lanes]; len(rows) > 0; {
		rows = rows[copy(rows, blank[:]):]
	}
}

// unreached and shortUnreached are rows of unreached levels.
var unreached, shortUnreached = rowsOf(far), rowsOf(shortFar<<8 | shortFar)

func rowsOf(x uint16) (rows [16 * lanes]uint16) {
	for i := range rows {
		rows[i] = x
	}
	return rows
}

// relax relaxes the listed ranks, and lists the changed ones.
func (s *leveller) relax(ctx context.Context, list []uint32) (changed []uint32, err error) {
	relax := s.byLevel.relax
	if s.isShort {
		relax = s.byLevel.relaxShort
	}
	count := 0
	for some := range slices.Chunk(list, relaxEvery) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		count += relax(&s.frame, some, s.changed[count:])
	}
	return s.changed[:count], nil
}

// relaxEvery is how many ranks are relaxed between two looks at the context.
const relaxEvery = 1 << 16

// mend relaxes the added successors of changed ranks until no level
// changes.
func (s *leveller) mend(ctx context.Context, changed []uint32) error {
	for len(changed) > 0 {
		dirty := s.after(changed, s.open, s.dirty)
		for _, r := range dirty {
			s.open[r] = 1
		}
		var err error
		if changed, err = s.relax(ctx, dirty); err != nil {
			return err
		}
	}
	return nil
}

// after lists the open successors of some ranks, each once, and closes them. list has room for
// one more than are open.
func (s *leveller) after(ranks []uint32, open []uint8, list []uint32) []uint32 {
	count := 0
	for _, r := range ranks {
		count = closeAll(s.out.neighbours(r), open, list, count)
	}
	return list[:count]
}

// closeAll lists the open ranks, after the first count of the list, and closes them. It has no branch
// on open, which would be mispredicted. As a function of its own it needs few registers.
//
//go:noinline
func closeAll(ranks []uint32, open []uint8, list []uint32, count int) int {
	for _, r := range ranks {
		list[count] = r
		count += int(open[r])
		open[r] = 0
	}
	return count
}
