package delimited

import (
	"fmt"
	"slices"
	"strconv"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/textlines"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// scope is a field beside the ids. It helps to name a vertex, as one of Options.By
// or as the side in a vertex table of a bipartite graph; or it is kept, or says
// which way an edge runs.
type scope struct {
	field    int
	group    int // which of Options.By; below 0: sideScope, wayScope or keptScope
	integers bool
}

const (
	sideScope = -1
	wayScope  = -2
	keptScope = -3 // of the first kept column; those of others are below it
)

// needed says whether a row without the field counts as a row with a null.
func (s scope) needed() bool { return s.group > wayScope }

// chooseScopes finds the fields beside the ids. Without a header, the name of a
// field is its number, from 1.
func (l *layout) chooseScopes(out *edgetable.Funnel) error {
	names := l.names
	if names == nil {
		for i := range l.fields {
			names = append(names, strconv.Itoa(i+1))
		}
	}
	by, err := out.FindGroups(names)
	if err != nil {
		return err
	}
	for group, field := range by {
		if field >= 0 {
			l.scopes = append(l.scopes, scope{field: field, group: group})
		}
	}
	if out.Vertices && l.names == nil {
		for l.src < l.fields-1 && slices.Contains(by, l.src) {
			l.src++
		}
	}
	for _, id := range l.ids() {
		if slices.Contains(by, id) {
			return faults.Usage("%s is an id; it cannot name the graph", l.column(id))
		}
	}
	if out.Vertices && out.Opts.Bipartite {
		field, err := edgetable.OneColumn(names, tables.SideColumn)
		if err != nil {
			return err
		}
		l.scopes = append(l.scopes, scope{field: field, group: sideScope})
	}
	if beside := out.Opts.Beside(out.Vertices); len(beside) > 0 {
		taken := l.ids()
		for _, p := range l.scopes {
			taken = append(taken, p.field)
		}
		types := slices.Repeat([]arrow.DataType{arrow.BinaryTypes.String}, len(beside))
		if err := out.Keeps(beside, types); err != nil {
			return err
		}
		for i, name := range beside {
			field, err := out.Opts.KeptField(name, names, taken)
			if err != nil {
				return err
			}
			group := keptScope - i
			if !out.Vertices && out.Opts.OneWay != "" && i == len(beside)-1 {
				group = wayScope
			}
			l.scopes = append(l.scopes, scope{field: field, group: group})
		}
	}
	return nil
}

// decideScopes tells integers from strings by one row.
func (l *layout) decideScopes(out *edgetable.Funnel, row []string) {
	for i := range l.scopes {
		p := &l.scopes[i]
		p.integers = p.group >= 0 && out.Opts.IDs != tables.IDsString && ids.IsInteger(row[p.field])
	}
}

// addScopeTypes gives the funnel the types of the fields.
func (l *layout) addScopeTypes(out *edgetable.Funnel) error {
	for _, p := range l.scopes {
		if p.group < 0 {
			continue
		}
		types := &out.By[p.group].Types
		var err error
		if p.integers {
			err = types.AddText(out.Input)
		} else {
			err = types.Add(out.Input, arrow.BinaryTypes.String)
		}
		if err != nil {
			return faults.AtLine(l.fieldsLine, err)
		}
	}
	return nil
}

// startScopes makes room for the fields of a chunk's rows.
func (p *rowParser) startScopes(c *textlines.Chunk, out *textlines.Columns) {
	if len(p.scopes) == 0 {
		return
	}
	c.ScopeSigns = make([]textlines.Signs, len(p.scopes))
	for len(out.Scopes) < len(p.scopes) {
		out.Scopes = append(out.Scopes, textlines.KeyBuffer{})
	}
	for i, scope := range p.scopes {
		if out.Scopes[i].Ints = out.Scopes[i].Ints[:0]; !scope.integers {
			out.Scopes[i].Start(0)
		}
	}
}

// addScopes adds the fields of a row.
func (p *rowParser) addScopes(c *textlines.Chunk, out *textlines.Columns, row *rowText) error {
	for i, scope := range p.scopes {
		text := row.scopes[i]
		if scope.group == sideScope && string(text) != tables.SideSrc && string(text) != tables.SideDst {
			return fmt.Errorf("%s: %w", p.column(scope.field), edgetable.NoSide(text))
		}
		if scope.group == wayScope {
			way, err := edgetable.Way(text)
			if err != nil {
				return fmt.Errorf("%s: %w", p.column(scope.field), err)
			}
			c.Batch.Ways = append(c.Batch.Ways, way)
			continue
		}
		if !scope.integers {
			out.Scopes[i].Add(text)
			continue
		}
		id, err := p.integer(&c.ScopeSigns[i], scope.field, text)
		if err != nil {
			return err
		}
		out.Scopes[i].Ints = append(out.Scopes[i].Ints, id)
	}
	return nil
}

// endScopes puts the fields of all rows into the batch.
func (p *rowParser) endScopes(c *textlines.Chunk, out *textlines.Columns, groups int) {
	if len(p.scopes) == 0 {
		return
	}
	c.Batch.By = make([]ids.Keys, groups)
	for i, scope := range p.scopes {
		if scope.group == wayScope {
			continue
		}
		keys := out.Scopes[i].Keys(scope.integers)
		if scope.group >= 0 {
			c.Batch.By[scope.group] = keys
		} else if scope.group <= keptScope {
			null := make([]bool, keys.Len())
			for row := range null {
				null[row] = len(ids.Text(keys, row)) == 0
			}
			c.Batch.Kept = append(c.Batch.Kept, tables.KeptValues{Keys: keys, Null: null})
		} else {
			c.Batch.Side, _ = edgetable.SidesOf(keys) // addScopes has checked them
		}
	}
}

// seesScopes notes the signs of a chunk's fields.
func (l *layout) seesScopes(out *edgetable.Funnel, c *textlines.Chunk) error {
	for i, s := range c.ScopeSigns {
		if group := l.scopes[i].group; group >= 0 {
			if err := out.By[group].Types.Sees(out.Input, s.Negative, s.Large); err != nil {
				return err
			}
		}
	}
	return nil
}
