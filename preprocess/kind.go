package preprocess

// Kind is what decides how a block can be searched: what is asked of it, and how it is laid out.
// Walks on cores and methods on devices ask it first. A block's other properties,
// such as directions, masses or a cutoff, belong to the question, and every walk says which of them it takes.
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

// String is the kind's name in statistics.
func (k Kind) String() string {
	return [...]string{"hops", "lengths", "chains", "chain-lengths", "reach", "length-reach", "chain-reach"}[k]
}

// Reach says that distances alone are asked for, and no path is counted.
func (k Kind) Reach() bool { return k >= KindReach }

// Chained says that paths are counted from junctions only.
func (k Kind) Chained() bool { return k == KindChains || k == KindChainLengths }

// Kind of a block. It is made of the fields that say how the block is laid out, so that it cannot contradict them.
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

// HasDraws tells whether the block's sources are drawn.
func (p *Paths) HasDraws() bool { return p.Draws != nil }

// Weighs tells whether a mass counts by its distance from the source, or sources are drawn: kernels for one serve for the other.
func (p *Paths) Weighs() bool { return p.Draws != nil || p.Decay != nil }

// HasFlows tells whether a search adds up what goes over edges.
func (p *Paths) HasFlows() bool { return p.Flows != nil }

// FindsOwn tells whether what is found of a source, distances alone being asked for, is the source's own numbers, and not
// what it adds to those of others.
func (r *Reaches) FindsOwn() bool { return r.Own || r.Roads != nil }
