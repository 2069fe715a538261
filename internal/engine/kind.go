package engine

// Kind decides how a block can be searched: the question about it, and its layout. Walks on cores and methods on
// devices ask it first. A block's other properties, such as directions, masses or a cutoff, belong to the question;
// every walk says which of them it takes.
type Kind int

// Each kind with lengths follows the same without.
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
