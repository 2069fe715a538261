package tables

import (
	"io"
	"io/fs"

	"bcstage/internal/budget"
)

// Options says what Read reads and how. The zero value reads standard input.
type Options struct {
	// Paths are files, patterns and folders, read in this order as one table. "-"
	// (once) is Stdin, and so is an empty list.
	//
	// A folder is walked in sorted order, partition folders (key=value) and links
	// included; names that begin with "_" or "." are skipped. Anything in it that is
	// neither file nor folder is ErrInput, and so is a link to a folder that contains
	// it.
	//
	// Patterns are those of path.Match. "**" stands for any number of folders, none
	// included, and at the end for all files of a folder. Wildcards do not match the
	// first character of a name that begins with ".", or of a folder name that begins
	// with "_".
	//
	// In a folder or pattern, documents beside other files (README, LICENSE, .md,
	// .json, .crc) are skipped with a note. Files in a Delta, Hudi or Iceberg table are
	// ErrInput: they hold deleted rows.
	Paths []string
	// FileSystems has a file system for each scheme of paths: s3://bucket/key is file
	// "bucket/key" of FileSystems["s3"]. A file is read at random, with several reads
	// at a time, if it is an io.ReaderAt, and otherwise from the first byte to the
	// last. Close must end a read in progress. Other paths with a scheme are ErrUsage.
	FileSystems map[string]fs.FS
	// Stdin is the reader for "-"; nil: os.Stdin. When Read fails or its context ends,
	// it gives up a blocking read if Stdin is an *os.File, has SetReadDeadline, or is
	// an io.Closer, which it then closes. It waits for any other.
	Stdin io.Reader
	// Format of every input but the vertex table; default FormatAuto, which examines
	// each input.
	Format Format
	// Src and Dst name the columns with the ends of an edge: both or neither. Default:
	// the one usual pair of names that is there. In text without a header they may be
	// the numbers of two fields, from 1; default: the first two.
	Src, Dst string
	// Header of edge lists, CSV and vertex tables of text; default HeaderAuto.
	Header Header
	// By names columns that say which graph an edge is in. Every combination of their
	// values is a graph of its own, and equal ids in two graphs are two vertices. A
	// folder column=value in an input's path is such a column too, as in partitioned
	// tables (Hive); its values are integers if those of all paths are. In a vertex
	// table the columns say which graph a vertex is in. Default: one graph.
	By []string
	// Bipartite says that sources and destinations are two sets: an id in both is two
	// vertices. A vertex table then has a column SideColumn, with SideSrc or SideDst in
	// each row. If the ends of an edge have unlike types, all ids are strings.
	Bipartite bool
	// Directed says that edges keep their directions. It changes only messages, not the
	// edges that are read. There is no note about ignored directions of a format (a
	// general MatrixMarket matrix, DIMACS arcs). A column "Type" gets a warning if it
	// says "undirected", and none if it says "directed".
	Directed bool
	// OneWay names a column of edges that says which way each runs, in OpenStreetMap's
	// words. "yes", "true" and 1 mean from Src to Dst; "-1" and "reverse" from Dst to
	// Src; "no", "false", 0, "reversible", "alternating", a null or an empty field both
	// ways. Numbers and booleans mean the same. Case does not matter; "directed" and
	// "undirected" are Gephi's words. Batch.Ways has the result. Default: none.
	OneWay string
	// EdgeKeep names columns of edges that pass through to the table of edge scores,
	// with the types of Keep. In text without a header they are the numbers of fields.
	// Default: none.
	EdgeKeep []string
	// Nulls is the null policy; default NullsError.
	Nulls Nulls
	// Weight names the column of lengths, which then go into Batch.Weights: integers,
	// float32, float64, decimals or text, each above 0 and finite. In text without a
	// header it is the number of a field, from 1, or "value" for the first field after
	// the ids. "value" also names the entries of a MatrixMarket file, the weights of
	// METIS edges, the lengths of DIMACS arcs, and the attribute "weight" in NetworkX's
	// edge lists. Default: edges have no lengths.
	Weight string
	// IgnoreWeight accepts inputs with weights, and ignores these. Weights are a column
	// "weight"; in text without a header, numbers after the ids in every row of the
	// first batch; and the values of edges in a MatrixMarket, METIS or DIMACS file.
	IgnoreWeight bool
	// IDs of all inputs, the vertex table too; default IDsAuto.
	IDs IDs
	// Vertices is the path of a vertex table, a glob or folder like those of Paths, or
	// empty. It is read first; its ids exist with or without an edge. Its id column is
	// "vertex", "id", ":ID", the only one, or in text without a header the first.
	Vertices string
	// Keep names columns of the vertex table that pass through to the output. Types are
	// integers, floating-point and decimal numbers, booleans, strings, binary, UUIDs,
	// dates, times, timestamps and durations. Dictionaries of integers, strings or
	// binary become their values. Lists, maps and structs of Arrow become JSON in all
	// other outputs. In text the values are strings, and empty fields null. Default:
	// none.
	Keep []string
	// Threads that parse; default GOMAXPROCS, at most 1024.
	Threads int
	// TempDir holds spooled input; default os.TempDir().
	TempDir string
	// MaxLine is the longest line, or quoted CSV record, of a text format in bytes,
	// METIS rows and DIMACS comments included; default 1 MiB, from 64 to 1 GiB. METIS
	// rows have all neighbours of a vertex, and may be 256 times as long.
	MaxLine int
	// MaxVertices is the largest number of vertices in a MatrixMarket, METIS or DIMACS
	// header; default and maximum 2147483647.
	MaxVertices int64
	// MaxExpansion is how many bytes one compressed byte may become, once an input has
	// grown past 64 MiB; default 1000.
	MaxExpansion int

	// Budget bounds the memory of the input: of batches until they are released, and of
	// ids of lists. Readers wait for batches to be released, and fail with
	// pipeline.ErrMemory if that is not enough. So with a Budget the caller must
	// release each batch before the last has come. Default: no limit.
	Budget *Budget
}

