package edgetable

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// Beside lists the columns to keep of a table of vertices, or of edges. In the latter Options.OneWay, if set, is the
// last.
func (o *Options) Beside(vertices bool) []string {
	switch {
	case vertices:
		return o.Keep
	case o.OneWay == "":
		return o.EdgeKeep
	}
	return append(slices.Clip(o.EdgeKeep), o.OneWay)
}

// KeptField is the position of a column to keep. It must not be among `taken`, which name the vertices.
func (o *Options) KeptField(name string, names []string, taken []int) (int, error) {
	at, err := OneColumn(names, name)
	if err == nil && !o.Numbers && slices.Contains(taken, at) {
		err = faults.Usage("column %q names the vertices; the output has it anyway", name)
	}
	return at, err
}

// Keeps notes the types of the columns Beside the ids of an input: they are the same in all inputs.
func (f *Funnel) Keeps(names []string, types []arrow.DataType) error {
	kept, where := &f.Summary.Kept, "the vertex table"
	if !f.Vertices {
		kept, where = &f.Summary.EdgeKept, "the inputs"
		if way := len(names) - 1; f.Opts.OneWay != "" {
			if err := wayType(names[way], types[way]); err != nil {
				return err
			}
			names, types = names[:way], types[:way] // the type of ways may differ
			f.ways = true
		}
	}
	for i, name := range names {
		if len(*kept) < len(names) {
			*kept = append(*kept, tables.GroupColumn{Name: name, Type: idtypes.Of(types[i])})
		} else if before := idtypes.Arrow((*kept)[i].Type); !arrow.TypeEqual(before, types[i]) {
			return faults.Rejected("column %q: type %s differs from type %s earlier in %s", name, types[i], before, where)
		}
	}
	return nil
}

// Lacks is the error of an input without columns, if some are to be kept.
func (f *Funnel) Lacks() error {
	switch {
	case f.Vertices && len(f.Summary.Kept) < len(f.Opts.Keep):
		return faults.Rejected("Options.Keep names %q, but the input has no columns", f.Opts.Keep)
	case !f.Vertices && len(f.Summary.EdgeKept) < len(f.Opts.EdgeKeep):
		return faults.Rejected("Options.EdgeKeep names %q, but the input has no columns", f.Opts.EdgeKeep)
	case !f.Vertices && f.Opts.OneWay != "" && !f.ways:
		return faults.Rejected("Options.OneWay names %q, but the input has no columns", f.Opts.OneWay)
	}
	return nil
}
