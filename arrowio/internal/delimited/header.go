package delimited

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/textlines"
	"bcstage/arrowio/tables"
)

// findHeader recognises and skips a header or a counts line, and sets the id
// fields and the number of fields.
func (l *layout) findHeader(text *textlines.Text, out *edgetable.Funnel) error {
	first, next, err := l.record(text, 0)
	if err != nil {
		return err
	}
	line := text.Line
	l.fields, l.fieldsLine = len(first), line
	second, _, err := l.record(text, next)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}

	if out.Opts.Header != tables.HeaderYes && countsLine(first) && second != nil && len(second) != len(first) {
		out.Note("line %d has counts, not an edge: %s", line, faults.Quote(strings.Join(first, ",")))
		l.promised, _ = strconv.ParseInt(first[1], 10, 64)
		text.Skip(next)
		l.fields, l.fieldsLine = len(second), text.Line
		first = nil
	}
	if first != nil && hasHeader(out, first, second) {
		if err := l.chooseNames(out, first); err != nil {
			return faults.AtLine(line, err)
		}
		if err := l.chooseScopes(out); err != nil {
			return faults.AtLine(line, err)
		}
		if err := l.chooseWeight(out, nil); err != nil {
			return faults.AtLine(line, err)
		}
		text.Skip(next)
		l.leaveFields(text, out)
		return nil
	}
	if err := l.chooseFields(out); err != nil {
		return faults.AtLine(l.fieldsLine, err)
	}
	if err := l.chooseScopes(out); err != nil {
		return faults.AtLine(l.fieldsLine, err)
	}
	if first != nil && out.Opts.Header == tables.HeaderAuto {
		if err := l.refuseNames(out, text, first, second); err != nil {
			return faults.AtLine(line, err)
		}
	}
	sample := first
	if first == nil {
		sample = second
	}
	if err := l.chooseWeight(out, sample); err != nil {
		return faults.AtLine(l.fieldsLine, err)
	}
	l.leaveFields(text, out)
	if out.Vertices || l.weight >= 0 || l.fields == 2+len(l.scopes) {
		return nil
	}
	if !out.Opts.IgnoreWeight {
		if err := l.findWeight(text); err != nil {
			return err
		}
	}
	if out.Opts.Src == "" && len(l.scopes) == 0 {
		out.Note("only the first two of %d fields are read", l.fields)
	}
	return nil
}

// chooseWeight finds the field of lengths, if Options.Weight asks for them. row is
// the first row of a text without a header.
func (l *layout) chooseWeight(out *edgetable.Funnel, row []string) error {
	name := out.Opts.Weight
	if out.Vertices || name == "" {
		return nil
	}
	switch {
	case l.names != nil:
		field, err := edgetable.OneColumn(l.names, name)
		if err != nil {
			return err
		}
		l.weight = field
	default:
		field, negative, number := ids.Parse([]byte(name))
		switch {
		case name == edgetable.Nameless || name == "weight":
			l.weight = l.behindIDs()
		case !number || negative || field < 1 || field > maxField:
			return faults.Usage("Options.Weight %q: a text without a header has no names; want the number of a field, from 1, or %q for the first after the ids", name, edgetable.Nameless)
		default:
			l.weight = int(field) - 1
		}
		if l.weight >= l.fields {
			return edgetable.Unweighted("no field %d: the row has %d", l.weight+1, l.fields)
		}
		l.attributes = l.weight < len(row) && strings.HasPrefix(row[l.weight], "{")
		if name == "weight" && !l.attributes {
			return faults.Usage("Options.Weight %q: a text without a header has no names; want the number of a field, from 1, or %q for the first after the ids", name, edgetable.Nameless)
		}
	}
	if slices.Contains(l.ids(), l.weight) || slices.ContainsFunc(l.scopes, func(p scope) bool { return p.needed() && p.field == l.weight }) {
		return faults.Usage("%s holds ids or names graphs; it cannot also hold lengths", l.column(l.weight))
	}
	return nil
}

// behindIDs is the first field after the ids that does not name a graph.
func (l *layout) behindIDs() int {
	field := max(l.src, l.dst) + 1
	for slices.ContainsFunc(l.scopes, func(p scope) bool { return p.needed() && p.field == field }) {
		field++
	}
	return field
}

// hasHeader says whether the first row is a header: by the options, by its names
// or, in a vertex table, by the integers below it.
func hasHeader(out *edgetable.Funnel, first, second []string) bool {
	switch {
	case out.Opts.Header != tables.HeaderAuto:
		return out.Opts.Header == tables.HeaderYes
	case slices.ContainsFunc(out.Opts.By, func(name string) bool { return !ids.IsInteger(name) && slices.Contains(first, name) }):
		return true
	case out.Vertices && out.Opts.Bipartite && slices.Contains(first, tables.SideColumn):
		return true
	case out.Vertices:
		return slices.ContainsFunc(first, edgetable.IsVertexName) || (out.Opts.IDs != tables.IDsString || out.Opts.List && looksLikeName(first[0])) && integersAt(first, 1) == 0 && integersAt(second, 1) == 1
	case out.Opts.Src != "":
		_, _, numbers := fieldNumbers(out.Opts)
		return !numbers || edgetable.HasUsualPair(first)
	}
	return edgetable.HasUsualPair(first)
}

