package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// ErrPartial says that partial results do not belong together: another graph or other options, batches counted twice,
// or batches missing.
var ErrPartial = errors.New("partial results do not match")

// Partial holds the sums of some batches of a plan. Checkpoints, shards and their merging are the same thing: resuming
// runs the missing batches, a shard runs its share of the batches, and merging adds partials whose batches are
// disjoint. Since sums are integers, any way to divide and add gives the same bits.
//
// As a table it has a row per vertex of the input, in first-seen order:
//
//	vertex         the ids, of the input's type; before it, columns that name the
//	               graph, if there are several, and the side of a bipartite one
//	closed_form    int64   ordered pairs that the reductions settled; where vertices have masses, the lower
//	               64 bits of what they settled, and the others in "closed_form_high"
//	sum_0..sum_3   int64   the sum's 128 bits, 32 each, least first, in units
//	               of 2^-fraction ordered pairs; 32 bits in 64, so that any
//	               engine can add up to 2^31 partials column by column
//
// and metadata that names the plan. "checksum" covers the rest of the table, so a damaged file is refused. Programs
// that add columns write "none", and are checked by "n" and "total": the sums of all rows modulo 2^128, which add up as
// the rows do. The score is (closed_form + sum * 2^-fraction) / 2.
//
// For other measures the columns and "total" have the measure's name after a colon; with several cutoffs, "_" and the
// cutoff follow. "columns" lists all measures with their unit and their join; without it, there is betweenness, per
// vertex, joined by sum.
//
// "asked" lists the columns of the final result, unless that is betweenness alone. Their facts stand in columns
// "degree", "component" and "component_size", equal in all parts. Where paths begin or end at some vertices only,
// "is_source" and "is_target" have 0 or 1.
//
// By lengths, farness and eccentricity have no fraction bits, harmonic centrality has as many as leave room for n, and
// "weight_one" is the value of 1 in a distance. Where vertices have masses, "demand" has their statistics, equal in all parts. With scores of edges, the question is of "edge-scores", and there is a
// row per edge after those of the vertices: see layEdges.
type Partial struct {
	Identity Identity
	Shard    Shard  // as asked for; zero if unknown, or everything
	Done     []bool // by batch
	Names    Names  // of the vertices
	Check    SelfCheck
	Engines  []string // engines that computed a part, ascending
	Asked    []string // measures, in the order of their columns; none: betweenness
	facts    []fact
	ends     [2][]uint32 // of the edges whose scores are asked for; none: scores of vertices alone
	columns  []column
	drawn    *drawn  // stages of sources; nil: the plan has none
	paired   *paired // stages of pairs; nil: the plan has none
	threads  int     // that make Sums; 0: one
}

const partialVersion = "2"

// Outline returns the table of a partial result without its values.
func (l *Ledger) Outline() tables.Table {
	table := l.now.Names.Table()
	add := func(names ...string) {
		for _, name := range names {
			table.Columns = append(table.Columns, tables.Column{Name: name, Values: tables.Ints(nil)})
		}
	}
	for i := range l.now.columns {
		add(l.now.columns[i].laid()...)
	}
	for _, f := range l.now.facts {
		add(f.measure)
	}
	return table
}

// Table returns the partial as a table, written by a program of this version.
func (p *Partial) Table(version string) tables.Table {
	table := p.Names.Table()
	for _, c := range p.columns {
		if c.Per == measures.PerVertex {
			table.Columns = append(table.Columns, c.lay()...)
		}
	}
	for _, f := range p.facts {
		table.Columns = append(table.Columns, tables.Column{Name: f.measure, Values: f.values})
	}
	p.layEdges(&table)
	table.Metadata = []tables.KeyValue{
		{Key: "partial", Value: partialVersion},
		{Key: "version", Value: version},
		{Key: "fingerprint", Value: p.Identity.Fingerprint},
		{Key: "engine", Value: strings.Join(p.Engines, ",")},
		{Key: "precision", Value: string(p.Identity.Precision)},
		{Key: "n", Value: strconv.Itoa(p.Identity.Vertices)},
		{Key: "m", Value: strconv.FormatInt(p.Identity.Edges, 10)},
		{Key: "shard", Value: p.Shard.String()},
		{Key: "batches", Value: strconv.Itoa(p.Identity.Batches)},
		{Key: "done", Value: formatRanges(p.Done)},
	}
	add := func(key, value string) {
		table.Metadata = append(table.Metadata, tables.KeyValue{Key: key, Value: value})
	}
	for _, c := range p.columns {
		add("total"+c.suffix(), c.sums.total())
	}
	add("fraction", strconv.Itoa(p.Identity.asked().Fraction(p.Identity.Vertices)))
	add("checked_sources", strconv.Itoa(p.Check.Sources))
	add("largest_relative_difference", strconv.FormatFloat(p.Check.LargestRelative, 'g', -1, 64))
	add("recomputed", strconv.Itoa(p.Check.Recomputed))
	table.Metadata = append(table.Metadata, p.Names.Metadata()...)
	if p.Identity.Question != "" {
		add("question", p.Identity.Question)
	}
	if p.Names.Demand != "" {
		add(demandKey, p.Names.Demand)
	}
	if listed := describe(p.columns); listed != defaultColumns {
		add("columns", listed)
	}
	if len(p.Asked) > 0 {
		add("asked", strings.Join(p.Asked, ","))
	}
	if p.drawn != nil {
		p.drawn.lay(&table, p.Identity.Vertices)
	}
	if p.paired != nil {
		p.paired.lay(&table, p.Identity.Vertices)
	}
	add("checksum", checksum(table))
	return table
}

