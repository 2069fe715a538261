package gpu

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"bcstage/preprocess"
)

// Chains searches from junctions only: for blocks that have chains. It is no choice
// beside those that go from edge to edge, but the only one there, whatever strategy is
// asked for.
const Chains Strategy = "chains"

// chains is the method of kernels/chains.cl. A pack is a batch of the plan, or several if
// these are of fewer sources than a word has bits.
type chains struct{}

//go:embed kernels/chains.cl
var chainsSource string

func (chains) name() Strategy { return Chains }

func (chains) source() string { return chainsSource }

func (chains) suits(found survey) (bool, string) {
	return found.chains.junctions > 0, "most vertices lie inside chains between junctions"
}

func (chains) fit(s shape, found survey) (shape, error) {
	s.chains = found.chains
	s.words = (found.chains.lanes + team - 1) / team
	s.group = chainGroup
	return s, nil
}

// chainSizes are what memory follows from, of a block with chains.
type chainSizes struct {
	junctions, inside int
	arms              int
	leads             int // what a vertex can have of a chain: see kernels/chains.cl
	roots             int // of a pack at most, or of a wave
	mean              int // of a pack
	lanes             int // sources of a batch
}

func chainSizesOf(b *preprocess.Block) (c chainSizes) {
	if !b.Kind().Chained() {
		return c
	}
	longest := 0
	for e := range b.Chains.Ends {
		longest = max(longest, b.Chains.Length(e))
	}
	most, mean := b.RootsOf((b.Lanes + team - 1) / team * team)
	return chainSizes{
		junctions: len(b.Chains.Junctions), inside: len(b.Chains.Inner), arms: 2 * len(b.Chains.Ends),
		leads: 2*longest + 1, roots: most, mean: mean, lanes: b.Lanes,
	}
}

// A level has few junctions, and a work-item the longest chain: a work-group waits most of
// the time, and many small ones wait together. A wave has as many roots that each
// work-group has mostTurns of them, in turn.
const (
	chainGroup = 64
	mostTurns  = 8
)

// worth is why so many batches at once are not worth a device, where `least` compute
// units should have something to do. Cores take milliseconds for a block of few junctions.
func (c chainSizes) worth(packs, least int) error {
	if roots := min(packs*c.roots, c.junctions); c.junctions > 0 && roots < least {
		return fmt.Errorf("gpu: %w: %d junctions are searched from at once, for %d compute units", ErrDevice, roots, least)
	}
	return nil
}

// groupsFor is how many work-groups there are for so many roots: no more than have equally
// many.
func groupsFor(roots, most int) int {
	turns := (roots + most - 1) / most
	return (roots + turns - 1) / turns
}

func (chains) buffers(s shape) map[string]int64 {
	c := s.chains
	n, junctions := int64(s.vertices), int64(c.junctions)
	roots := min(int64(s.packs)*int64(c.roots), junctions)
	groups := min(roots, int64(s.groups))
	return map[string]int64{
		"Root":     roots * 4,
		"RootMass": roots * 8,
		"RootOf":   junctions * 4,
		"Sent":     int64(c.inside) * 8,
		"Away":     roots * junctions * 4,
		"Ways":     roots * junctions * 8,
		"Order":    roots * junctions * 4,
		"LevelAt":  roots * (junctions + 1) * 4,
		"Levels":   roots * 4,
		"Checks":   roots * 3 * 8,
		"Pending":  groups * 2 * junctions * 4,
		"Mass":     groups * n * 8,
		"Delta":    groups * junctions * 8,
		"Brought":  groups * int64(c.arms) * 8,
		"Bins":     groups * 3 * int64(c.leads) * 4,
		"Score":    groups * n * 8,
		"Scores":   n * 8,
	}
}

