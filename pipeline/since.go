package pipeline

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/change"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Since is an earlier run: see Options.Since.
type Since struct {
	// Prepared is the path of its prepared graph, from Prepare.
	Prepared string
	// Scores are its scores with their metadata, as its sink got them: arrowio.ReadTable reads files of arrowio.Write.
	// They cover all vertices of the prepared graph in any order, in float64, undivided.
	Scores *tables.Table
	// Changes, if set, are the changes of that graph, in place of any other input.
	Changes *ChangeTable

	way string // for tests; "": the cheapest way
}

// Ways to compute the scores of a changed graph: those of Since.
const (
	wayUnchanged = "unchanged"    // same graph, same scores
	wayMasses    = "masses only"  // trees came, went or grew: searches from their attachments
	waySides     = "smaller side" // searches from the smaller side of each changed edge, in both graphs
	wayWhole     = "whole run"    // all searches again
	wayPairs     = "pairs"        // an estimate: pairs of vertices, each in both graphs
)

// SinceStats are the statistics of a run with Options.Since.
type SinceStats struct {
	Added    int64     `json:"edges_added"`
	Removed  int64     `json:"edges_removed"`
	Resized  int64     `json:"lengths_changed"` // of edges
	Came     int       `json:"vertices_came"`
	Went     int       `json:"vertices_went"`
	Blocks   int       `json:"blocks"` // with changed edges, if scores change in these only; 0: in whole components
	Way      string    `json:"way"`    // the chosen one of Ways: "unchanged", "masses only", "smaller side", "whole run" or "pairs"
	Nights   int       `json:"nights"` // runs since the scores were last computed without an earlier run, this one included; 0: this run is one
	Ways     []WayCost `json:"ways"`   // all ways
	Previous string    `json:"fingerprint_before"`
}

// WayCost is the cost of a way.
type WayCost struct {
	Way      string  `json:"way"`
	Searches int     `json:"searches"`
	Cost     float64 `json:"edge_visits"`
	Off      string  `json:"off,omitempty"` // why it is impossible, or its cost unknown; its numbers are then 0
}

// Keys of metadata beside scores that were updated.
const (
	sinceWayKey    = "since_way"
	sinceNightsKey = "since_nights"
	sinceKey       = "since_fingerprint"

	sinceEstimatesKey   = "since_estimates"   // runs whose half-widths the intervals of scores contain; absent or 0: none
	changeConfidenceKey = "change_confidence" // of the intervals of changes; "confidence" is of those of scores
)

// update turns the scores of an earlier run into those of this one.
type update struct {
	difference *change.Difference
	before     earlier
	today      namedPlan      // of the whole question
	scale      building.Scale // of the lengths that are compared
	pairs      *changedPairs  // nil: the change is not estimated
	confidence float64        // of the change's intervals
	stats      SinceStats
}

// completeSince refuses an update without its files.
func (o *Options) completeSince() error {
	if o.Since == nil {
		return nil
	}
	if o.Since.Prepared == "" || o.Since.Scores == nil {
		return fmt.Errorf("%w: Options.Since: want a prepared graph and its scores", ErrOptions)
	}
	if o.Since.Changes != nil && (o.Source != nil || len(o.Files.Paths) > 0) {
		return fmt.Errorf("%w: Options.Since.Changes replace the edges: want no edges beside them", ErrOptions)
	}
	return nil
}

// since plans the update of the earlier scores. It returns the plan to compute, which is today's own where no other way
// is cheaper. masses are where paths begin and end, by vertex of today; nil: 1 each. They were the same before.
func (r *run) since(ctx context.Context, p namedPlan, today *csr.Graph, scale building.Scale, masses [2][]int64) (namedPlan, error) {
	b, err := r.opts.Since.open(ctx, r.opts.Question, r.opts.Threads)
	if err != nil {
		return p, err
	}
	defer b.Close() // nothing of it is kept
	if err := b.names.alike(&p.names); err != nil {
		return p, fmt.Errorf("%w: Options.Since: %w", ErrOptions, err)
	}
	of, err := change.Match(ctx, r.opts.Threads, b.names.vertices(), p.names.vertices())
	if err != nil {
		return p, err
	}
	sources, targets, err := r.endsOfBoth(ctx, &p.names, &b.names)
	if err != nil {
		return p, err
	}
	both := masses // by vertex of the union
	if p.Question.HasMasses() {
		if both, err = r.massesOfBoth(ctx, b, p, of, masses, [2][]bool{sources, targets}); err != nil {
			return p, err
		}
	}
	sample := r.opts.Question.Sample
	if err := b.take(ctx, r.opts.Since.Scores, r.opts.Threads, sample); err != nil {
		return p, err
	}
	u := &update{before: b.earlier, today: p}
	yesterday := b.graph
	if today, yesterday, u.scale, err = inOneUnit(today, scale, yesterday, b.about.Lengths.scale()); err != nil {
		return p, err
	}
	d, err := change.Compare(ctx, today, yesterday, of)
	if err != nil {
		return p, err
	}
	d.Sources, d.Targets = sources, targets
	if q := r.opts.Question; q.HasMasses() {
		d.Weigh(both[0], both[1])
	} else if q.Sources != q.Targets {
		d.Ordered()
	}
	u.difference = d
	u.stats = SinceStats{Added: d.Added, Removed: d.Removed, Resized: d.Resized, Came: d.Came, Went: d.Went, Previous: hex.EncodeToString(b.Fingerprint[:])}
	plan, err := r.cheapest(ctx, u, p.Plan)
	if err != nil {
		return p, fmt.Errorf("pipeline: since: %w", err)
	}
	r.stats.Since = &u.stats
	switch {
	case u.stats.Way != wayWhole:
		u.stats.Nights = b.nights + 1
	case sample.Way == "":
		return p, nil
	}
	d.Planned()
	r.update, p.Plan = u, plan
	r.stats.Batches = len(plan.Batches)
	return p, nil
}

