package arrowio

import (
	"cmp"
	"math"
	"os"
	"runtime"
	"slices"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
)

// Defaults and limits of Options.
const (
	defaultMaxLine = 1 << 20

	maxThreads  = 1024
	maxVertices = math.MaxInt32
)

func bytesOf(o *tables.Options) *sources.Options {
	return &sources.Options{FileSystems: o.FileSystems, Stdin: o.Stdin, TempDir: o.TempDir, MaxExpansion: o.MaxExpansion}
}

func reading(o *tables.Options) *edgetable.Options { return &edgetable.Options{Options: *o} }

// checked fills in defaults and refuses contradictions (ErrUsage).
func checked(o tables.Options) (tables.Options, error) {
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if len(o.Paths) == 0 {
		o.Paths = []string{"-"}
	}
	o.Format = cmp.Or(o.Format, tables.FormatAuto)
	o.Nulls = cmp.Or(o.Nulls, tables.NullsError)
	o.IDs = cmp.Or(o.IDs, tables.IDsAuto)
	o.Header = cmp.Or(o.Header, tables.HeaderAuto)
	var err error
	if o.Threads, err = threadsOf(o.Threads); err != nil {
		return o, err
	}
	o.MaxLine = cmp.Or(o.MaxLine, defaultMaxLine)
	o.MaxVertices = cmp.Or(o.MaxVertices, maxVertices)
	o.MaxExpansion = cmp.Or(o.MaxExpansion, faults.DefaultExpansion)

	formats := []tables.Format{tables.FormatAuto, tables.FormatArrow, tables.FormatParquet, tables.FormatCSV, tables.FormatEdgeList, tables.FormatMTX, tables.FormatMETIS, tables.FormatDIMACS}
	stdins := 0
	for _, path := range append(slices.Clone(o.Paths), o.Vertices) {
		if path == "-" {
			stdins++
		}
	}
	switch {
	case !slices.Contains(formats, o.Format):
		return o, faults.Usage("input format %q: want one of %q", o.Format, formats)
	case o.Nulls != tables.NullsError && o.Nulls != tables.NullsDrop:
		return o, faults.Usage("nulls %q: want error or drop", o.Nulls)
	case o.IDs != tables.IDsAuto && o.IDs != tables.IDsInt && o.IDs != tables.IDsString:
		return o, faults.Usage("ids %q: want auto, int or string", o.IDs)
	case o.Header != tables.HeaderAuto && o.Header != tables.HeaderYes && o.Header != tables.HeaderNo:
		return o, faults.Usage("header %q: want auto, yes or no", o.Header)
	case (o.Src == "") != (o.Dst == ""):
		return o, faults.Usage("source and destination columns go together: got %q and %q", o.Src, o.Dst)
	case o.Src != "" && o.Src == o.Dst:
		return o, faults.Usage("source and destination are the same column %q", o.Src)
	case slices.Contains(o.By, ""):
		return o, faults.Usage("Options.By %q: a name is empty", o.By)
	case len(slices.Compact(slices.Sorted(slices.Values(o.By)))) < len(o.By):
		return o, faults.Usage("Options.By %q: a name occurs twice", o.By)
	case o.Src != "" && (slices.Contains(o.By, o.Src) || slices.Contains(o.By, o.Dst)):
		return o, faults.Usage("a column cannot be an end of the edges and name their graph: %q, %q and %q", o.Src, o.Dst, o.By)
	case slices.ContainsFunc(o.By, func(name string) bool { return reserved(&o, name) }):
		return o, faults.Usage("Options.By %q: the output has a column with one of these names", o.By)
	case len(o.Keep) > 0 && o.Vertices == "":
		return o, faults.Usage("Options.Keep %q needs a vertex table; name it with Options.Vertices", o.Keep)
	case slices.Contains(o.Keep, ""), len(slices.Compact(slices.Sorted(slices.Values(o.Keep)))) < len(o.Keep):
		return o, faults.Usage("Options.Keep %q: a name is empty, or occurs twice", o.Keep)
	case slices.ContainsFunc(o.Keep, func(name string) bool { return reserved(&o, name) || slices.Contains(o.By, name) }):
		return o, faults.Usage("Options.Keep %q: the output has a column with one of these names", o.Keep)
	case slices.Contains(o.EdgeKeep, ""), len(slices.Compact(slices.Sorted(slices.Values(o.EdgeKeep)))) < len(o.EdgeKeep):
		return o, faults.Usage("Options.EdgeKeep %q: a name is empty, or occurs twice", o.EdgeKeep)
	case slices.ContainsFunc(o.EdgeKeep, func(name string) bool { return slices.Contains(o.By, name) }):
		return o, faults.Usage("Options.EdgeKeep %q: the output has a column with one of these names", o.EdgeKeep)
	case o.OneWay != "" && (o.OneWay == o.Src || o.OneWay == o.Dst || o.OneWay == o.Weight || slices.Contains(o.By, o.OneWay)):
		return o, faults.Usage("column %q holds ids or lengths, or names graphs; it cannot also hold ways", o.OneWay)
	case o.Weight != "" && o.IgnoreWeight:
		return o, faults.Usage("Options.Weight %q contradicts Options.IgnoreWeight: weights are lengths of edges, or ignored", o.Weight)
	case o.Weight != "" && (o.Weight == o.Src || o.Weight == o.Dst || slices.Contains(o.By, o.Weight)):
		return o, faults.Usage("column %q holds ids or names graphs; it cannot also hold lengths", o.Weight)
	case slices.Contains(o.Paths, ""):
		return o, faults.Usage("empty path")
	case stdins > 1:
		return o, faults.Usage("standard input can be read only once")
	case o.MaxLine < 64 || o.MaxLine > 1<<30:
		return o, faults.Usage("longest line %d: want 64 to %d bytes", o.MaxLine, 1<<30)
	case o.MaxVertices < 1 || o.MaxVertices > maxVertices:
		return o, faults.Usage("most vertices %d: want 1 to %d", o.MaxVertices, maxVertices)
	case o.MaxExpansion < 1 || o.MaxExpansion > math.MaxInt32:
		return o, faults.Usage("expansion %d: want 1 to %d", o.MaxExpansion, math.MaxInt32)
	}
	return o, nil
}

// threadsOf is the number of threads that an option asks for; 0: GOMAXPROCS.
func threadsOf(option int) (int, error) {
	if option < 0 || option > maxThreads {
		return 0, faults.Usage("threads %d: want 1 to %d", option, maxThreads)
	}
	return cmp.Or(option, min(runtime.GOMAXPROCS(0), maxThreads)), nil
}

// reserved says whether the output has a column of that name anyway.
func reserved(o *tables.Options, name string) bool {
	return name == tables.VertexColumn || name == tables.ScoreColumn || o.Bipartite && name == tables.SideColumn
}