// Calls of kernels/chains.cl.
type (
	chainsSearch struct {
		Junctions, Roots           uint32
		ArmFirst, ArmTo, ArmLength buffer
		Root, Away, Ways           buffer
		Order, LevelAt, Levels     buffer
		Pending                    buffer
	}
	chainsSend struct {
		N, Junctions, Leads, Roots, Unit uint32
		ArmFirst, ArmTo                  buffer
		ArmLength, ArmChain              buffer
		ChainFirst, ChainEnd, Spots      buffer
		Weight, Weights, Sent            buffer
		Root, RootMass, RootOf           buffer
		Away, Ways                       buffer
		Order, LevelAt, Levels           buffer
		Mass, Delta, Brought             buffer
		Bins, Score, Checks              buffer
	}
	chainsClear struct {
		N, Groups uint32
		Score     buffer
	}
	chainsFold struct {
		N, Groups     uint32
		Score, Scores buffer
	}
)

// unordered are lists that a launch leaves in any order.
func (chainsSearch) unordered() []string { return []string{"Order", "Pending"} }

// search runs over the stream's roots: see byJunctions.
func (chains) search(ctx context.Context, s *stream) error {
	c, n := s.shape.chains, uint32(s.shape.vertices)
	groups := groupsFor(c.roots, s.shape.groups)
	if err := s.launch(chainsClear{N: n, Groups: uint32(groups)}, s.flat(groups*s.shape.vertices), 1); err != nil {
		return err
	}
	if err := s.launch(chainsSearch{Junctions: uint32(c.junctions), Roots: uint32(c.roots)}, groups, 1); err != nil {
		return err
	}
	if err := s.pause(ctx); err != nil {
		return err
	}
	send := chainsSend{N: n, Junctions: uint32(c.junctions), Leads: uint32(c.leads), Roots: uint32(c.roots), Unit: uint32(bits.Len64(uint64(s.task.weight)))}
	if err := s.launch(send, groups, 1); err != nil {
		return err
	}
	return s.launch(chainsFold{N: n, Groups: uint32(groups)}, s.flat(s.shape.vertices), 1)
}

// hanging is the junctions that the sources of a wave hang on.
type hanging struct {
	roots []uint32  // junctions
	mass  []float64 // by root: as a source
	of    []uint32  // by junction: its root, or noLane
	sent  []float64 // by vertex inside: mass of the sources up to it from the chain's first end
}

// hang sources on junctions: themselves, or the ends of their chains.
func (h *hanging) hang(b *preprocess.Block, sources []uint32) {
	c := b.Chains
	*h = hanging{roots: h.roots[:0], mass: h.mass[:0], of: slices.Repeat([]uint32{noLane}, len(c.Junctions)), sent: make([]float64, len(c.Inner))}
	taken := make([]bool, b.Vertices())
	for _, v := range sources {
		taken[v] = true
	}
	root := func(j uint32) uint32 {
		if h.of[j] == noLane {
			h.of[j] = uint32(len(h.roots))
			h.roots, h.mass = append(h.roots, j), append(h.mass, 0)
		}
		return h.of[j]
	}
	for j, v := range c.Junctions {
		if taken[v] && b.From[v] > 0 {
			h.mass[root(uint32(j))] = b.From[v]
		}
	}
	for e, ends := range c.Ends {
		sum := 0.0
		for k := c.First[e]; k < c.First[e+1]; k++ {
			if taken[c.Inner[k]] {
				sum += b.From[c.Inner[k]]
			}
			h.sent[k] = sum
		}
		if sum > 0 {
			root(ends[0])
			root(ends[1])
		}
	}
}