// cheapest returns the plan of the cheapest way, and records the cost of all ways.
func (r *run) cheapest(ctx context.Context, u *update, whole *preprocess.Plan) (*preprocess.Plan, error) {
	d, s := u.difference, &u.stats
	anew, forced := costOf(wayWhole, whole), r.opts.Since.way
	const (
		dearer    = "takes as long as a whole run"
		arcVisits = 1 // balls take a fifth of a run at most if they follow an arc for so many edge visits of it
	)
	leaves, sides := WayCost{Way: wayMasses}, WayCost{Way: waySides}
	if d.Equal() {
		s.Way = wayUnchanged
		s.Ways = []WayCost{{Way: wayUnchanged}, anew}
		return unsearched(whole), nil
	}
	s.Way = wayWhole
	best, cost := whole, anew.Cost
	within := d
	try := func(way *WayCost, union *csr.Graph, from, to change.Cover) error {
		plan, err := r.flowPlan(ctx, u, within, union, from, to)
		if err != nil {
			return err
		}
		if plan == nil {
			way.Off = "masses of both graphs have too many digits together"
			return nil
		}
		*way = costOf(way.Way, plan)
		if way.Cost < cost && forced == "" || way.Way == forced {
			s.Way, best, cost = way.Way, plan, way.Cost
		}
		return nil
	}
	if err := r.need(r.named(&u.today.names)+whole.Bytes()+d.UnionBytes(), "compare it with the graph before"); err != nil {
		return nil, err
	}
	if r.opts.Question.Cutoff == "" {
		inside, err := d.Inside(ctx)
		if err != nil {
			return nil, err
		}
		if inside != nil {
			within, s.Blocks = inside, inside.Blocks
		}
	}
	union := within.Union()
	spare, dear := aside(within, union, whole, anew.Cost)
	if forced != "" {
		spare, dear = 1, false
	}
	var peeled *change.Peeled
	var branches change.Cover
	if union.Directed() {
		leaves.Off = "smaller side is that already, of arcs"
	} else if spare > 0 {
		var err error
		if peeled, err = within.Peel(ctx, union); err != nil {
			return nil, err
		}
		var left int
		if branches, left = within.Branches(peeled); left > 0 {
			leaves.Off = fmt.Sprintf("%d changed edges are in no tree", left)
		}
	} else {
		leaves.Off = dearer
	}
	if branches != nil {
		sides.Off = "masses only is that already: the smaller sides are trees"
		if err := try(&leaves, union, branches, branches); err != nil {
			return nil, err
		}
	} else if spare <= 0 || dear {
		sides.Off = dearer
	} else if from, to, err := within.Sides(ctx, union, peeled, spare, int(anew.Cost/arcVisits)); err != nil {
		return nil, err
	} else if from == nil {
		sides.Off = "takes as many searches as a whole run"
	} else if err := try(&sides, union, from, to); err != nil {
		return nil, err
	}
	s.Ways = []WayCost{leaves, sides, anew}
	way := r.opts.Question.Sample.Way
	if oneOf(way, "", "exact") {
		return best, nil
	}
	var err error
	if u.pairs, err = newChangedPairs(ctx, d, d.Union(), whole.Vertices, r.opts.Threads); err != nil {
		return nil, err
	}
	u.pairs.shareOf, u.pairs.one = u.all(), flowOne(u.today.Question)
	if short := r.need(r.named(&u.today.names)+whole.Bytes()+u.pairs.bytes, "draw pairs of both graphs"); short != nil {
		if u.pairs = nil; way == "pairs" {
			return nil, short
		}
	}
	return best, nil
}