// Read reads a table of Partial.Table, or the sum of several such tables, added column by column.
func Read(table tables.Table) (*Partial, error) {
	p, err := read(table)
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w: %w", ErrPartial, err)
	}
	return p, nil
}

func read(table tables.Table) (*Partial, error) {
	fields := make(map[string]string, len(table.Metadata))
	for _, entry := range table.Metadata {
		fields[entry.Key] = entry.Value
	}
	if version, ok := fields["partial"]; !ok || version != partialVersion {
		return nil, fmt.Errorf("not a partial result of version %s", partialVersion)
	}
	if written := fields["checksum"]; written != "none" && written != checksum(table) {
		return nil, errors.New("damaged: the checksum does not match")
	}
	asked, err := question.Parse(fields["question"])
	if err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	rows := table // with its rows of edges
	var edges *tables.Table
	if asked.Edges {
		if edges, err = cutEdges(&table, fields); err != nil {
			return nil, err
		}
	}
	n := table.IDs.Len()
	p := &Partial{
		Identity: Identity{Fingerprint: fields["fingerprint"], Question: asked.Identity(), Precision: engine.Precision(fields["precision"]), Vertices: n},
		Names:    NamesIn(&table),
	}
	if text := fields["engine"]; text != "" {
		p.Engines = strings.Split(text, ",")
	}
	number := func(key string) int64 {
		value, failure := strconv.ParseInt(fields[key], 10, 64)
		if failure != nil || value < 0 {
			err = fmt.Errorf("metadata %q is %q", key, fields[key])
		}
		return value
	}
	p.Identity.Edges = number("m")
	p.Identity.Batches = int(number("batches"))
	p.Check.Sources = int(number("checked_sources"))
	p.Check.Recomputed = int(number("recomputed"))
	if rows := number("n"); err == nil && rows != int64(n) {
		err = fmt.Errorf("%d rows for %d vertices", n, rows)
	}
	if fraction, want := number("fraction"), asked.Fraction(n); err == nil && fraction != int64(want) {
		err = fmt.Errorf("fraction %d for %d vertices, want %d", fraction, n, want)
	}
	// Every batch has a source. Blocks of path searches have fewer than twice as many vertices as the graph; blocks of
	// distance searches have as many, once more if both directions are asked for.
	if err == nil && p.Identity.Batches > 4*n {
		err = fmt.Errorf("%d batches for %d vertices", p.Identity.Batches, n)
	}
	if err != nil {
		return nil, err
	}
	if p.Check.LargestRelative, err = strconv.ParseFloat(fields["largest_relative_difference"], 64); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	if text := fields["shard"]; text != "" {
		if p.Shard, err = ParseShard(text); err != nil {
			return nil, fmt.Errorf("metadata: %w", err)
		}
	}
	if p.Done, err = parseRanges(fields["done"], p.Identity.Batches); err != nil {
		return nil, err
	}
	p.columns = newColumns(asked, n, p.Identity.Edges)
	listed, said := fields["columns"]
	if !said {
		listed = defaultColumns
	}
	if want := describe(p.columns); listed != want {
		return nil, fmt.Errorf("columns %s: this program joins %s", listed, want)
	}
	for i := range p.columns {
		c := &p.columns[i]
		from := &table
		if c.Per == measures.PerEdge {
			from = edges
		}
		if err := c.fill(from); err != nil {
			return nil, err
		}
		if total, want := c.sums.total(), fields["total"+c.suffix()]; total != want {
			return nil, fmt.Errorf("damaged: the sums' total is %s, want %q", total, want)
		}
	}
	if p.ends, err = fillEnds(edges, n); err != nil {
		return nil, err
	}
	if p.drawn, err = fillDrawn(fields, &rows, n, p.Identity.Batches); err != nil {
		return nil, err
	}
	if p.paired, err = fillPaired(fields, &rows, n, p.Identity.Batches); err != nil {
		return nil, err
	}
	if text := fields["asked"]; text != "" {
		p.Asked = strings.Split(text, ",")
	}
	whole := p.Question()
	if err := whole.Check(); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	if whole.Identity() != p.Identity.Question {
		return nil, fmt.Errorf("metadata: %q need other columns", p.Asked)
	}
	p.facts, err = fillFacts(whole, &table)
	return p, err
}

