package arrowio

import (
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
)

// Defaults and limits of Options.
const (
	defaultMaxLine = 1 << 20

	maxThreads  = 1024
	maxVertices = math.MaxInt32
)

// Options says what Read reads and how. The zero value reads standard input.
type Options struct {
	// Paths are files, patterns and folders, read in this order as one table. "-"
	// (once) is Stdin, and so is an empty list. A folder is walked in sorted
	// order, partition folders (key=value) and links included; names that begin
	// with "_" or "." are skipped. What is neither file nor folder in it, and a
	// link to a folder that it is in, are ErrInput. Patterns are those of path.Match,
	// where "**" stands for any number of folders, none included, and at the end for
	// all files of a folder. Signs do not stand for the first character of a name that
	// begins with ".", or of a folder's that begins with "_". Of a folder or pattern,
	// documents beside other files (README, LICENSE, .md, .json, .crc) are skipped with a
	// note. What lies in a Delta, Hudi or Iceberg table is ErrInput: its files hold rows
	// that have been deleted.
	Paths []string
	// FileSystems hold the paths that begin with a scheme, by that scheme:
	// s3://bucket/key is file "bucket/key" of FileSystems["s3"]. Their files
	// are read at random, several reads at a time, if they are io.ReaderAt,
	// and else from the first byte to the last; Close must end a read in
	// progress. Other paths with a scheme are ErrUsage.
	FileSystems map[string]fs.FS
	// Stdin is what "-" reads; nil: os.Stdin. When Read fails or its context
	// ends, it gives up a read that blocks if Stdin is an *os.File, has
	// SetReadDeadline, or is an io.Closer, which is then closed; it waits for
	// any other.
	Stdin io.Reader
	// Format of every input but the vertex table; default FormatAuto, which
	// looks at each input.
	Format Format
	// Src and Dst name the columns that hold the ends of an edge: both or
	// neither. Default: the one pair of the usual names that is there. In text
	// without a header they may be the numbers of two fields, from 1; default: the
	// first two.
	Src, Dst string
	// Header of edge lists, CSV and vertex tables of text; default HeaderAuto.
	Header Header
	// By names columns that say which graph an edge is of: every combination of
	// their values is a graph of its own, and equal ids in two of them are two
	// vertices. A folder column=value in an input's path is such a column, too, as
	// in partitioned tables (Hive); its values are integers if those of all paths
	// are. In a vertex table the columns say which graph a vertex is of. Default:
	// one graph.
	By []string
	// Bipartite says that sources and destinations are two sets: an id in both is
	// two vertices. A vertex table then has a column SideColumn, with SideSrc or
	// SideDst in each row. Where the ends of an edge have unlike types, all ids are
	// strings.
	Bipartite bool
	// Directed says that edges are wanted as they run. Nothing is read in another
	// way; there is no note that the directions of a format which has some (a general
	// MatrixMarket matrix, DIMACS arcs) are given up, and no warning that a column "Type"
	// calls edges directed, but one if it calls them undirected.
	Directed bool
	// Nulls is the null policy; default NullsError.
	Nulls Nulls
	// Weight names the column of lengths, which then go into Batch.Weights: integers,
	// float32, float64, decimals or text, each above 0 and finite. In text without a
	// header it is the number of a field, from 1, or "value" for the first behind the
	// ids; "value" also stands for the entries of a MatrixMarket file, the weights of
	// METIS edges, the lengths of DIMACS arcs, and the attribute "weight" in NetworkX's
	// edge lists. Default: edges have no lengths.
	Weight string
	// IgnoreWeight accepts inputs with weights, and ignores those. Weights are a
	// column "weight"; in text without a header, numbers behind the ids in every
	// row of the first batch; and what a MatrixMarket, METIS or DIMACS file says of
	// its edges.
	IgnoreWeight bool
	// IDs of all inputs, the vertex table too; default IDsAuto.
	IDs IDs
	// Vertices is the path of a vertex table, a glob or folder like those of
	// Paths, or empty. It is read first; its
	// ids exist with or without an edge. Its column is "vertex", "id", ":ID",
	// the only one, or in text without a header the first.
	Vertices string
	// Keep names columns of the vertex table that go through to the output: integers,
	// floating-point and decimal numbers, booleans, strings, binary, UUIDs, dates, times,
	// timestamps and durations, dictionaries of integers, strings or binary, which become
	// their values, and of Arrow lists, maps and structs, which are JSON in all other
	// outputs; of text they are strings, and empty fields null. Default: none.
	Keep []string
	// Threads that parse; default GOMAXPROCS, at most 1024.
	Threads int
	// TempDir holds spooled input; default os.TempDir().
	TempDir string
	// MaxLine is the longest line, or quoted CSV record, of a text format in
	// bytes, METIS rows and DIMACS comments included; default 1 MiB, from 64
	// to 1 GiB. METIS rows hold a vertex's whole neighbourhood and have 256
	// times that.
	MaxLine int
	// MaxVertices is the largest number of vertices that a MatrixMarket, METIS
	// or DIMACS header may promise; default and most 2147483647.
	MaxVertices int64
	// MaxExpansion is how many bytes one compressed byte may become, once an
	// input has grown past 64 MiB; default 1000.
	MaxExpansion int

	// Budget bounds the memory of what is read: of batches until they are released, of
	// ids of lists. Readers wait for batches to be released, and fail with
	// pipeline.ErrMemory where that is not enough: who gives a Budget releases each batch
	// before the last has come. Default: no limit.
	Budget *Budget
}

