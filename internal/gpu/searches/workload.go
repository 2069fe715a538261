package searches

// Calls of kernels/workload.cl.
type (
	workloadStep struct {
		N, Round, At, Which, Skip       uint32
		Entries, Begins, Places, Counts Buffer
		listing
	}
	workloadBack struct {
		Level, From, Count, Arcs, Skip uint32
		Entries, Begins                Buffer
		Ptr, Adj, Dist, Shares, Sums   Buffer
	}
)

// workload cuts the arcs that leave the list in equal shares, by the prefix sums of
// the degrees of its vertices (workload decomposition, WD: A. Raval et al., 2017).
// These are computed with the list: see kernels/common.cl.
type workload struct{}

func (workload) forward(s *Search, r round) {
	s.shareOut(s.lotOf(r), r, len(s.graph.Targets))
}

func (workload) backward(s *Search, r round) { s.shareBack(s.lotOf(r), r) }

// lot is some vertices of a round, each without its first `skip` arcs.
type lot struct {
	entries, begins Buffer // where their arcs begin among those of the lot
	places, counts  Buffer // at `which`: where the entries begin; how many, and arcs
	which, skip     uint32

	from, count, arcs uint32 // the same numbers, where known
}

// lotOf returns the whole of a round.
func (s *Search) lotOf(r round) lot {
	return lot{entries: s.buffer("Queue"), begins: s.buffer("Starts"), places: s.buffer("Bases"), counts: s.buffer("Sizes"),
		which: r.at, from: r.first, count: r.vertices, arcs: r.arcs}
}

// shareOut goes along the arcs of a lot, of which there may be up to arcs.
func (s *Search) shareOut(l lot, r round, arcs int) {
	s.all(workloadStep{N: uint32(s.graph.Vertices()), Round: r.number, At: r.at, Which: l.which, Skip: l.skip,
		Entries: l.entries, Begins: l.begins, Places: l.places, Counts: l.counts}, arcs)
}

// shareBack adds up the shares of the successors of a lot.
func (s *Search) shareBack(l lot, r round) {
	s.all(workloadBack{Level: r.number, From: l.from, Count: l.count, Arcs: l.arcs, Skip: l.skip, Entries: l.entries, Begins: l.begins}, int(l.arcs))
}
