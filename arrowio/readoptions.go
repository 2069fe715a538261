package arrowio

import "bcstage/arrowio/budget"

// Format names an input format. The zero value is FormatAuto.
type Format string

const (
	FormatAuto     Format = "auto"  // by magic bytes, then by the ending .graph (METIS), else text by its delimiter
	FormatArrow    Format = "arrow" // IPC stream or IPC file
	FormatParquet  Format = "parquet"
	FormatCSV      Format = "csv"      // comma, tab, semicolon or bar between fields, RFC 4180 quotes
	FormatEdgeList Format = "edgelist" // blanks or tabs between fields, no quotes
	FormatMTX      Format = "mtx"      // MatrixMarket coordinate
	FormatMETIS    Format = "metis"    // METIS, 10th DIMACS Challenge
	FormatDIMACS   Format = "dimacs"   // 9th DIMACS Challenge .gr, DIMACS edge format
)

// Nulls says what a missing id does to its row. The zero value is NullsError.
type Nulls string

const (
	NullsError Nulls = "error" // the read fails
	NullsDrop  Nulls = "drop"  // the row is left out and counted in Summary.NullsDropped
)

// IDs says what ids are. The zero value is IDsAuto.
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
	// HeaderAuto: the first row holds names if a usual pair is among them, or if
	// Options.Src and Dst are names, or if it has names where the rows below have
	// integers. Other names where fields are separated by commas, tabs,
	// semicolons or bars, and that occur nowhere else in the first batch, may be
	// either: ErrInput.
	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// readOptions are those of what files hold: see Options.
type readOptions struct {
	Format                            Format
	Header                            Header
	Src, Dst, Weight                  string
	By, Keep                          []string
	Bipartite, Directed, IgnoreWeight bool
	Nulls                             Nulls
	IDs                               IDs
	List                              bool // a vertex table is a list of ids: see ReadIDs
	Threads, MaxLine                  int
	MaxVertices                       int64
	Budget                            *budget.Budget
}
