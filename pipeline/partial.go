package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio"
	"bcstage/preprocess/question"
)

// ErrPartial says that partial results do not belong together: another graph
// or other options, batches counted twice, or batches missing.
var ErrPartial = errors.New("partial results do not match")

// A partial is the sums of some batches of a plan. Checkpoints, shards and
// their merging are the same thing: resuming runs the batches that are
// missing, a shard runs the batches of its share, merging adds partials whose
// batches are disjoint. Since sums are integers, any way of cutting and adding
// gives the same bits.
//
// As a table it has a row per vertex of the input, in first-seen order:
//
//	vertex         the ids, of the input's type; before it, columns that name the
//	               graph, if there are several, and the side of a bipartite one
//	closed_form    int64   ordered pairs that the reductions settled
//	sum_0..sum_3   int64   the sum's 128 bits, 32 each, least first, in units
//	               of 2^-fraction ordered pairs; 32 bits in 64, so that any
//	               engine can add up to 2^31 partials column by column
//
// and metadata that says what it is part of. "checksum" is over all the rest of the
// table, so that a file whose bits have decayed is refused; who adds columns up
// writes "none", and is held to "n" and "total", all rows' sums modulo 2^128,
// which add up as the rows do. The score is (closed_form + sum * 2^-fraction) / 2.
type partial struct {
	identity identity
	shard    Shard  // that was asked for; of none if not known, or everything
	done     []bool // by batch
	base     []int64
	sums     *sums
	names    names
	check    SelfCheck
	engines  []string // that computed some of it, ascending
	sizes    []uint32 // of components, by vertex; nil: not asked for, or read back
}

// identity is what two partials must agree on to be added.
type identity struct {
	fingerprint string // of the reduced graph and of the options that decide the batches
	question    string // its identity; "": the zero question
	precision   Precision
	vertices    int   // n
	edges       int64 // m
	batches     int
}

const (
	partialVersion = "2"
	limbs          = 4
)

// table lays a partial out for writing.
func (p *partial) table() arrowio.Table {
	columns := make([]arrowio.Column, 1+limbs)
	columns[0] = arrowio.Column{Name: "closed_form", Values: arrowio.Ints(p.base)}
	for i := range limbs {
		values := make(arrowio.Ints, len(p.sums.words))
		for v, w := range p.sums.words {
			half := w.low
			if i >= 2 {
				half = w.high
			}
			values[v] = int64(half >> (32 * (i % 2)) & (1<<32 - 1))
		}
		columns[1+i] = arrowio.Column{Name: "sum_" + strconv.Itoa(i), Values: values}
	}
	table := p.names.table()
	table.Columns = columns
	table.Metadata = append([]arrowio.KeyValue{
		{Key: "partial", Value: partialVersion},
		{Key: "version", Value: Version()},
		{Key: "fingerprint", Value: p.identity.fingerprint},
		{Key: "engine", Value: strings.Join(p.engines, ",")},
		{Key: "precision", Value: string(p.identity.precision)},
		{Key: "n", Value: strconv.Itoa(p.identity.vertices)},
		{Key: "m", Value: strconv.FormatInt(p.identity.edges, 10)},
		{Key: "shard", Value: p.shard.String()},
		{Key: "batches", Value: strconv.Itoa(p.identity.batches)},
		{Key: "done", Value: formatRanges(p.done)},
		{Key: "total", Value: p.sums.total()},
		{Key: "fraction", Value: strconv.Itoa(p.sums.fraction)},
		{Key: "checked_sources", Value: strconv.Itoa(p.check.Sources)},
		{Key: "largest_relative_difference", Value: strconv.FormatFloat(p.check.LargestRelative, 'g', -1, 64)},
		{Key: "recomputed", Value: strconv.Itoa(p.check.Recomputed)},
	}, p.names.metadata()...)
	if p.identity.question != "" {
		table.Metadata = append(table.Metadata, arrowio.KeyValue{Key: "question", Value: p.identity.question})
	}
	table.Metadata = append(table.Metadata, arrowio.KeyValue{Key: "checksum", Value: checksum(table)})
	return table
}

