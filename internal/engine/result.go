package engine

// Batch is the unit of work: some consecutive sources of one block. A plan's
// batches are numbered; the number is stable for equal input and options.
type Batch struct {
	Index int // position in Plan.Batches
	Block int // position in Plan.Blocks
	First int // first source: Blocks[Block].Sources[First:First+Count]
	Count int // 1..Lanes
	Roots int // with chains: junctions that the sources hang on; else 0
}

// Result holds the sums of one batch, or of several consecutive batches of one block: a device adds many batches up
// before the host sees a score. The slices are the engine's and may be overwritten as soon as the receiver returns.
type Result struct {
	Batch  Batch     // the first batch
	More   int       // batches that follow it and are covered too
	Scores []float64 // by local vertex of the block: sum over the batches' sources s of From(s)*D_s(v)/mu(v)
	Got    []float64 // by source of the batches: sum of D(v), v != s; with lengths D(s)
	Want   []float64 // by source of the batches: sum of To(t)*(d-1), t != s; with lengths of To(t)
	Work   Work

	// Drawn and Squares are for blocks that have Draws: by local vertex the sums over
	// the sources of Draws(s)*x and Draws(s)*x*x, x being D_s(v)/mu(v).
	Drawn, Squares []float64
	// Flows are, for a block that has Flows, the flows over its edges. FlowGot and FlowWant are the two sides of their
	// self-check.
	Flows             []float64
	FlowGot, FlowWant float64
	// FlowsAt lists the edges with Flows, where the engine knows them: in many batches, most edges have none. nil: any
	// may have. An engine that sets it has checked that no flow is negative; FlowGot is then the sum of all.
	FlowsAt []uint32
	// At lists the local vertices that may have a value in Scores, Drawn, Squares and Found, where the engine knows
	// them. Under a Cutoff, or without cycles, most have none in many batches. nil: any may have.
	At []uint32
	// Found holds, for a block with Distances, the results of the searches by local vertex, in place of Scores. Got and
	// Want are then one number each, as with Together: the number of vertices that the searches reached, and the number
	// that Block.Reach expects.
	Found []Found

	// Access is, for a block with Access, the sums over the vertices that each source of the batches reaches.
	Access []Access

	// Sees is, for a block that Sees, the target mass that each source of the batches sees, each at the share of its
	// distance.
	Sees []float64
	// Arrives is, for a block with Hung, by local vertex: sum over the batches' sources s of From(s) times the share of
	// the distance. It may be 0 at vertices that Hung does not mark.
	Arrives []float64

	// Together says that the engine does not separate the sources: Got and Want are one number each, the sum over all
	// sources s of From(s) times theirs.
	Together bool
}

// Work counts the cost of a batch, to explain speed.
type Work struct {
	FrontierEntries int64 // (vertex, level) pairs visited
	RowLoads        int64 // lane rows read, both passes
}

// Access holds sums over the target masses that a source reaches, within the Cutoff if there is one. Its own mass, and
// masses whose share is 0, do not count. Distances are in edges, or in the unit of Lengths.
type Access struct {
	Mass     float64 // sum of the masses
	Shared   float64 // each times the share of its distance: see Decay
	Distance float64 // each times its distance
	Inverse  float64 // each by its distance
}

// Add counts a mass at a distance of 1 or more, unless its share is 0: the result does not depend on where searches
// stop.
func (a *Access) Add(mass, share float64, distance int64) {
	if share == 0 {
		return
	}
	a.Mass += mass
	a.Shared += float64(mass * share) // the conversion keeps arm64 from fusing
	a.Distance += float64(mass * float64(distance))
	a.Inverse += mass / float64(distance)
}

// Numbers returns all fields.
func (a Access) Numbers() []float64 { return []float64{a.Mass, a.Shared, a.Distance, a.Inverse} }
