package pipeline

import (
	"context"
	"encoding/hex"
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/change"
	"bcstage/preprocess"
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

// updater plans the update of an earlier run.
type updater struct {
	call
	in *intake
	*update
	earlier *before
	of      []uint32  // vertices of today, by vertex of the graph before
	ends    [2][]bool // where paths begin and end, by vertex of the union; nil: everywhere
}

// since plans the update of the earlier scores. It returns the plan to compute, which is today's own where no other way
// is cheaper. count was the same before.
func (p *planner) since(ctx context.Context, plan namedPlan, today *csr.Graph, scale building.Scale, count counted) (namedPlan, error) {
	b, err := p.opts.Since.open(ctx, p.opts.Question, p.opts.Threads)
	if err != nil {
		return plan, err
	}
	defer b.Close() // nothing of it is kept
	u := &updater{call: p.call, in: p.in, update: &update{today: plan}, earlier: b}
	if err := b.names.alike(&plan.names); err != nil {
		return plan, fmt.Errorf("%w: Options.Since: %w", ErrOptions, err)
	}
	if u.of, err = change.Match(ctx, p.opts.Threads, b.names.vertices(), plan.names.vertices()); err != nil {
		return plan, err
	}
	if err := u.findEnds(ctx); err != nil {
		return plan, err
	}
	give, err := u.countedBefore(ctx, count)
	if err != nil {
		return plan, err
	}
	sample := p.opts.Question.Sample
	if err := b.take(ctx, p.opts.Since.Scores, p.opts.Threads, sample); err != nil {
		return plan, err
	}
	u.before = b.earlier
	yesterday := b.graph
	if today, yesterday, u.scale, err = inOneUnit(today, scale, yesterday, b.about.Lengths.scale()); err != nil {
		return plan, err
	}
	d, err := change.Compare(ctx, today, yesterday, u.of)
	if err != nil {
		return plan, err
	}
	d.Sources, d.Targets = u.ends[0], u.ends[1]
	give(d)
	counts := p.opts.Question
	counts.Lengths.Unit = u.scale.Unit
	d.Cutoff = preprocess.Farthest(counts, u.scale.Divisor)
	u.difference = d
	s := &u.update.stats
	*s = SinceStats{Added: d.Added, Removed: d.Removed, Resized: d.Resized, Came: d.Came, Went: d.Went, Previous: hex.EncodeToString(b.Fingerprint[:])}
	best, err := u.cheapest(ctx, plan.Plan)
	if err != nil {
		return plan, fmt.Errorf("pipeline: since: %w", err)
	}
	p.stats.Since = s
	switch {
	case s.Way != wayWhole:
		s.Nights = b.nights + 1
	case sample.Way == "":
		return plan, nil
	}
	d.Planned()
	p.update, plan.Plan = u.update, best
	p.stats.Batches = len(best.Batches)
	return plan, nil
}

// cheapest returns the plan of the cheapest way, and records the cost of all ways.
func (u *updater) cheapest(ctx context.Context, whole *preprocess.Plan) (*preprocess.Plan, error) {
	d, s := u.difference, &u.update.stats
	anew, forced := costOf(wayWhole, whole), u.opts.Since.way
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
		plan, err := u.flowPlan(ctx, within, union, from, to)
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
	if err := u.need(u.in.named(&u.today.names)+whole.Bytes()+d.UnionBytes(), "compare it with the graph before"); err != nil {
		return nil, err
	}
	if q := u.opts.Question; q.Cutoff == "" && !q.Shares() && !q.HasTrips() {
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
	} else if u.opts.Question.Gravity.Constrained != "" {
		leaves.Off = "all sources with a changed pair are searched, also those outside of trees"
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
	way := u.opts.Question.Sample.Way
	if oneOf(way, "", "exact") {
		return best, nil
	}
	var err error
	if u.pairs, err = newChangedPairs(ctx, d, d.Union(), whole.Vertices, u.opts.Threads); err != nil {
		return nil, err
	}
	u.pairs.shareOf, u.pairs.one = u.all(), flowOne(u.today.Question)
	if short := u.need(u.in.named(&u.today.names)+whole.Bytes()+u.pairs.bytes, "draw pairs of both graphs"); short != nil {
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
	case len(whole.Blocks) > 0 && csr.NearlyAscends(&whole.Blocks[0].Graph): // with few cycles, a visit takes little
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

// findEnds finds where paths begin and end.
func (u *updater) findEnds(ctx context.Context) error {
	n := u.today.names.IDs.Len()
	for side, set := range [2]*VertexSet{u.opts.Sources, u.opts.Targets} {
		if set == nil {
			continue
		}
		list := make([]bool, n+u.earlier.names.IDs.Len())
		u.ends[side] = list
		for _, of := range []struct {
			names *names
			from  []bool
		}{{&u.today.names, list}, {&u.earlier.names, list[n:]}} {
			if err := set.meet(ctx, of.names, func(int, int) {}, func(_ int, v uint32) { of.from[v] = true }); err != nil {
				return err
			}
		}
	}
	return nil
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