// partialOf reads a table that partial.table laid out, or one whose sums are
// those of several such tables, added column by column.
func partialOf(table arrowio.Table) (*partial, error) {
	fields := make(map[string]string, len(table.Metadata))
	for _, entry := range table.Metadata {
		fields[entry.Key] = entry.Value
	}
	if version, ok := fields["partial"]; !ok || version != partialVersion {
		return nil, fmt.Errorf("pipeline: %w: not a partial result of version %s", ErrPartial, partialVersion)
	}
	if written := fields["checksum"]; written != "none" && written != checksum(table) {
		return nil, fmt.Errorf("pipeline: %w: damaged: the checksum is not that of the table", ErrPartial)
	}
	p := &partial{
		identity: identity{fingerprint: fields["fingerprint"], precision: Precision(fields["precision"]), vertices: table.IDs.Len()},
		names:    namesIn(&table),
		sums:     newSums(table.IDs.Len()),
	}
	if text := fields["engine"]; text != "" {
		p.engines = strings.Split(text, ",")
	}
	var err error
	number := func(key string) int64 {
		value, failure := strconv.ParseInt(fields[key], 10, 64)
		if failure != nil || value < 0 {
			err = fmt.Errorf("pipeline: %w: metadata %q is %q", ErrPartial, key, fields[key])
		}
		return value
	}
	p.identity.edges = number("m")
	p.identity.batches = int(number("batches"))
	p.check.Sources = int(number("checked_sources"))
	p.check.Recomputed = int(number("recomputed"))
	if n := number("n"); err == nil && n != int64(table.IDs.Len()) {
		err = fmt.Errorf("pipeline: %w: %d rows for %d vertices", ErrPartial, table.IDs.Len(), n)
	}
	if fraction := number("fraction"); err == nil && fraction != int64(p.sums.fraction) {
		err = fmt.Errorf("pipeline: %w: fraction %d for %d vertices, want %d", ErrPartial, fraction, table.IDs.Len(), p.sums.fraction)
	}
	// Blocks have fewer than twice as many vertices as the graph, and every batch has a source.
	if err == nil && p.identity.batches > 2*table.IDs.Len() {
		err = fmt.Errorf("pipeline: %w: %d batches for %d vertices", ErrPartial, p.identity.batches, table.IDs.Len())
	}
	if err != nil {
		return nil, err
	}
	if p.check.LargestRelative, err = strconv.ParseFloat(fields["largest_relative_difference"], 64); err != nil {
		return nil, fmt.Errorf("pipeline: %w: metadata: %w", ErrPartial, err)
	}
	if text := fields["shard"]; text != "" {
		if p.shard, err = ParseShard(text); err != nil {
			return nil, fmt.Errorf("pipeline: %w: metadata: %w", ErrPartial, err)
		}
	}
	asked, err := question.Parse(fields["question"])
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w: metadata: %w", ErrPartial, err)
	}
	p.identity.question = asked.Identity()
	if p.done, err = parseRanges(fields["done"], p.identity.batches); err != nil {
		return nil, err
	}
	if err := p.fill(table); err != nil {
		return nil, err
	}
	if total := p.sums.total(); fields["total"] != total {
		return nil, fmt.Errorf("pipeline: %w: damaged: the sums' total is %s, want %q", ErrPartial, total, fields["total"])
	}
	return p, nil
}

// total is all vertices' sums modulo 2^128.
func (s *sums) total() string {
	var total word
	for _, w := range s.words {
		total.plus(w)
	}
	return fmt.Sprintf("%016x%016x", total.high, total.low)
}

// fill reads the integer columns.
func (p *partial) fill(table arrowio.Table) error {
	n := len(p.sums.words)
	if p.base = table.Ints("closed_form"); len(p.base) != n {
		return fmt.Errorf("pipeline: %w: no column \"closed_form\" of %d rows", ErrPartial, n)
	}
	for i := range limbs {
		name := "sum_" + strconv.Itoa(i)
		values := table.Ints(name)
		if len(values) != n {
			return fmt.Errorf("pipeline: %w: no column %q of %d rows", ErrPartial, name, n)
		}
		for v, value := range values {
			if value < 0 {
				return fmt.Errorf("pipeline: %w: column %q: negative at row %d", ErrPartial, name, v)
			}
			low, high := uint64(value)<<(32*(i%2)), uint64(0)
			if i%2 == 1 {
				high = uint64(value) >> 32 // limbs added by others carry into the next
			}
			if i >= 2 {
				low, high = 0, low
			}
			p.sums.words[v].plus(word{high: high, low: low})
		}
	}
	return nil
}