func (o *Options) sources() *sources.Options {
	return &sources.Options{FileSystems: o.FileSystems, Stdin: o.Stdin, TempDir: o.TempDir, MaxExpansion: o.MaxExpansion}
}

func (o *Options) reading() *edgetable.Options {
	return &edgetable.Options{
		Format: o.Format, Header: o.Header, Src: o.Src, Dst: o.Dst, Weight: o.Weight, By: o.By, Keep: o.Keep,
		Bipartite: o.Bipartite, Directed: o.Directed, IgnoreWeight: o.IgnoreWeight, Nulls: o.Nulls, IDs: o.IDs,
		Threads: o.Threads, MaxLine: o.MaxLine, MaxVertices: o.MaxVertices, Budget: o.Budget,
	}
}

// check fills in defaults and refuses what contradicts itself (ErrUsage).
func (o Options) check() (Options, error) {
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if len(o.Paths) == 0 {
		o.Paths = []string{"-"}
	}
	if o.Format == "" {
		o.Format = FormatAuto
	}
	if o.Nulls == "" {
		o.Nulls = NullsError
	}
	if o.IDs == "" {
		o.IDs = IDsAuto
	}
	if o.Header == "" {
		o.Header = HeaderAuto
	}
	if o.Threads == 0 {
		o.Threads = min(runtime.GOMAXPROCS(0), maxThreads)
	}
	if o.MaxLine == 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.MaxVertices == 0 {
		o.MaxVertices = maxVertices
	}
	if o.MaxExpansion == 0 {
		o.MaxExpansion = faults.DefaultExpansion
	}

	formats := []Format{FormatAuto, FormatArrow, FormatParquet, FormatCSV, FormatEdgeList, FormatMTX, FormatMETIS, FormatDIMACS}
	stdins := 0
	for _, path := range append(slices.Clone(o.Paths), o.Vertices) {
		if path == "-" {
			stdins++
		}
	}
	switch {
	case !slices.Contains(formats, o.Format):
		return o, faults.Usage("input format %q: want one of %q", o.Format, formats)
	case o.Nulls != NullsError && o.Nulls != NullsDrop:
		return o, faults.Usage("nulls %q: want error or drop", o.Nulls)
	case o.IDs != IDsAuto && o.IDs != IDsInt && o.IDs != IDsString:
		return o, faults.Usage("ids %q: want auto, int or string", o.IDs)
	case o.Header != HeaderAuto && o.Header != HeaderYes && o.Header != HeaderNo:
		return o, faults.Usage("header %q: want auto, yes or no", o.Header)
	case (o.Src == "") != (o.Dst == ""):
		return o, faults.Usage("source and destination columns go together: got %q and %q", o.Src, o.Dst)
	case o.Src != "" && o.Src == o.Dst:
		return o, faults.Usage("source and destination are the same column %q", o.Src)
	case slices.Contains(o.By, ""):
		return o, faults.Usage("a column that names the graph has no name itself")
	case len(slices.Compact(slices.Sorted(slices.Values(o.By)))) < len(o.By):
		return o, faults.Usage("a column twice among %q, which name the graph", o.By)
	case o.Src != "" && (slices.Contains(o.By, o.Src) || slices.Contains(o.By, o.Dst)):
		return o, faults.Usage("a column cannot be an end of the edges and name their graph: %q, %q and %q", o.Src, o.Dst, o.By)
	case slices.ContainsFunc(o.By, o.reserved):
		return o, faults.Usage("the output has a column of its own that is called like one of %q", o.By)
	case len(o.Keep) > 0 && o.Vertices == "":
		return o, faults.Usage("Options.Keep %q: columns of a vertex table, and there is none; Options.Vertices names it", o.Keep)
	case slices.Contains(o.Keep, ""), len(slices.Compact(slices.Sorted(slices.Values(o.Keep)))) < len(o.Keep):
		return o, faults.Usage("Options.Keep %q: no name, or one twice", o.Keep)
	case slices.ContainsFunc(o.Keep, func(name string) bool { return o.reserved(name) || slices.Contains(o.By, name) }):
		return o, faults.Usage("Options.Keep %q: the output has a column of its own that is called like one of these", o.Keep)
	case o.Weight != "" && o.IgnoreWeight:
		return o, faults.Usage("weights cannot be ignored and be the lengths of edges: Options.Weight %q and Options.IgnoreWeight", o.Weight)
	case o.Weight != "" && (o.Weight == o.Src || o.Weight == o.Dst || slices.Contains(o.By, o.Weight)):
		return o, faults.Usage("column %q holds ids or names graphs; it cannot hold lengths, too", o.Weight)
	case slices.Contains(o.Paths, ""):
		return o, faults.Usage("empty path")
	case stdins > 1:
		return o, faults.Usage("standard input can be read once only")
	case o.Threads < 1 || o.Threads > maxThreads:
		return o, faults.Usage("threads %d: want 1 to %d", o.Threads, maxThreads)
	case o.MaxLine < 64 || o.MaxLine > 1<<30:
		return o, faults.Usage("longest line %d: want 64 to %d bytes", o.MaxLine, 1<<30)
	case o.MaxVertices < 1 || o.MaxVertices > maxVertices:
		return o, faults.Usage("most vertices %d: want 1 to %d", o.MaxVertices, maxVertices)
	case o.MaxExpansion < 1 || o.MaxExpansion > math.MaxInt32:
		return o, faults.Usage("expansion %d: want 1 to %d", o.MaxExpansion, math.MaxInt32)
	}
	return o, nil
}

// reserved tells whether the output has a column of that name anyway.
func (o *Options) reserved(name string) bool {
	return name == VertexColumn || name == ScoreColumn || o.Bipartite && name == SideColumn
}
