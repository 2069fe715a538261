package arrowio

import (
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// part is a field that, beside the id, names a vertex: one of Options.By, or the
// side in a vertex table of a bipartite graph.
type part struct {
	field    int
	group    int // which of Options.By; -1: the side
	integers bool
}

// signs are whether some integers are below 0, and above the largest int64.
type signs struct{ negative, large bool }

func (s *signs) see(id uint64, negative bool) {
	s.negative = s.negative || negative
	s.large = s.large || !negative && id>>63 != 0
}

// chooseParts finds the fields that name a vertex beside its id. Without a
// header, the name of a field is its number, from 1.
func (l *layout) chooseParts(in *input, out *funnel) error {
	names := l.names
	if names == nil {
		for i := range l.fields {
			names = append(names, strconv.Itoa(i+1))
		}
	}
	by, err := out.findGroups(names)
	if err != nil {
		return err
	}
	for group, field := range by {
		if field >= 0 {
			l.parts = append(l.parts, part{field: field, group: group})
		}
	}
	if in.vertices && l.names == nil {
		for l.src < l.fields-1 && slices.Contains(by, l.src) {
			l.src++
		}
	}
	for _, id := range l.ids() {
		if slices.Contains(by, id) {
			return usage("%s is an id; it cannot name the graph", l.column(id))
		}
	}
	if in.vertices && in.opts.Bipartite {
		field, err := oneColumn(names, SideColumn, func(a, b string) bool { return a == b })
		if err != nil {
			return err
		}
		l.parts = append(l.parts, part{field: field, group: -1})
	}
	return nil
}

// decideParts tells integers from strings by a row.
func (l *layout) decideParts(in *input, row []string) {
	for i := range l.parts {
		p := &l.parts[i]
		p.integers = p.group >= 0 && in.opts.IDs != IDsString && isInteger(row[p.field])
	}
}

// addPartTypes tells the funnel the types of the fields.
func (l *layout) addPartTypes(in *input, out *funnel) error {
	for _, p := range l.parts {
		if p.group < 0 {
			continue
		}
		types := &out.by[p.group].types
		var err error
		if p.integers {
			err = types.addText(in.name)
		} else {
			err = types.add(in.name, arrow.BinaryTypes.String)
		}
		if err != nil {
			return lineError(l.fieldsLine, err)
		}
	}
	return nil
}

// startParts makes room for the fields of a chunk's rows.
func (p *rowParser) startParts(c *chunk, out *columns) {
	if len(p.parts) == 0 {
		return
	}
	c.partSigns = make([]signs, len(p.parts))
	for len(out.parts) < len(p.parts) {
		out.parts = append(out.parts, keyBuffer{})
	}
	for i, part := range p.parts {
		if out.parts[i].ints = out.parts[i].ints[:0]; !part.integers {
			out.parts[i].start(0)
		}
	}
}

// addParts adds those of a row.
func (p *rowParser) addParts(c *chunk, out *columns, row *rowText) error {
	for i, part := range p.parts {
		text := row.parts[i]
		if !part.integers {
			out.parts[i].add(text)
			continue
		}
		id, negative, ok := parseID(text)
		if !ok {
			return advise(rejected("%s: %s is not an integer of at most 64 bits like those before it", p.column(part.field), quote(string(text))), allStrings)
		}
		c.partSigns[i].see(id, negative)
		out.parts[i].ints = append(out.parts[i].ints, id)
	}
	return nil
}

// endParts puts them into the batch.
func (p *rowParser) endParts(c *chunk, out *columns, groups int) (err error) {
	if len(p.parts) == 0 {
		return nil
	}
	c.batch.By = make([]Keys, groups)
	for i, part := range p.parts {
		keys := out.parts[i].keys(part.integers)
		if part.group >= 0 {
			c.batch.By[part.group] = keys
		} else if c.batch.Side, err = sidesOf(keys); err != nil {
			return lineError(c.line, err)
		}
	}
	return nil
}

// seesParts notes the signs of a chunk's fields.
func (l *layout) seesParts(in *input, out *funnel, c *chunk) error {
	for i, s := range c.partSigns {
		if group := l.parts[i].group; group >= 0 {
			if err := out.by[group].types.sees(in.name, s.negative, s.large); err != nil {
				return err
			}
		}
	}
	return nil
}