// add adds another partial of the same plan whose batches are disjoint.
func (p *partial) add(other *partial) error {
	if err := p.identity.matches(other.identity); err != nil {
		return err
	}
	if !slices.Equal(p.base, other.base) || !p.names.equal(&other.names) {
		return fmt.Errorf("pipeline: %w: the same graph with vertices named in another way or order", ErrPartial)
	}
	var twice []bool
	for i, done := range other.done {
		if done && p.done[i] {
			if twice == nil {
				twice = make([]bool, len(p.done))
			}
			twice[i] = true
		}
	}
	if twice != nil {
		return fmt.Errorf("pipeline: %w: batches %s of %d are in two of them%s", ErrPartial, formatRanges(twice), len(twice), p.shard.common(other.shard))
	}
	p.shard = p.shard.with(other.shard)
	for i, done := range other.done {
		p.done[i] = p.done[i] || done
	}
	for v := range p.sums.words {
		p.sums.words[v].plus(other.sums.words[v])
	}
	p.engines = union(p.engines, other.engines)
	p.check.Sources += other.check.Sources
	p.check.Recomputed += other.check.Recomputed
	p.check.LargestRelative = max(p.check.LargestRelative, other.check.LargestRelative)
	return nil
}

// union of two ascending lists, ascending.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func sameIDs(a, b arrowio.Keys) bool {
	return slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Offsets, b.Offsets) && bytes.Equal(a.Bytes, b.Bytes)
}

// matches refuses another identity.
func (a identity) matches(b identity) error {
	if differs := a.differs(b); differs != "" {
		return fmt.Errorf("pipeline: %w: %s", ErrPartial, differs)
	}
	return nil
}

// asked is the question whose identity it has.
func (a identity) asked() question.Question {
	q, _ := question.Parse(a.question) // it has been read or written by that package
	return q
}

// differs says what is wrong with b, or "". Another choice of lanes cuts the
// sources into other batches.
func (a identity) differs(b identity) string {
	switch {
	case a.vertices != b.vertices || a.edges != b.edges:
		return fmt.Sprintf("made from another graph, of %d vertices and %d edges: want %d and %d", b.vertices, b.edges, a.vertices, a.edges)
	case a.question != b.question:
		return "made for another question: " + a.asked().Differs(b.asked())
	case a.precision != b.precision:
		return fmt.Sprintf("precision %s, want %s", b.precision, a.precision)
	case a.batches != b.batches:
		return fmt.Sprintf("made with other lanes, or from another graph of equal size: %d batches, want %d", b.batches, a.batches)
	case a != b:
		return fmt.Sprintf("made from another graph of equal size, or its edges in another order: fingerprint %.12s, want %.12s", b.fingerprint, a.fingerprint)
	}
	return ""
}

// complete says which batches are not done, if any is not.
func (p *partial) complete() error {
	not := make([]bool, len(p.done))
	for i, done := range p.done {
		not[i] = !done
	}
	missing := formatRanges(not)
	if missing == "" {
		return nil
	}
	return fmt.Errorf("pipeline: %w: batches %s of %d are missing%s", ErrPartial, missing, len(not), p.shard.others())
}

// plus adds b to a, modulo 2^128.
func (a *word) plus(b word) {
	var carry uint64
	a.low, carry = bits.Add64(a.low, b.low, 0)
	a.high, _ = bits.Add64(a.high, b.high, carry)
}

// formatRanges writes the set as "0-41,97,100-120".
func formatRanges(set []bool) string {
	var text strings.Builder
	for first := 0; first < len(set); first++ {
		if !set[first] {
			continue
		}
		last := first
		for last+1 < len(set) && set[last+1] {
			last++
		}
		if text.Len() > 0 {
			text.WriteByte(',')
		}
		text.WriteString(strconv.Itoa(first))
		if last > first {
			text.WriteString("-" + strconv.Itoa(last))
		}
		first = last
	}
	return text.String()
}

// parseRanges reads what formatRanges wrote, of a set of n members.
func parseRanges(text string, n int) ([]bool, error) {
	if n < 0 {
		return nil, fmt.Errorf("pipeline: %w: %d batches", ErrPartial, n)
	}
	set := make([]bool, n)
	if text == "" {
		return set, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		firstText, lastText, isRange := strings.Cut(part, "-")
		if !isRange {
			lastText = firstText
		}
		first, errFirst := strconv.Atoi(firstText)
		last, errLast := strconv.Atoi(lastText)
		if errFirst != nil || errLast != nil || first < 0 || last < first || last >= n {
			return nil, fmt.Errorf("pipeline: %w: batches %q of %d", ErrPartial, part, n)
		}
		if slices.Contains(set[first:last+1], true) {
			return nil, fmt.Errorf("pipeline: %w: batches %s of %d are counted twice", ErrPartial, part, n)
		}
		for i := first; i <= last; i++ {
			set[i] = true
		}
	}
	return set, nil
}
