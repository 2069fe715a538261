package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/bound"
	"bcstage/internal/building"
	"bcstage/internal/draws"
	"bcstage/preprocess/question"
)

// A partial stores the drawn sources in columns
//
//	sampled       int64   1 where the vertex, or the edge, is of the block that is sampled
//	settled:J     int64   of stage J, counted from 0, if something of it is done:
//	drawn:J               the sums that package bound makes intervals of, in units
//	squares:J             that follow from the stage
//
// and in metadata: "drawn", the stages as JSON, "confidence", and "lengths:J", three sums of stage
// J. All except "drawn" and "confidence" add up.

var sumNames = [3]string{"settled", "drawn", "squares"}

func (s *stage) sums() [3][]int64 { return [3][]int64{s.settled, s.drawn, s.squares} }

// clone returns a copy that shares nothing that changes.
func (d *drawn) clone() *drawn {
	if d == nil {
		return nil
	}
	c := *d
	c.stages = slices.Clone(d.stages)
	for i, s := range c.stages {
		if s != nil {
			c.stages[i] = &stage{slices.Clone(s.settled), slices.Clone(s.drawn), slices.Clone(s.squares), s.lengths}
		}
	}
	return &c
}

// laySample adds the metadata of a sampled block to a table, as JSON. It returns a function that
// adds a column about the rows whose scores are estimated.
func laySample(table *tables.Table, key string, about any, confidence float64, rows []uint32) (column func(name string, of func(i int) int64)) {
	text, _ := json.Marshal(about) // numbers and lists have a JSON form
	table.Metadata = append(table.Metadata,
		tables.KeyValue{Key: key, Value: string(text)},
		tables.KeyValue{Key: "confidence", Value: strconv.FormatFloat(confidence, 'g', -1, 64)})
	return func(name string, of func(i int) int64) {
		values := make(tables.Ints, table.IDs.Len())
		for i, v := range rows {
			values[v] = of(i)
		}
		table.Columns = append(table.Columns, tables.Column{Name: name, Values: values})
	}
}

// confidenceIn reads the confidence that laySample wrote.
func confidenceIn(fields map[string]string) (float64, error) {
	confidence, err := strconv.ParseFloat(fields["confidence"], 64)
	if err != nil || !(confidence > 0 && confidence < 1) {
		return 0, fmt.Errorf("metadata: confidence %q", fields["confidence"])
	}
	return confidence, nil
}

// rowsOf returns the rows of vertices, then of edges, in a table whose edges follow n vertices.
func rowsOf(vertices, edges []uint32, n int) []uint32 {
	rows := slices.Clone(vertices)
	for _, edge := range edges {
		rows = append(rows, uint32(n)+edge)
	}
	return rows
}

// lay adds the columns and metadata to a table of n vertices.
func (d *drawn) lay(table *tables.Table, n int) {
	column := laySample(table, "drawn", d.Drawn, d.Confidence, rowsOf(d.vertices, d.edges.list, n))
	column("sampled", func(int) int64 { return 1 })
	for number, s := range d.stages {
		if s == nil {
			continue
		}
		suffix := ":" + strconv.Itoa(number)
		for k, sums := range s.sums() {
			column(sumNames[k]+suffix, func(i int) int64 { return sums[i] })
		}
		table.Metadata = append(table.Metadata, tables.KeyValue{Key: "lengths" + suffix, Value: s.lengths.String()})
	}
}

// String returns the three sums in hexadecimal.
func (l lengths) String() string {
	var list []string
	for _, w := range []word{l.settled, l.drawn, l.squares} {
		list = append(list, fmt.Sprintf("%016x%016x", w.high, w.low))
	}
	return strings.Join(list, " ")
}

func parseLengths(text string) (l lengths, err error) {
	parts := strings.Fields(text)
	if len(parts) != 3 {
		return l, fmt.Errorf("metadata: lengths %q: want three sums", text)
	}
	for i, w := range []*word{&l.settled, &l.drawn, &l.squares} {
		if len(parts[i]) != 32 {
			return l, fmt.Errorf("metadata: lengths %q: want 32 digits each", text)
		}
		high, errHigh := strconv.ParseUint(parts[i][:16], 16, 64)
		low, errLow := strconv.ParseUint(parts[i][16:], 16, 64)
		if err := errors.Join(errHigh, errLow); err != nil {
			return l, fmt.Errorf("metadata: lengths: %w", err)
		}
		*w = word{high, low}
	}
	return l, nil
}

// fillDrawn reads the columns that lay made, of n vertices and then of edges, for a plan of so many batches.
func fillDrawn(fields map[string]string, table *tables.Table, n, batches int) (*drawn, error) {
	text, there := fields["drawn"]
	if !there {
		return nil, nil
	}
	d := &drawn{Drawn: &draws.Drawn{}}
	if err := json.Unmarshal([]byte(text), d.Drawn); err != nil {
		return nil, fmt.Errorf("metadata: drawn: %w", err)
	}
	var err error
	if d.Confidence, err = confidenceIn(fields); err != nil {
		return nil, err
	}
	if err := d.check(batches); err != nil {
		return nil, fmt.Errorf("metadata: drawn: %w", err)
	}
	all := table.IDs.Len()
	sampled := table.Ints("sampled")
	if len(sampled) != all {
		return nil, fmt.Errorf("no column %q of %d rows", "sampled", all)
	}
	for row, mark := range sampled {
		switch {
		case mark <= 0:
		case row < n:
			d.vertices = append(d.vertices, uint32(row))
		default:
			d.edges.list = append(d.edges.list, uint32(row-n))
		}
	}
	rows := rowsOf(d.vertices, d.edges.list, n)
	d.stages = make([]*stage, len(d.Stages))
	for number := range d.stages {
		suffix := ":" + strconv.Itoa(number)
		text, there := fields["lengths"+suffix]
		if !there {
			continue
		}
		s := newStage(len(rows))
		if s.lengths, err = parseLengths(text); err != nil {
			return nil, err
		}
		for k, sums := range s.sums() {
			values := table.Ints(sumNames[k] + suffix)
			if len(values) != all {
				return nil, fmt.Errorf("no column %q of %d rows", sumNames[k]+suffix, all)
			}
			for i, v := range rows {
				if sums[i] = values[v]; sums[i] < 0 {
					return nil, fmt.Errorf("column %q: negative at row %d", sumNames[k]+suffix, v)
				}
			}
		}
		d.stages[number] = s
	}
	return d, nil
}

