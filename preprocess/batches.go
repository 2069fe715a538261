package preprocess

import (
	"sort"

	"bcstage/internal/engine"
)

// batchCount is the number of batches of n sources, with at most lanes in each.
func batchCount(n, lanes int) int { return (n + lanes - 1) / lanes }

// batchBounds gives the sources first..end-1 of the i-th of count batches of n sources.
// The batches are of nearly equal length.
func batchBounds(n, count, i int) (first, end int) { return i * n / count, (i + 1) * n / count }

// BatchOf returns the place of the batch with a source among the block's, if the block is cut as batches does it.
func (b *Block) BatchOf(source int) (i int) {
	i = source * batchCount(len(b.Sources), b.Lanes) / len(b.Sources)
	for {
		if _, end := b.BatchBounds(i); source < end {
			return i
		}
		i++
	}
}

// BatchBounds returns the sources first..end-1 of the block's i-th batch.
func (b *Block) BatchBounds(i int) (first, end int) {
	return batchBounds(len(b.Sources), batchCount(len(b.Sources), b.Lanes), i)
}

// sortBlocks sorts the blocks by falling work.
func (p *Plan) sortBlocks() {
	sort.SliceStable(p.Blocks, func(i, j int) bool { return p.Blocks[i].work() > p.Blocks[j].work() })
}

// batches cuts the sources of every block into as few batches as the block's
// lanes allow.
func batches(blocks []Block) []engine.Batch {
	total := 0
	for i := range blocks {
		total += batchCount(len(blocks[i].Sources), blocks[i].Lanes)
	}
	out := make([]engine.Batch, 0, total)
	for i := range blocks {
		out = blocks[i].cut(out, i, blocks[i].Lanes)
	}
	return out
}

// cut appends the batches of up to lanes sources of the block with the given number.
func (b *Block) cut(to []engine.Batch, number, lanes int) []engine.Batch {
	n := len(b.Sources)
	count := batchCount(n, lanes)
	for r := range count {
		first, end := batchBounds(n, count, r)
		to = append(to, engine.Batch{Index: len(to), Block: number, First: first, Count: end - first})
	}
	if b.Kind().Chained() {
		b.countRoots(to[len(to)-count:])
	}
	return to
}

// RootsOf returns the largest and the mean number of roots of a batch, if the block were
// cut into batches of up to lanes sources; 0 without chains.
func (b *Block) RootsOf(lanes int) (most, mean int) {
	batches := b.cut(nil, 0, lanes)
	for _, batch := range batches {
		most = max(most, batch.Roots)
		mean += batch.Roots
	}
	return most, mean / max(len(batches), 1)
}

// countRoots counts the junctions that the sources of each batch hang on: sources that
// are junctions, and both ends of the chains that hold sources. Short chains make more
// of them.
func (b *Block) countRoots(batches []engine.Batch) {
	c := b.Chains
	met := make([]int, len(c.Junctions)) // by junction: the last batch that met it, and one more
	i, source := 0, 0
	hang := func(v uint32, junctions ...uint32) {
		if b.From[v] == 0 {
			return // no source
		}
		if source == batches[i].First+batches[i].Count {
			i++
		}
		for _, j := range junctions {
			if met[j] <= i {
				met[j] = i + 1
				batches[i].Roots++
			}
		}
		source++
	}
	e := 0
	for j, v := range c.Junctions { // the order of Sources
		hang(v, uint32(j))
		for ; e < len(c.Ends) && c.Ends[e][1] == uint32(j); e++ {
			for _, v := range c.Inner[c.First[e]:c.First[e+1]] {
				hang(v, c.Ends[e][0], c.Ends[e][1])
			}
		}
	}
}

// Cost is an estimate of the work of a batch, in edge visits. Both passes visit every
// edge of the block at least once, whatever the number of sources; with chains, they
// visit every chain for every root.
func (p *Plan) Cost(b engine.Batch) float64 {
	block := &p.Blocks[b.Block]
	if c := block.Chains; c != nil {
		return 2 * float64(b.Roots) * float64(2*len(c.Ends)+len(c.Junctions))
	}
	if r := block.Roads; r != nil {
		return float64(block.work()) * float64(b.Count) / float64(block.Vertices())
	}
	rows := 1
	if block.Kind().Reach() { // a row of bits is only pushed outward, and costs less than a quarter of as many lanes
		rows = (b.Count + engine.DistanceLanes - 1) / engine.DistanceLanes
	}
	return 2 * float64(len(block.Targets)+block.Vertices()) * float64(rows)
}

// work is the cost of searching the block from all its sources, in edge visits.
func (b *Block) work() int {
	if c := b.Chains; c != nil {
		return len(c.Junctions) * (2*len(c.Ends) + len(c.Junctions))
	}
	if r := b.Roads; r != nil { // counting a vertex costs about as much as an edge of lanes
		return b.Vertices() * (len(r.Junctions) + hollow(r)) / 4
	}
	if b.Kind().Reach() {
		return b.Vertices() * len(b.Targets) / (engine.DistanceLanes / engine.MaxLanes)
	}
	return b.Vertices() * len(b.Targets)
}
