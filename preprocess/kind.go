package preprocess

// Kind decides how a block can be searched: the question about it, and its layout. Walks on cores and methods on
// devices ask it first. A block's other properties, such as directions, masses or a cutoff, belong to the question;
// every walk says which of them it takes.
type Kind int

const (
	KindHops         Kind = iota // paths are counted from edge to edge
	KindLengths                  // paths are counted along arcs with lengths
	KindChains                   // paths are counted from junctions: Block.Chains
	KindChainLengths             // likewise, along arcs with lengths
	KindReach                    // distances alone, from edge to edge: Block.Distances
	KindLengthReach              // distances alone, along arcs with lengths
	KindChainReach               // distances alone, from junctions: Block.Roads
)

// String returns the kind's name in statistics.
func (k Kind) String() string {
	return [...]string{"hops", "lengths", "chains", "chain-lengths", "reach", "length-reach", "chain-reach"}[k]
}

// Reach reports whether only distances are asked for, and no path is counted.
func (k Kind) Reach() bool { return k >= KindReach }

// Chained reports whether paths are counted from junctions only.
func (k Kind) Chained() bool { return k == KindChains || k == KindChainLengths }

// Kind returns the kind of a block. It is derived from the fields of the block's layout, so it cannot contradict them.
func (b *Block) Kind() Kind {
	switch lengths := b.Lengths != nil; {
	case b.Roads != nil:
		return KindChainReach
	case b.Distances && lengths:
		return KindLengthReach
	case b.Distances:
		return KindReach
	case b.Chains != nil && lengths:
		return KindChainLengths
	case b.Chains != nil:
		return KindChains
	case lengths:
		return KindLengths
	}
	return KindHops
}

// HasDraws reports whether the block's sources are drawn.
func (p *Paths) HasDraws() bool { return p.Draws != nil }

// Weighs reports whether a mass counts by its distance from the source, or sources are drawn: both use the same
// kernels.
func (p *Paths) Weighs() bool { return p.Draws != nil || p.Decay != nil }

// HasFlows reports whether a search sums the flows of edges.
func (p *Paths) HasFlows() bool { return p.Flows != nil }

// FindsOwn reports whether a search for distances finds the source's own numbers instead of contributions to those of
// others.
func (r *Reaches) FindsOwn() bool { return r.Own || r.Roads != nil }