// aside weighs what comes before the searches of an update against a whole run of that cost. spare is the share of the
// cost that is left when both graphs are laid out; dear says that finding smaller sides takes a twentieth of it. The
// constants are measured: docs/decisions/030-updates-by-covers.md.
func aside(d *change.Difference, union *csr.Graph, whole *preprocess.Plan, cost float64) (spare float64, dear bool) {
	const small = 1 << 15 // arcs that take milliseconds at most
	arcs, visits := len(union.Targets), 16.0
	if union.Directed() {
		arcs += len(union.In.Targets)
	}
	switch {
	case len(whole.Blocks) > 0 && whole.Blocks[0].Ascends(): // without cycles, a visit takes little
		visits = 32
	case union.HasLengths(): // with lengths, it takes long
		visits = 4
	}
	batch := 2 * float64(len(union.Targets))
	return 1 - visits*float64(max(arcs-small, 0))/cost, d.Seeking()/engine.MaxLanes*batch > cost/20+visits*small
}

// unsearched is a plan of the same graph and question without searches.
func unsearched(p *preprocess.Plan) *preprocess.Plan {
	return &preprocess.Plan{Question: p.Question, Vertices: p.Vertices, Edges: p.Edges}
}

// costOf is the cost of a plan.
func costOf(way string, plan *preprocess.Plan) WayCost {
	c := WayCost{Way: way}
	for _, batch := range plan.Batches {
		c.Searches += batch.Count
		c.Cost += plan.Cost(batch)
	}
	return c
}

// flowPlan returns the plan of the flows of Difference.Flows; nil: their masses are too large.
func (r *run) flowPlan(ctx context.Context, u *update, d *change.Difference, union *csr.Graph, from, to change.Cover) (*preprocess.Plan, error) {
	g, origins, destinations := d.Flows(union, from, to)
	asked := r.opts.Question
	asked = question.Question{Directed: asked.Directed, Lengths: asked.Lengths, Cutoff: asked.Cutoff}
	asked.Lengths.Unit = u.scale.Unit
	reduce := flowing(asked, origins, destinations)
	if max(reduce.Question.Origins.Total, reduce.Question.Destinations.Total) > building.MostMass {
		return nil, nil
	}
	reduce.Divisor, reduce.Threads, reduce.Lanes, reduce.Unsummed = u.scale.Divisor, r.opts.Threads, r.lanes, true
	reduce.Fits = func(bytes int64) error { return r.need(bytes, "reduce both graphs") }
	return preprocess.Reduce(ctx, g, reduce)
}

// massesOfBoth returns masses by vertex of the union, and gives the graph before the same. of maps its vertices to those of today,
// and ends are by vertex of the union.
func (r *run) massesOfBoth(ctx context.Context, b *before, p namedPlan, of []uint32, today [2][]int64, ends [2][]bool) (both [2][]int64, err error) {
	n := p.names.IDs.Len()
	var before [2][]int64
	var chosen [2][]uint32
	for side, masses := range today {
		if ends[side] != nil {
			chosen[side] = []uint32{}
		}
		if masses != nil {
			both[side] = append(slices.Clip(masses), make([]int64, len(of))...)
			before[side] = both[side][n:]
		}
		for old, v := range of {
			if masses != nil && v != csr.None {
				before[side][old] = masses[v]
			}
			if ends[side] != nil && ends[side][n+old] {
				chosen[side] = append(chosen[side], uint32(old))
			}
		}
	}
	return both, b.weigh(ctx, preprocess.Options{Question: p.Question.Exact(), Sources: chosen[0], Targets: chosen[1], Origins: before[0], Destinations: before[1], Threads: r.opts.Threads,
		Fits: func(bytes int64) error { return r.need(bytes, "give the graph before its masses") }})
}

// endsOfBoth says where paths begin and end, by vertex of the union; nil: everywhere.
func (r *run) endsOfBoth(ctx context.Context, today, yesterday *names) (sources, targets []bool, err error) {
	n := today.IDs.Len()
	for _, side := range []struct {
		ids  *VertexSet
		list *[]bool
	}{{r.opts.Sources, &sources}, {r.opts.Targets, &targets}} {
		if side.ids == nil {
			continue
		}
		list := make([]bool, n+yesterday.IDs.Len())
		for _, of := range []struct {
			names *names
			from  []bool
		}{{today, list}, {yesterday, list[n:]}} {
			if err := side.ids.meet(ctx, of.names, func(int, int) {}, func(_ int, v uint32) { of.from[v] = true }); err != nil {
				return nil, nil, err
			}
		}
		*side.list = list
	}
	return sources, targets, nil
}

// held is the memory of an update beside the plan that is computed.
func (u *update) held() int64 {
	if u == nil {
		return 0
	}
	held := u.today.Bytes() + u.difference.Held() + 8*int64(len(u.before.scores)+2*len(u.before.lower))
	if u.pairs != nil {
		held += u.pairs.bytes
	}
	return held
}