// chooseNames finds the id columns in a header.
func (l *layout) chooseNames(out *edgetable.Funnel, names []string) (err error) {
	l.names = names
	switch {
	case out.Vertices:
		l.src, err = out.Opts.VertexColumn(names)
	case out.Opts.Header == tables.HeaderYes && out.Opts.Src == "" && len(names) == 2 && !edgetable.HasUsualPair(names):
		l.src, l.dst = 0, 1 // there are only two
	default:
		l.src, l.dst, err = out.Opts.ChooseColumns(names)
		if err != nil && out.Opts.Header == tables.HeaderAuto {
			err = adviseNames(err, out.Opts, names)
		}
	}
	return err
}

// adviseNames adds advice to an error about a first row that has neither of the
// names in the options.
func adviseNames(err error, o *edgetable.Options, names []string) error {
	if o.Src == "" || slices.Contains(names, o.Src) || slices.Contains(names, o.Dst) {
		return err
	}
	if _, _, numbers := fieldNumbers(o); numbers {
		return faults.Advise(err, `name two of these, or Options.Header "no" if they are data`)
	}
	return faults.Advise(err, "in a text without a header, Options.Src and Options.Dst are numbers of fields, from 1")
}

// chooseFields sets the id fields of rows without a header.
func (l *layout) chooseFields(out *edgetable.Funnel) error {
	if out.Vertices {
		return nil
	}
	if l.fields < 2 {
		return faults.Rejected("only one field; an edge needs two, separated by blanks, tabs, commas, semicolons or bars")
	}
	if out.Opts.Src == "" {
		return nil
	}
	var ok bool
	if l.src, l.dst, ok = fieldNumbers(out.Opts); !ok {
		return faults.Usage("Options.Src %q and Options.Dst %q: a text without a header has no names; want numbers of fields, from 1", out.Opts.Src, out.Opts.Dst)
	}
	if last := max(l.src, l.dst) + 1; last > l.fields {
		return faults.Rejected("no field %d: the row has %d", last, l.fields)
	}
	return nil
}

// maxField is the largest field number in Src and Dst.
const maxField = 1 << 20

// fieldNumbers are the fields whose numbers are in Options.Src and Options.Dst,
// counted from 0.
func fieldNumbers(o *edgetable.Options) (src, dst int, ok bool) {
	number := func(text string) int {
		n, negative, ok := ids.Parse([]byte(text))
		if !ok || negative || n > maxField {
			return -1
		}
		return int(n) - 1
	}
	src, dst = number(o.Src), number(o.Dst)
	return src, dst, src >= 0 && dst >= 0
}

// refuseNames refuses a first row that may be data or a header with unusual names.
// It stands above integers, or above strings, and its own values occur nowhere
// else in the first batch. Lists with one field, or with blanks between fields,
// begin with data.
func (l *layout) refuseNames(out *edgetable.Funnel, text *textlines.Text, first, second []string) error {
	var ids, below []string
	for _, i := range l.ids() {
		ids = append(ids, first[i])
		if i < len(second) {
			below = append(below, second[i])
		}
	}
	all := len(ids)
	switch {
	case out.Opts.IDs != tables.IDsString && integersAt(ids, all) == 0 && integersAt(below, all) == all:
	case l.delimiter == ' ', l.fields == 1:
		return nil
	case slices.ContainsFunc(ids, func(id string) bool { return !looksLikeName(id) }), l.occurrences(text, ids) > 1:
		return nil
	}
	if out.Vertices {
		return faults.Advise(faults.Rejected("%s may be the name of a column or a vertex", faults.Quote(ids[0])),
			`name the column of ids "vertex" or "id" if this is a header, Options.Header "no" if it is data`)
	}
	src, dst, likely := edgetable.LikelyPair(first)
	if out.Opts.Src != "" {
		src, dst, likely = ids[0], ids[1], true
	}
	names := "Options.Src and Options.Dst with two of the names"
	if likely {
		names = fmt.Sprintf("Options.Src %q and Options.Dst %q", src, dst)
	}
	if len(first) == 2 && out.Opts.Src == "" {
		names = `Options.Header "yes", or ` + names + ","
	}
	return faults.Advise(faults.Rejected("%s may be the names of columns or an edge", faults.Names(first)),
		`%s if this is a header, Options.Header "no" if it is data`, names)
}

// warnOfNames warns of a header that could as well be the first edge or vertex:
// its names occur below as ids, or are single letters like the ids. It is a header
// because the names are usual ones.
func (l *layout) warnOfNames(text *textlines.Text, out *edgetable.Funnel) {
	var names []string
	letters := true
	for _, i := range l.ids() {
		names = append(names, l.names[i])
		letters = letters && len(l.names[i]) == 1
	}
	for row := range l.firstBatch(text) {
		for _, i := range l.ids() {
			letters = letters && row != nil && len(row[i]) == 1
		}
		break
	}
	if letters || l.occurrences(text, names) > 0 {
		out.Warn("line %d is read as a header: %s; Options.Header \"no\" if it is data", l.fieldsLine, faults.Names(l.names))
	}
}

// countsLine says whether a row reads "vertices, edges, u or d, name".
func countsLine(row []string) bool {
	return len(row) == 4 && integersAt(row, 2) == 2 && (row[2] == "u" || row[2] == "d")
}

// integersAt counts the integers among the first fields of a row.
func integersAt(row []string, fields int) (count int) {
	for _, field := range row[:min(fields, len(row))] {
		if ids.IsInteger(field) {
			count++
		}
	}
	return count
}