// byJunctions computes batches of a block with chains that follow each other. The
// self-check is that of lengths, since here, too, it costs nothing: what a source sends
// is what all others weigh. Part of that is known at the roots from both sides, targets
// and sources, which must agree.
func (s *stream) byJunctions(ctx context.Context, t *task, shape shape, batches []preprocess.Batch) (preprocess.Result, error) {
	b, c := t.block, t.block.Chains
	first, end := batches[0], last(batches)
	sources := b.Sources[first.First : end.First+end.Count]
	h := &s.hanging
	h.hang(b, sources)
	s.scores = slices.Grow(s.scores[:0], b.Vertices())[:b.Vertices()]
	if len(h.roots) == 0 { // nothing begins at any of them
		clear(s.scores)
		return preprocess.Result{Batch: first, More: len(batches) - 1, Scores: s.scores, Got: []float64{0}, Want: []float64{0}, Together: true}, nil
	}
	s.shape = shape
	s.shape.packs, s.shape.chains.roots = 1, len(h.roots)
	if err := s.reserveAll(s.shape.sizes()); err != nil {
		return preprocess.Result{}, err
	}
	for name, data := range map[string][]byte{"Root": bytesOf(h.roots), "RootMass": bytesOf(h.mass), "RootOf": bytesOf(h.of), "Sent": bytesOf(h.sent)} {
		if err := s.write(name, data); err != nil {
			return preprocess.Result{}, err
		}
	}
	if err := shape.method.search(ctx, s); err != nil {
		return preprocess.Result{}, err
	}
	checks := make([]float64, 3*len(h.roots))
	if err := s.queue.read(s.memory["Checks"], 0, bytesOf(checks)); err != nil {
		return preprocess.Result{}, err
	}
	sums := slices.Grow(s.sums[:0], b.Vertices())[:b.Vertices()]
	s.sums = sums
	if err := s.queue.read(s.memory["Scores"], 0, bytesOf(sums)); err != nil {
		return preprocess.Result{}, err
	}
	for j, v := range c.Junctions {
		s.scores[v] = sums[j]
	}
	for k, v := range c.Inner {
		s.scores[v] = sums[len(c.Junctions)+k]
	}
	got, want := 0.0, 0.0
	for r, junction := range h.roots {
		come, sent, direct := checks[3*r], checks[3*r+1], checks[3*r+2]
		own := h.mass[r] * (t.weight - b.To[c.Junctions[junction]])
		got += come + direct + math.Abs(come-own-sent)
	}
	for _, v := range sources {
		want += b.From[v] * (t.weight - b.To[v])
	}
	return preprocess.Result{
		Batch: first, More: len(batches) - 1, Scores: s.scores,
		Got: []float64{got}, Want: []float64{want}, Together: true,
	}, nil
}

// chainParts are the arrays of a block with chains that kernels read.
func chainParts(b *preprocess.Block) []part {
	c := b.Chains
	junctions := len(c.Junctions)
	first := make([]uint32, junctions+1)
	for _, ends := range c.Ends {
		first[ends[0]+1]++
		first[ends[1]+1]++
	}
	for j := range junctions {
		first[j+1] += first[j]
	}
	next := slices.Clone(first)
	arms := 2 * len(c.Ends)
	to, length, chain, end := make([]uint32, arms), make([]uint32, arms), make([]uint32, arms), make([]uint32, arms)
	spots, weight, weights := make([]uint32, 0, 4*len(c.Inner)), make([]float64, b.Vertices()), make([]float64, len(c.Inner))
	for j, v := range c.Junctions {
		weight[j] = b.To[v]
	}
	for e, ends := range c.Ends {
		for side, j := range ends {
			at := next[j]
			next[j]++
			to[at], length[at], chain[at] = ends[1-side], uint32(c.Length(e)), uint32(2*e+side)
			end[2*e+side] = j
		}
		sum := 0.0
		for k := c.First[e]; k < c.First[e+1]; k++ {
			spots = append(spots, ends[0], ends[1], k-c.First[e]+1, uint32(c.Length(e)))
			weight[junctions+int(k)] = b.To[c.Inner[k]]
			sum += b.To[c.Inner[k]]
			weights[k] = sum
		}
	}
	return []part{
		{"ArmFirst", bytesOf(first)}, {"ArmTo", bytesOf(to)}, {"ArmLength", bytesOf(length)}, {"ArmChain", bytesOf(chain)},
		{"ChainFirst", bytesOf(c.First)}, {"ChainEnd", bytesOf(end)}, {"Spots", bytesOf(spots)},
		{"Weight", bytesOf(weight)}, {"Weights", bytesOf(weights)},
	}
}
