package preprocess

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"sort"

	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
)

// Scores can be estimated from some sources of one block, while the others are computed
// exactly. The draws are originals: vertices that the block's source masses count. Each is
// drawn once, in a random order that follows from the seed alone. In a block an original is
// known only by the source that it hangs on, so originals are numbered there, source by
// source. A search settles all originals of its source.
//
//	stage 1      the first 64
//	each later   a quarter of all so far, at least 64, of the originals that
//	             no search has settled yet
//
// The sources drawn in a stage form batches of their own, arranged so that they share
// levels as far as random sources can. Every source is in one stage; after the last stage
// everything is exact.
const (
	firstStage = 64
	laterStage = 4 // one in so many of all so far
	// fewDraws is the number of draws that walks are chosen for: most estimates need about so many.
	fewDraws = 4 * firstStage
)

// drawShare: a block is worth sampling if its cost is more than one in drawShare parts of
// the plan's.
const drawShare = 10

// Drawable returns the block that is worth sampling: the most expensive one, among those
// without chains unless chains is set. A draw says nothing about vertices inside shortcuts, so contracted blocks are exact.
// ok is false if there is none.
func (p *Plan) Drawable(chains bool) (block int, ok bool) {
	costs, all := make([]float64, len(p.Blocks)), 0.0
	for _, batch := range p.Batches {
		costs[batch.Block] += p.Cost(batch)
		all += p.Cost(batch)
	}
	block = -1
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if (chains || !b.Kind().Chained()) && !b.contracted() && (block < 0 || costs[i] > costs[block]) {
			block = i
		}
	}
	return block, block >= 0 && costs[block]*drawShare > all
}

// Draw returns the plan with the sources of a block in stages, its batches after those of
// all others. The plan itself is unchanged. The result depends on the plan and the drawing
// alone. The only error is the context's.
func (p *Plan) Draw(ctx context.Context, block int, d draws.Drawing, threads int) (*Plan, error) {
	q := *p
	q.Blocks = slices.Clone(p.Blocks)
	b := &q.Blocks[block]
	n := b.Vertices()
	times := b.readyDraws(d.Linear)
	b.Sources = make([]uint32, 0, n)
	depth, err := b.Diameter(ctx, threads)
	if err != nil {
		return nil, err
	}
	q.Drawn = &draws.Drawn{Drawing: d, Block: block, Depth: max(depth, 2), Lengths: b.HasLengths() || p.Question.HasMasses() || b.Decay != nil, Edges: b.HasFlows()}
	q.Batches = make([]engine.Batch, 0, len(p.Batches)+len(p.Batches)/4)
	for _, batch := range p.Batches {
		if batch.Block != block {
			batch.Index = len(q.Batches)
			q.Batches = append(q.Batches, batch)
		}
	}
	place := make([]uint32, n) // of each source in the order that shares levels
	for i, s := range p.Blocks[block].Sources {
		place[s] = uint32(i)
	}
	q.Drawn.To = b.toDraw()
	for _, mass := range b.From {
		q.Drawn.From += mass
	}
	lots, err := b.lots(ctx, d.Seed, p.Question.HasMasses())
	if err != nil {
		return nil, err
	}
	settled := make([]bool, n)
	for drawn, left := 0, len(p.Blocks[block].Sources); left > 0; {
		stage := draws.Stage{First: len(q.Batches)}
		size := max(firstStage, drawn/laterStage)
		if drawn == 0 {
			size = firstStage
		}
		for _, cut := range d.Cuts {
			if drawn < cut {
				size = min(size, cut-drawn)
			}
		}
		first := len(b.Sources)
		lots.draw(size, settled, func(s uint32) {
			if times[s] == 0 {
				b.Sources = append(b.Sources, s)
			}
			times[s]++
			stage.Draws++
		})
		drawn += stage.Draws
		sources := b.Sources[first:]
		left -= len(sources)
		if err := parallel.SortUntil(ctx, sources, func(x, y uint32) int { return cmp.Compare(place[x], place[y]) }); err != nil {
			return nil, err
		}
		for _, s := range sources {
			settled[s] = true
			stage.From += b.From[s]
		}
		count := batchCount(len(sources), b.Lanes)
		for i := range count {
			lo, hi := batchBounds(len(sources), count, i)
			q.Batches = append(q.Batches, engine.Batch{Index: len(q.Batches), Block: block, First: first + lo, Count: hi - lo})
		}
		if stage.Draws > 0 {
			stage.End, stage.Sources = len(q.Batches), len(sources)
			q.Drawn.Stages = append(q.Drawn.Stages, stage)
		}
	}
	if _, err := b.scatter(ctx, fewDraws); err != nil {
		return nil, err
	}
	if err := q.arrangeStages(ctx, threads); err != nil {
		return nil, err
	}
	hash := sha256.Sum256(littleEndian(b.Sources))
	q.Drawn.Order = hex.EncodeToString(hash[:8])
	return &q, nil
}

// readyDraws readies a block for batches of drawn sources, and returns the list of how often each is drawn. Flows of a batch
// cannot be told apart by source. So where they are asked for, a batch has one source.
func (b *Block) readyDraws(linear bool) (times []float64) {
	times = make([]float64, b.Vertices())
	if b.Linear = linear; b.HasFlows() {
		b.Times, b.Lanes, b.Farness = times, 1, nil
	} else {
		b.Draws = times
	}
	return times
}

