package preprocess

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"bcstage/internal/parallel"
)

// checkPrepared checks that every number of a file is in its range, so that no index
// leads out of an array. It does not check that the numbers describe a graph:
// checksums protect against decay, not against forgery.
func (p *Prepared) checkPrepared(ctx context.Context, threads int) error {
	if err := p.IDs.Check(); err != nil {
		return damaged("%w", err)
	}
	if err := p.Scopes.Check(); err != nil {
		return damaged("%w", err)
	}
	n := int64(p.Vertices)
	for v, number := range p.ComponentOf {
		if int(number) >= p.Vertices {
			return damaged("vertex %d: component %d", v, number)
		}
	}
	for v, member := range p.IndependentSet {
		if member > 1 {
			return damaged("vertex %d: %d times in the independent set", v, member)
		}
	}
	for _, c := range p.ClosedForms {
		for v, pairs := range c.Low {
			if pairs < 0 || pairs > n*n {
				return damaged("vertex %d: closed form of %d ordered pairs", v, pairs)
			}
		}
	}
	rows := make([]int, len(p.Blocks)+1) // of all blocks in sequence
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if err := b.checkShape(p.Vertices); err != nil {
			return damaged("block %d: %w", i, err)
		}
		rows[i+1] = rows[i] + b.Vertices()
	}
	var first firstError
	err := parallel.Spread(ctx, threads, rows[len(p.Blocks)], 1<<14, func(lo, hi int) {
		i, found := slices.BinarySearch(rows, lo)
		if !found {
			i--
		}
		for ; i < len(p.Blocks) && rows[i] < hi; i++ {
			if err := p.Blocks[i].checkRows(max(lo-rows[i], 0), min(hi, rows[i+1])-rows[i], p.Vertices); err != nil {
				first.set(damaged("block %d: %w", i, err))
			}
		}
	})
	if err == nil && first.err == nil {
		err = parallel.Each(ctx, threads, len(p.Blocks), func(_, i int) {
			if err := p.Blocks[i].checkOrder(p.Vertices); err != nil {
				first.set(damaged("block %d: %w", i, err))
			}
		})
	}
	if first.err != nil {
		return first.err
	}
	return err
}

// firstError keeps one of the errors of several goroutines.
type firstError struct {
	once sync.Once
	err  error
}

func (f *firstError) set(err error) { f.once.Do(func() { f.err = err }) }

// checkShape checks the numbers that a block has one of.
func (b *Block) checkShape(vertices int) error {
	n := b.Vertices()
	switch {
	case n < 2 || n > vertices+b.virtual() || len(b.vertices) > vertices:
		return fmt.Errorf("%d vertices of %d", n, vertices)
	case b.Lanes < 1 || b.Lanes > b.mostLanes():
		return fmt.Errorf("%d lanes", b.Lanes)
	case b.Entries < 0 || b.Entries > n*max(b.Lanes, shallow):
		return fmt.Errorf("%d frontier entries", b.Entries)
	case b.Offsets[0] != 0 || b.Offsets[n] != int64(len(b.Targets)):
		return fmt.Errorf("offsets do not span %d targets", len(b.Targets))
	case b.Directed() && (b.In.Offsets[0] != 0 || b.In.Offsets[n] != int64(len(b.In.Targets))):
		return fmt.Errorf("offsets the other way round do not span %d targets", len(b.In.Targets))
	case b.classes != nil && (b.classes[0] != 0 || int(b.classes[n]) != len(b.vertices)):
		return fmt.Errorf("classes do not span %d vertices", len(b.vertices))
	}
	if b.Kind().Reach() && (b.Chains != nil || b.classes != nil || b.Farness != nil || b.Waived != nil || b.virtual() > 0) {
		return fmt.Errorf("distances of what has masses")
	}
	if r := b.Roads; r != nil && (b.Directed() || b.HasLengths() || len(b.Sources) != n || len(r.Into) != n || r.First[0] != 0 || int(r.First[len(r.Ends)]) != len(r.Inner)) {
		return fmt.Errorf("roads of %d vertices, %d inside chains", n, len(r.Inner))
	}
	if c := b.Chains; c != nil && (b.classes != nil || len(c.Junctions) < 2 || len(c.Junctions)+len(c.Inner) != n ||
		c.First[0] != 0 || int(c.First[len(c.Ends)]) != len(c.Inner)) {
		return fmt.Errorf("%d junctions and %d vertices inside chains for %d", len(c.Junctions), len(c.Inner), n)
	}
	return nil
}

