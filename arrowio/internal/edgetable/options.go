package edgetable

import "bcstage/internal/budget"

// What arrowio exports and documents: the format of an input, what a null id does, what
// ids are, and whether there is a header.
type (
	Format string
	Nulls  string
	IDs    string
	Header string
)

const (
	FormatAuto     Format = "auto"
	FormatArrow    Format = "arrow"
	FormatParquet  Format = "parquet"
	FormatCSV      Format = "csv"
	FormatEdgeList Format = "edgelist"
	FormatMTX      Format = "mtx"
	FormatMETIS    Format = "metis"
	FormatDIMACS   Format = "dimacs"

	NullsError Nulls = "error"
	NullsDrop  Nulls = "drop"

	IDsAuto   IDs = "auto"
	IDsInt    IDs = "int"
	IDsString IDs = "string"

	HeaderAuto Header = "auto"
	HeaderYes  Header = "yes"
	HeaderNo   Header = "no"
)

// Options are what readers heed of arrowio.Options, defaults filled in.
type Options struct {
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
