// Package draws says what a plan knows of its samples: how sources of a block are drawn, or pairs.
package draws

// Drawing says how the sources of a block are drawn.
type Drawing struct {
	Seed   uint64
	Linear bool  // see preprocess.Block.Linear
	Cuts   []int // the numbers of draws at which stages end
}

// Drawn is what preprocess.Plan.Draw adds to a plan.
type Drawn struct {
	Drawing
	Block  int     // whose sources are drawn
	Stages []Stage // in their order
	From   float64 // sum of the block's source masses: originals
	To     float64 // the largest dependency of a source for each unit of its mass: without shares and trips, the sum of the block's target masses
	Depth  int     // upper bound of distances in the block, among pairs whose paths count
	// Lengths says that the vertices inside paths are counted by the sums of all vertices: arcs have lengths, from
	// which the number does not follow, or masses are too large for exact sums of squares.
	Lengths bool    `json:",omitempty"`
	Edges   bool    `json:",omitempty"` // scores of edges are estimated, too
	All     float64 `json:",omitempty"` // what eps is a share of: routed masses, or ordered pairs; 0: all of the graph's
	// Order is a hash of the block's Sources: equal hashes mean equal batches of two drawings.
	// The sources of a stage that share a batch may change from version to version.
	Order string `json:",omitempty"`
}

// Longest is an upper bound of the inner vertices of a path that counts, at least 1, or of these and its edges.
func (d *Drawn) Longest() float64 {
	longest := max(d.Depth-1, 1)
	if d.Edges {
		longest += max(d.Depth, 1)
	}
	return float64(longest)
}

// Stage is some of the sources of a block, drawn together.
type Stage struct {
	First, End int     // batches
	Sources    int     // in them
	Draws      int     // originals drawn
	From       float64 // source mass of the sources: originals that they settle
}

// Paired is the part that preprocess.Plan.Pair adds to a plan. The scores of a block's vertices are estimated
// from pairs, and its batches are not searched.
type Paired struct {
	Block      int     // the block of the pairs
	First, End int     // its batches
	Vertices   int     // local ones
	Edges      int     `json:",omitempty"` // numbers of its edges, whose scores are estimated, too: see preprocess.Flows
	From, To   float64 // their product is the sum over all pairs that T = 1 stands for
	Longest    int     // upper bound of the inner vertices of a path that counts, with its edges
	All        float64 `json:",omitempty"` // ordered pairs that eps is a share of; 0: all of the graph's
}

// Counted is how many vertices and edges of the block are counted on paths.
func (d *Paired) Counted() int { return d.Vertices + d.Edges }
