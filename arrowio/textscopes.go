package arrowio

import (
	"fmt"
	"slices"
	"strconv"

	"bcstage/arrowio/internal/faults"

	"github.com/apache/arrow/go/v17/arrow"
)

// scope is a field that, beside the id, names a vertex: one of Options.By, or the
// side in a vertex table of a bipartite graph.
type scope struct {
	field    int
	group    int // which of Options.By; below 0: sideScope or keptScope
	integers bool
}

const (
	sideScope = -1
	keptScope = -2 // of the first of Options.Keep; those of others are below it
)

// needed tells whether a row without it is one with a null.
func (s scope) needed() bool { return s.group > keptScope }

// chooseScopes finds the fields that name a vertex beside its id. Without a
// header, the name of a field is its number, from 1.
func (l *layout) chooseScopes(out *funnel) error {
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
			l.scopes = append(l.scopes, scope{field: field, group: group})
		}
	}
	if out.vertices && l.names == nil {
		for l.src < l.fields-1 && slices.Contains(by, l.src) {
			l.src++
		}
	}
	for _, id := range l.ids() {
		if slices.Contains(by, id) {
			return faults.Usage("%s is an id; it cannot name the graph", l.column(id))
		}
	}
	if out.vertices && out.opts.Bipartite {
		field, err := oneColumn(names, SideColumn, func(a, b string) bool { return a == b })
		if err != nil {
			return err
		}
		l.scopes = append(l.scopes, scope{field: field, group: sideScope})
	}
	if out.vertices && len(out.opts.Keep) > 0 {
		taken := l.ids()
		for _, p := range l.scopes {
			taken = append(taken, p.field)
		}
		types := slices.Repeat([]arrow.DataType{arrow.BinaryTypes.String}, len(out.opts.Keep))
		if err := out.keeps(out.opts.Keep, types); err != nil {
			return err
		}
		for i, name := range out.opts.Keep {
			field, err := keptField(name, names, taken)
			if err != nil {
				return err
			}
			l.scopes = append(l.scopes, scope{field: field, group: keptScope - i})
		}
	}
	return nil
}

// decideScopes tells integers from strings by a row.
func (l *layout) decideScopes(out *funnel, row []string) {
	for i := range l.scopes {
		p := &l.scopes[i]
		p.integers = p.group >= 0 && out.opts.IDs != IDsString && isInteger(row[p.field])
	}
}

// addScopeTypes tells the funnel the types of the fields.
func (l *layout) addScopeTypes(out *funnel) error {
	for _, p := range l.scopes {
		if p.group < 0 {
			continue
		}
		types := &out.by[p.group].types
		var err error
		if p.integers {
			err = types.addText(out.input)
		} else {
			err = types.add(out.input, arrow.BinaryTypes.String)
		}
		if err != nil {
			return faults.AtLine(l.fieldsLine, err)
		}
	}
	return nil
}

// startScopes makes room for the fields of a chunk's rows.
func (p *rowParser) startScopes(c *chunk, out *columns) {
	if len(p.scopes) == 0 {
		return
	}
	c.scopeSigns = make([]signs, len(p.scopes))
	for len(out.scopes) < len(p.scopes) {
		out.scopes = append(out.scopes, keyBuffer{})
	}
	for i, scope := range p.scopes {
		if out.scopes[i].ints = out.scopes[i].ints[:0]; !scope.integers {
			out.scopes[i].start(0)
		}
	}
}

// addScopes adds the fields of a row.
func (p *rowParser) addScopes(c *chunk, out *columns, row *rowText) error {
	for i, scope := range p.scopes {
		text := row.scopes[i]
		if scope.group == sideScope && string(text) != SideSrc && string(text) != SideDst {
			return fmt.Errorf("%s: %w", p.column(scope.field), noSide(text))
		}
		if !scope.integers {
			out.scopes[i].add(text)
			continue
		}
		id, negative, ok := parseID(text)
		if !ok {
			return faults.Advise(faults.Rejected("%s: %s is not an integer of at most 64 bits like those before it", p.column(scope.field), faults.Quote(string(text))), allStrings)
		}
		c.scopeSigns[i].see(id, negative)
		out.scopes[i].ints = append(out.scopes[i].ints, id)
	}
	return nil
}

// endScopes puts the fields of all rows into the batch.
func (p *rowParser) endScopes(c *chunk, out *columns, groups int) {
	if len(p.scopes) == 0 {
		return
	}
	c.batch.By = make([]Keys, groups)
	for i, scope := range p.scopes {
		keys := out.scopes[i].keys(scope.integers)
		if scope.group >= 0 {
			c.batch.By[scope.group] = keys
		} else if scope.group <= keptScope {
			null := make([]bool, keys.Len())
			for row := range null {
				null[row] = len(textOf(keys, row)) == 0
			}
			c.batch.Kept = append(c.batch.Kept, KeptValues{keys, null})
		} else {
			c.batch.Side, _ = sidesOf(keys) // addScopes has looked at them
		}
	}
}

// seesScopes notes the signs of a chunk's fields.
func (l *layout) seesScopes(out *funnel, c *chunk) error {
	for i, s := range c.scopeSigns {
		if group := l.scopes[i].group; group >= 0 {
			if err := out.by[group].types.sees(out.input, s.negative, s.large); err != nil {
				return err
			}
		}
	}
	return nil
}