// check refuses stages that no plan has.
func (d *drawn) check(batches int) error {
	at, from := -1, 0.0
	for i, s := range d.Stages {
		if i > 0 && s.First != at || s.First < 0 || s.End <= s.First || s.End > batches || s.Draws < 1 || !(s.From >= 1) {
			return fmt.Errorf("stage %d is %+v", i, s)
		}
		at = s.End
		from += s.From
	}
	if at != batches || from != d.From || !(d.To > 0 && d.To <= building.MostMass) || d.From > building.MostMass || d.Depth < 1 {
		return fmt.Errorf("%d batches of mass %v, want %d of %v", at, from, batches, d.From)
	}
	return nil
}

// differs says why another's stages cannot be added.
func (d *drawn) differs(other *drawn) string {
	switch {
	case d == nil && other == nil:
		return ""
	case d == nil || other == nil:
		return "only one has sources in stages"
	}
	mine, _ := json.Marshal(d.Drawn)
	others, _ := json.Marshal(other.Drawn)
	switch {
	case slices.Equal(d.Cuts, other.Cuts) && d.Order != other.Order:
		return "sources drawn in another order: by another version"
	case string(mine) != string(others):
		return "sources drawn in other stages: by another version"
	case !slices.Equal(d.vertices, other.vertices) || !slices.Equal(d.edges.list, other.edges.list):
		return "sources drawn in another block"
	}
	return ""
}

// samplesDiffer says that stages end at other numbers of samples, or "".
func (d *drawn) samplesDiffer(other *drawn) string {
	if d == nil || other == nil || slices.Equal(d.Cuts, other.Cuts) {
		return ""
	}
	return otherSamples(other.Cuts, d.Cuts)
}

// otherSamples says that stages end at other numbers of samples. A run that resumes a partial may
// add stages of its own.
func otherSamples(got, want []int) string {
	if own := slices.DeleteFunc(slices.Clone(want), func(samples int) bool { return slices.Contains(got, samples) }); len(own) > 0 {
		want = own
	}
	return "made for another question: " + question.Samples(got, want) + "; only runs with these samples, or with an eps, can continue it"
}

// join adds another part of the run. The larger confidence counts: bounds that have it have the
// other, too, and the order of parts does not matter.
func (d *drawn) join(other *drawn) {
	d.Confidence = max(d.Confidence, other.Confidence)
	for number, s := range other.stages {
		switch {
		case s == nil:
		case d.stages[number] == nil:
			d.stages[number] = s
		default:
			mine := d.stages[number]
			for k, sums := range mine.sums() {
				for i, x := range s.sums()[k] {
					sums[i] += x
				}
			}
			mine.lengths.settled.plus(s.lengths.settled)
			mine.lengths.drawn.plus(s.lengths.drawn)
			mine.lengths.squares.plus(s.lengths.squares)
		}
	}
}

// Drawn returns how sources were drawn, and the confidence of the bounds; nil: they were not.
func (p *Partial) Drawn() (_ *draws.Drawn, confidence float64) {
	if p.drawn == nil {
		return nil, 0
	}
	return p.drawn.Drawn, p.drawn.Confidence
}

// Sampled returns the vertices and the edges whose scores are estimated, ascending.
func (p *Partial) Sampled() (vertices, edges []uint32) { return p.drawn.vertices, p.drawn.edges.list }

// Stage returns a finished stage: see Ledger.Stage.
func (p *Partial) Stage(number int) bound.Stage { return p.drawn.stage(number) }

// Ahead returns the settled sums of later stages: see Ledger.Ahead.
func (p *Partial) Ahead(number int) []float64 { return p.drawn.ahead(number) }

// CompleteStages counts the complete stages from the first on. All other blocks must be done. The
// error wraps ErrPartial and says what is missing for a stage.
func (p *Partial) CompleteStages() (count int, err error) {
	if err := p.complete(p.drawn.Stages[0].End); err != nil {
		return 0, err
	}
	for count < len(p.drawn.Stages) && !slices.Contains(p.Done[p.drawn.Stages[count].First:p.drawn.Stages[count].End], false) {
		count++
	}
	return count, nil
}

// Sample is the way to estimate the scores; the zero value: they are exact.
func (p *Partial) Sample() question.Sample { return p.Identity.asked().Sample }

// Now turns a partial of exact sums, such as a partial of pairs, into a partial for another sample
// of the same plan.
func (p *Partial) Now(s question.Sample) {
	q := p.Identity.asked()
	q.Sample = question.Sample{Way: s.Way, Seed: s.Seed}
	p.Identity.Question = q.Identity()
	p.paired = nil
}
