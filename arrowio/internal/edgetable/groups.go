package edgetable

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// groupColumn is a column of Options.By, over all inputs.
type groupColumn struct {
	name     string
	Types    idtypes.Merged
	integers bool // the values from paths are integers

	fromPath bool     // the value comes from the input's path, not from a column
	null     bool     // the path gives a null
	value    ids.Keys // from a path: the value, in as many rows as any batch has needed
}

// newGroupColumns examines the values in all paths: they are integers if every one
// is spelt as one.
func newGroupColumns(o *Options, paths []string) []groupColumn {
	var columns []groupColumn
	for _, name := range o.By {
		c := groupColumn{name: name, Types: idtypes.Merged{Decimal: o.IDs == tables.IDsString}, integers: o.IDs != tables.IDsString}
		for _, path := range paths {
			if value, null, ok := Partition(path, name); ok && !null {
				c.integers = c.integers && ids.IsInteger(value)
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// Partition is the value that a path's folders give a column: that of the last
// folder column=value, with %20 and the like decoded. It is a null if the value is
// NullPartition, undecoded.
func Partition(path, column string) (value string, null, ok bool) {
	folders := strings.Split(filepath.ToSlash(path), "/")
	for _, folder := range folders[:len(folders)-1] {
		key, of, found := strings.Cut(folder, "=")
		if found && plain(key) == column {
			value, null, ok = plain(of), of == ids.NullPartition, true
		}
	}
	return value, null, ok
}

func plain(escaped string) string {
	if text, err := url.PathUnescape(escaped); err == nil {
		return text
	}
	return escaped
}

// FindGroups finds the columns of Options.By in an input; -1 stands for its path.
func (f *Funnel) FindGroups(names []string) (positions []int, err error) {
	for i := range f.By {
		c := &f.By[i]
		at := slices.Index(names, c.name)
		if c.fromPath = at < 0; c.fromPath {
			err = c.takePath(f.Input, f.Path, names, f.Opts.Nulls == tables.NullsDrop)
		} else if slices.Contains(names[at+1:], c.name) {
			err = faults.Rejected("column %q occurs more than once among columns %s", c.name, faults.Names(names))
		}
		if err != nil {
			return nil, err
		}
		positions = append(positions, at)
	}
	return positions, nil
}

// takePath takes the value from the input's path.
func (c *groupColumn) takePath(input, path string, names []string, dropNulls bool) error {
	value, null, ok := Partition(path, c.name)
	if !ok && names == nil {
		return faults.Rejected("no columns, and no folder %s=... in the path", c.name)
	}
	if !ok {
		return faults.Rejected("no column %q among columns %s, and no folder %s=... in the path", c.name, faults.Names(names), c.name)
	}
	c.value = ids.Keys{}
	if c.null = null; null {
		if !dropNulls {
			return faults.Advise(faults.Rejected("folder %s=%s: a null", c.name, value), DropNulls)
		}
		return nil
	}
	if !c.integers {
		c.value = ids.Keys{Bytes: []byte(value), Offsets: []int64{0, int64(len(value))}}
		return c.Types.Add(input, arrow.BinaryTypes.String)
	}
	id, negative, _ := ids.Parse([]byte(value))
	c.value = ids.Keys{Ints: []uint64{id}}
	if err := c.Types.AddText(input); err != nil {
		return err
	}
	return c.Types.Sees(input, negative, !negative && id>>63 != 0)
}

// rows is the value from the path, repeated. Earlier results stay valid.
func (c *groupColumn) rows(count int) ids.Keys {
	have := c.value.Len()
	if have < count {
		grown := ids.Keys{}
		if c.value.Offsets == nil {
			grown.Ints = slices.Repeat(c.value.Ints[:1], count)
		} else {
			text := c.value.Bytes[:c.value.Offsets[1]]
			grown.Bytes = slices.Repeat(text, count)
			grown.Offsets = make([]int64, count+1)
			for i := range grown.Offsets {
				grown.Offsets[i] = int64(i * len(text))
			}
		}
		c.value = grown
	}
	if c.value.Offsets == nil {
		return ids.Keys{Ints: c.value.Ints[:count]}
	}
	return ids.Keys{Bytes: c.value.Bytes[:c.value.Offsets[count]], Offsets: c.value.Offsets[:count+1]}
}

// addGroups adds the path's values to the rows of a batch. It is false if the path
// gives a null and such rows are dropped.
func (f *Funnel) addGroups(b *tables.Batch, rows int) bool {
	if len(f.By) == 0 {
		return true
	}
	if b.By == nil {
		b.By = make([]ids.Keys, len(f.By))
	}
	for i := range f.By {
		c := &f.By[i]
		if c.fromPath && c.null {
			return false
		}
		if c.fromPath {
			b.By[i] = c.rows(rows)
		}
	}
	return true
}

// SidesOf reads a column of sides.
func SidesOf(column ids.Keys) ([]uint8, error) {
	sides := make([]uint8, column.Len())
	for row := range sides {
		switch text := ids.Text(column, row); string(text) {
		case tables.SideSrc:
		case tables.SideDst:
			sides[row] = 1
		default:
			return nil, NoSide(text)
		}
	}
	return sides, nil
}

func NoSide(text []byte) error {
	return faults.Rejected("%s; want %q or %q", faults.Quote(string(text)), tables.SideSrc, tables.SideDst)
}

// DropNulls is the advice for a row with a null.
const DropNulls = `Options.Nulls "drop" leaves such rows out`

// AdviseNulls appends DropNulls to the error of a row with a null, unless no row may be left out.
func (o *Options) AdviseNulls(err error) error {
	if o.Numbers {
		return err
	}
	return faults.Advise(err, DropNulls)
}