// Budget bounds memory: see Options.Budget.
type Budget = budget.Budget

// Format names an input format. The zero value is FormatAuto.
type Format string

const (
	FormatAuto     Format = "auto"     // by magic bytes, then by the ending .graph (METIS), else text by its delimiter
	FormatArrow    Format = "arrow"    // IPC stream or IPC file
	FormatParquet  Format = "parquet"  // Parquet
	FormatCSV      Format = "csv"      // comma, tab, semicolon or bar between fields, RFC 4180 quotes
	FormatEdgeList Format = "edgelist" // blanks or tabs between fields, no quotes
	FormatMTX      Format = "mtx"      // MatrixMarket coordinate
	FormatMETIS    Format = "metis"    // METIS, 10th DIMACS Challenge
	FormatDIMACS   Format = "dimacs"   // 9th DIMACS Challenge .gr, DIMACS edge format
)

// Nulls says how a missing id affects its row. The zero value is NullsError.
type Nulls string

const (
	NullsError Nulls = "error" // the read fails
	NullsDrop  Nulls = "drop"  // the row is dropped and counted in Summary.NullsDropped
)

// IDs is the type of ids. The zero value is IDsAuto.
type IDs string

const (
	IDsAuto   IDs = "auto"   // the column's type decides; in text, the first row
	IDsInt    IDs = "int"    // every id is an integer, in text a decimal one
	IDsString IDs = "string" // every id is a string, also 7 and 007; a column's integers become their decimal text
)

// Header says whether the first row of a text holds names. The zero value is
// HeaderAuto.
type Header string

const (
	// HeaderAuto: the first row holds names if it has a usual pair, if Options.Src and
	// Dst are names, or if it has names above integers. The row may be either if commas,
	// tabs, semicolons or bars separate fields, and its values occur nowhere else in the
	// first batch: ErrInput.
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)
