package preprocess

// Drawn is what Draw adds to a plan.
type Drawn struct {
	Drawing
	Block  int     // whose sources are drawn
	Stages []Stage // in their order
	From   float64 // sum of the block's source masses: originals
	To     float64 // sum of its target masses
	Depth  int     // no two of its vertices are farther apart, of those whose paths count
	// Lengths says that arcs have lengths: how many vertices paths have inside is not
	// what their lengths say.
	Lengths bool    `json:",omitempty"`
	All     float64 `json:",omitempty"` // ordered pairs that eps is a share of; 0: all of the graph's
	// Order is a hash of the block's Sources: batches of two drawings are the same if theirs are.
	// Which sources of a stage share a batch may change from version to version.
	Order string `json:",omitempty"`
}

// Stage is some of the sources of a block, drawn together.
type Stage struct {
	First, End int     // batches
	Sources    int     // in them
	Draws      int     // originals drawn
	From       float64 // source mass of the sources: originals that they settle
}

// Paired is what Pair adds to a plan: the scores of a block's vertices are estimated
// from pairs, and its batches are left alone.
type Paired struct {
	Block      int     // that pairs are of
	First, End int     // its batches
	Vertices   int     // local ones
	From, To   float64 // sums of its masses
	Longest    int     // no path that counts has more inner vertices
	All        float64 `json:",omitempty"` // ordered pairs that eps is a share of; 0: all of the graph's
}