// Add adds another partial of the same plan whose batches are disjoint.
func (p *Partial) Add(other *Partial) error {
	if differs := p.Identity.differs(other.Identity); differs != "" {
		return fmt.Errorf("pipeline: %w: %s", ErrPartial, differs)
	}
	if differs := cmp.Or(p.paired.differs(other.paired), p.drawn.differs(other.drawn)); differs != "" {
		return fmt.Errorf("pipeline: %w: %s", ErrPartial, differs)
	}
	if p.Names.One != other.Names.One {
		return fmt.Errorf("pipeline: %w: %s", ErrPartial, p.Differs(other))
	}
	if p.Differs(other) != "" || !p.Names.equal(&other.Names) {
		return fmt.Errorf("pipeline: %w: the same graph with other names or another order of vertices", ErrPartial)
	}
	if p.Names.Demand != "" && other.Names.Demand != "" && p.Names.Demand != other.Names.Demand {
		return fmt.Errorf("pipeline: %w: made from other tables of masses or trips: demand %s against %s", ErrPartial, other.Names.Demand, p.Names.Demand)
	}
	p.Names.Demand = cmp.Or(p.Names.Demand, other.Names.Demand) // earlier versions wrote none
	if !slices.Equal(p.Asked, other.Asked) || !sameFacts(p.facts, other.facts) {
		return fmt.Errorf("pipeline: %w: made for other columns: %s against %s", ErrPartial, columnsText(other.Asked), columnsText(p.Asked))
	}
	var twice []bool
	for i, done := range other.Done {
		if done && p.Done[i] {
			if twice == nil {
				twice = make([]bool, len(p.Done))
			}
			twice[i] = true
		}
	}
	if twice != nil {
		return fmt.Errorf("pipeline: %w: batches %s of %d are in two parts%s", ErrPartial, formatRanges(twice), len(twice), p.Shard.common(other.Shard))
	}
	shared := p.Shard.common(other.Shard)
	p.Shard = p.Shard.with(other.Shard)
	for i, done := range other.Done {
		p.Done[i] = p.Done[i] || done
	}
	for i := range p.columns {
		p.columns[i].join(&other.columns[i])
	}
	if p.drawn != nil {
		p.drawn.join(other.drawn)
	}
	if p.paired != nil {
		if err := p.paired.join(other.paired); err != nil {
			return fmt.Errorf("pipeline: %w: %w%s", ErrPartial, err, shared)
		}
	}
	p.Engines = union(p.Engines, other.Engines)
	p.Check.Sources += other.Check.Sources
	p.Check.Recomputed += other.Check.Recomputed
	p.Check.LargestRelative = max(p.Check.LargestRelative, other.Check.LargestRelative)
	return nil
}

// Differs says why another partial is not of the same plan; "" if it is.
func (p *Partial) Differs(other *Partial) string {
	differs := p.Identity.differs(other.Identity)
	if samples := p.drawn.samplesDiffer(other.drawn); samples != "" && p.Identity.alike(other.Identity) {
		differs = samples // samples determine the batches, too
	}
	if differs != "" {
		return differs
	}
	if !slices.Equal(p.ends[0], other.ends[0]) || !slices.Equal(p.ends[1], other.ends[1]) {
		return "the edges are in another order"
	}
	if p.Names.One != other.Names.One {
		return fmt.Sprintf("lengths of %s against %s", other.Names.One, p.Names.One)
	}
	for i, c := range p.columns {
		if !slices.Equal(c.base.Low, other.columns[i].base.Low) || !slices.Equal(c.base.High, other.columns[i].base.High) {
			return "the closed forms differ: vertices in another order"
		}
	}
	if differs := p.paired.differs(other.paired); differs != "" {
		return differs
	}
	return p.drawn.differs(other.drawn)
}

// Members is the number of finished batches.
func (p *Partial) Members() int {
	count := 0
	for _, done := range p.Done {
		if done {
			count++
		}
	}
	return count
}

// Counted is the number of finished batches and pairs.
func (p *Partial) Counted() int64 { return int64(p.Members()) + p.DrawnPairs() }

// columnsText lists the columns as asked for.
func columnsText(asked []string) string {
	if len(asked) == 0 {
		return measures.Betweenness
	}
	return strings.Join(asked, ",")
}

// Directed reports whether the graph is directed.
func (p *Partial) Directed() bool { return p.Identity.asked().Directed }

// Complete returns an error that lists the missing batches, if any.
func (p *Partial) Complete() error { return p.complete(len(p.Done)) }

// complete is Complete for the first batches.
func (p *Partial) complete(first int) error {
	not := make([]bool, len(p.Done))
	for i, done := range p.Done[:first] {
		not[i] = !done
	}
	missing := formatRanges(not)
	if missing == "" {
		return nil
	}
	return fmt.Errorf("pipeline: %w: batches %s of %d are missing%s", ErrPartial, missing, len(not), p.Shard.others())
}

// union of two ascending lists, ascending.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