// checkRows checks the arrays by vertex, for the vertices lo..hi-1.
func (b *Block) checkRows(lo, hi, vertices int) error {
	least := 1.0
	if !b.OneMass() {
		least = 0 // a vertex may have no source, or target, mass
	}
	for v := lo; v < hi; v++ {
		path := vertices // of the longest path
		if b.HasFlows() {
			path = 3 // a shortcut is as long as several arcs: see contract
		}
		if err := b.CheckRow(v, path, b.Repeats()); err != nil {
			return err
		}
		if b.Directed() {
			if err := b.In.CheckRow(v, path, b.Repeats()); err != nil {
				return fmt.Errorf("the other way round: %w", err)
			}
		}
		if b.Kind().Reach() {
			continue
		}
		for _, mass := range [2]float64{b.From[v], b.To[v]} {
			if !(mass >= least && mass <= float64(vertices)) || mass != math.Trunc(mass) {
				return fmt.Errorf("vertex %d: mass %g", v, mass)
			}
		}
		if b.classes == nil {
			continue
		}
		// The last classes of a directed block may be virtual, without members.
		virtual := b.Directed() && int(b.classes[v]) == len(b.vertices) && b.classes[v] == b.classes[v+1]
		if b.classes[v] >= b.classes[v+1] && !virtual || int(b.classes[v+1]) > len(b.vertices) {
			return fmt.Errorf("class %d: members %d to %d", v, b.classes[v], b.classes[v+1])
		}
		if members := b.classes[v+1] - b.classes[v]; b.Multiplicity[v] != max(float64(members), 1) {
			return fmt.Errorf("class %d: multiplicity %g of %d members", v, b.Multiplicity[v], members)
		}
		if within := b.within[v]; within < 0 || within > float64(vertices)*float64(vertices) || within > 0 && b.Offsets[v] == b.Offsets[v+1] {
			return fmt.Errorf("class %d: %g pairs within", v, within)
		}
	}
	return nil
}

// checkOrder checks the graph vertices, lists that have every vertex once, and
// chains.
func (b *Block) checkOrder(vertices int) error {
	for _, v := range b.vertices {
		if int(v) >= vertices {
			return fmt.Errorf("vertex %d of %d", v, vertices)
		}
	}
	n := b.Vertices()
	for i, x := range b.Waived {
		if int(x.Source) >= n || int(x.Target) >= n || !(x.Mass > 0 && x.Mass <= b.To[x.Target]) || i > 0 && x.Source < b.Waived[i-1].Source {
			return fmt.Errorf("waiver %+v", x)
		}
	}
	seen := make([]bool, n)
	once := func(list []uint32) bool {
		for _, v := range list {
			if int(v) >= n || seen[v] {
				return false
			}
			seen[v] = true
		}
		return true
	}
	if !once(b.Sources) || !b.Kind().Reach() && slices.ContainsFunc(b.Sources, func(v uint32) bool { return b.From[v] == 0 }) {
		return fmt.Errorf("a source twice, or without mass")
	}
	if b.Roads != nil {
		return b.checkRoads()
	}
	if b.HasFlows() {
		return b.Flows.check(vertices)
	}
	c := b.Chains
	if c == nil {
		return nil
	}
	clear(seen)
	if !once(c.Junctions) || !once(c.Inner) {
		return fmt.Errorf("a vertex in two chains")
	}
	before := uint32(0)
	for e, ends := range c.Ends {
		if ends[0] >= ends[1] || int(ends[1]) >= len(c.Junctions) || ends[1] < before || c.First[e] > c.First[e+1] || int(c.First[e+1]) > len(c.Inner) {
			return fmt.Errorf("chain %d joins %d", e, ends)
		}
		before = ends[1]
	}
	return nil
}

// check checks the numbers of a block whose edges have vertices inside, in a graph of so many vertices.
func (f *Flows) check(vertices int) error {
	first := f.Inside.First
	if len(first) < 2 || first[0] != 0 || int(first[len(first)-1]) != len(f.Inside.Vertices) || !slices.IsSorted(first) {
		return fmt.Errorf("numbers of flows do not span %d vertices", len(f.Inside.Vertices))
	}
	for _, number := range f.Of {
		if int(number) >= f.Count() {
			return fmt.Errorf("flow %d of %d", number, f.Count())
		}
	}
	for _, v := range f.Inside.Vertices {
		if int(v) >= vertices {
			return fmt.Errorf("vertex %d inside an edge, of %d", v, vertices)
		}
	}
	return nil
}

// checkRoads checks that vertices stand in the groups that Roads describes, and
// sources in their order.
func (b *Block) checkRoads() error {
	r, at, e := b.Roads, 0, 0
	hang := func(first int) bool {
		for ; at < len(r.Into) && int(r.Into[at]) != at; at++ {
			if on := int(r.Into[at]); on < first || on > at {
				return false
			}
		}
		return true
	}
	for v, s := range b.Sources {
		if int(s) != v {
			return fmt.Errorf("source %d is %d", v, s)
		}
	}
	for j, v := range r.Junctions {
		if int(v) != at {
			return fmt.Errorf("junction %d is %d, want %d", j, v, at)
		}
		at++
		if !hang(int(v)) {
			return fmt.Errorf("vertex %d hangs on %d", at, r.Into[at])
		}
		for ; e < len(r.Ends) && r.Ends[e][1] == uint32(j); e++ {
			first := at
			if r.Ends[e][0] > uint32(j) || r.First[e] > r.First[e+1] || int(r.First[e+1]) > len(r.Inner) {
				return fmt.Errorf("chain %d joins %d", e, r.Ends[e])
			}
			for _, v := range r.Inner[r.First[e]:r.First[e+1]] {
				if int(v) != at || at >= len(r.Into) || int(r.Into[at]) != at {
					return fmt.Errorf("chain %d goes by %d, want %d", e, v, at)
				}
				at++
			}
			if at > first && !hang(first) {
				return fmt.Errorf("vertex %d hangs on %d", at, r.Into[at])
			}
		}
	}
	if at != len(r.Into) || e != len(r.Ends) {
		return fmt.Errorf("%d of %d vertices and %d of %d chains in groups", at, len(r.Into), e, len(r.Ends))
	}
	return nil
}