// lots draws sources by their masses. Originals that are vertices are shuffled once, and drawn in that order. Masses of
// a column are too large to list: a source is drawn as often as chance has it in one stage.
type lots struct {
	order  []uint32 // source of each original that is left
	from   []float64
	upTo   []float64 // room: see upTo
	random *rand.Rand
}

// lots makes the random order of the originals (R. Durstenfeld, "Algorithm 235: Random permutation", CACM 1964), unless
// vertices have masses.
func (b *Block) lots(ctx context.Context, seed uint64, masses bool) (*lots, error) {
	if masses {
		return &lots{from: b.From, upTo: make([]float64, len(b.From)), random: rand.New(rand.NewPCG(seed, uint64(len(b.From))))}, nil
	}
	var order []uint32
	for s, mass := range b.From {
		for range int(mass) {
			order = append(order, uint32(s))
		}
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(order))))
	for i := range parallel.Until(ctx, len(order)) {
		j := i + int(random.Uint64N(uint64(len(order)-i)))
		order[i], order[j] = order[j], order[i]
	}
	return &lots{order: order}, ctx.Err()
}

// draw draws from the sources that are not settled, while there are originals.
func (l *lots) draw(count int, settled []bool, take func(source uint32)) {
	if l.random == nil {
		for ; len(l.order) > 0 && count > 0; l.order = l.order[1:] {
			if s := l.order[0]; !settled[s] {
				take(s)
				count--
			}
		}
		return
	}
	sum := 0.0 // exact: whole numbers, at most building.MostMass
	for s, mass := range l.from {
		if !settled[s] {
			sum += mass
		}
		l.upTo[s] = sum
	}
	for range count {
		take(firstAbove(l.upTo, float64(l.random.Uint64N(uint64(sum)))))
	}
}

// firstAbove returns the source that a point between 0 and the sum of all masses falls on. upTo are the sums of the
// masses up to each vertex and its own.
func firstAbove(upTo []float64, at float64) uint32 {
	return uint32(sort.Search(len(upTo), func(s int) bool { return upTo[s] > at }))
}

// arrangeStages chooses which sources of a stage share a batch, and at which levels they
// start, if the plan's batches were arranged. A stage holds few of the neighbours of its
// sources. Batches cut from the plan's order would end anywhere. Cutting anew makes batches
// as compact as these few sources allow; they read 5 to 8 % fewer rows of meshes. In deep
// blocks sources are also grouped within batches, and the groups in the middle come first. Sources that are searched one at a
// time stay as they are.
func (p *Plan) arrangeStages(ctx context.Context, threads int) error {
	b := &p.Blocks[p.Drawn.Block]
	if b.Farness == nil || b.Ball.Alone {
		b.Farness = nil
		return nil
	}
	var of []distances
	var err error
	if !b.Directed() {
		of, err = measureDistances(ctx, &b.Graph, 1)
	} else {
		of, _, err = b.measureTo(ctx, threads)
	}
	if err != nil {
		return err
	}
	all, t := alignment{farness: make([]uint16, b.Vertices())}, newCutter(of)
	for _, stage := range p.Drawn.Stages {
		sources := b.Sources[p.Batches[stage.First].First:][:stage.Sources]
		if err := t.cut(ctx, sources, stage.End-stage.First, threads); err != nil {
			return err
		}
	}
	if deepest(of) >= deep {
		err := parallel.Each(ctx, threads, len(p.Drawn.Stages), func(_, i int) {
			stage := p.Drawn.Stages[i]
			sources, count := b.Sources[p.Batches[stage.First].First:][:stage.Sources], stage.End-stage.First
			if stage.Sources <= regroupMost {
				t.regroup(ctx, sources, count)
			}
			t.lead(ctx, sources, count)
		})
		if err != nil {
			return err
		}
	}
	batches := p.Batches[p.Drawn.Stages[0].First:]
	levels := make([]int, len(batches))
	err = parallel.Each(ctx, threads, len(batches), func(_, i int) {
		levels[i] = alignBatch(of, b.Sources[batches[i].First:][:batches[i].Count], all.farness)
	})
	if err != nil {
		return err
	}
	all.most = slices.Max(levels)
	b.Farness, b.Entries = all.farness, all.entries(b.Vertices())
	return nil
}

// Probe returns a plan of one batch of sources of a block, drawn at random by their masses.
// Their cost and their variance tell how many sources a run needs. The only error is the
// context's.
func (p *Plan) Probe(ctx context.Context, block, count int, d draws.Drawing, threads int) (*Plan, error) {
	q := *p
	q.Blocks = slices.Clone(p.Blocks)
	b := &q.Blocks[block]
	q.Drawn = &draws.Drawn{Drawing: d, Block: block, To: b.toDraw()}
	upTo, sum := make([]float64, b.Vertices()), 0.0
	for v, mass := range b.From {
		sum += mass
		upTo[v] = sum
	}
	times := b.readyDraws(d.Linear)
	b.Farness, b.Sources = nil, nil
	random := rand.New(rand.NewPCG(d.Seed, 1))
	for range count {
		s := firstAbove(upTo, random.Float64()*sum)
		if times[s] == 0 {
			b.Sources = append(b.Sources, s)
		}
		times[s]++
	}
	slices.Sort(b.Sources)
	q.Batches = []engine.Batch{{Block: block, Count: len(b.Sources)}}
	if b.Times != nil {
		q.Batches = b.cut(nil, block, 1)
	}
	if _, err := b.scatter(ctx, fewDraws); err != nil {
		return nil, err
	}
	depth, err := b.Diameter(ctx, threads)
	q.Drawn.From, q.Drawn.Depth = sum, max(depth, 2)
	return &q, err
}
