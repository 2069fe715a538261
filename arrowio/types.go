package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/internal/sources"
	"bcstage/internal/budget"
)

// Errors by class; test with errors.Is. Each is wrapped with where it happened:
// file, then batch, row group or line, then column.
var (
	// ErrInput: the input is readable but not an edge table that can be
	// accepted: a null or float id, a missing, ambiguous or weight column.
	ErrInput = faults.ErrInput
	// ErrCorrupt: the bytes break their own format, or end too early.
	ErrCorrupt = faults.ErrCorrupt
	// ErrUsage: options that contradict each other or name nothing.
	ErrUsage = faults.ErrUsage
)

// Advice is the end of an error's text that says what can be done about it, or
// "". Advice names options as Options.IgnoreWeight, and with a value as
// Options.Nulls "drop": callers whose users know them by other names can put
// those there.
func Advice(err error) string { return faults.Advice(err) }

// Record is Arrow's record batch, named here so that other packages need not
// import Arrow.
type Record = arrow.Record

// Keys is one column of vertex ids: Ints (64-bit patterns, sign- or
// zero-extended) or Bytes with Offsets (value i is Bytes[Offsets[i]:Offsets[i+1]],
// len(Offsets) = rows+1). Offsets is nil for integers.
type Keys = ids.Keys

// IDType is the Arrow type of the id column; the output column has the
// input's. The zero value is int64. Types are compared, named and read by their text:
// String, MarshalText, UnmarshalText; Format and AppendFormat write an id of the type.
type IDType = idtypes.Type

// Int64IDs, Uint64IDs and StringIDs are the id types of Go callers and of text.
func Int64IDs() IDType  { return idtypes.Of(arrow.PrimitiveTypes.Int64) }
func Uint64IDs() IDType { return idtypes.Of(arrow.PrimitiveTypes.Uint64) }
func StringIDs() IDType { return idtypes.Of(arrow.BinaryTypes.String) }

// Batch is some consecutive edges: row i joins Src[i] and Dst[i]. Vertices, if
// any, are ids that exist with or without an edge; Declared is how many of them
// this batch and those after it bring. By and Side name the graphs of edges and the sides of
// vertices, Weights are lengths, Kept are columns of the vertex table. The receiver calls
// Release once.
type Batch = edgetable.Batch

// Summary is what was read: the types of ids and columns, counts, notes and warnings.
type Summary = edgetable.Summary

// GroupColumn is the name and type of a column of Options.By or Options.Keep, as it was
// found in the inputs.
type GroupColumn = edgetable.GroupColumn

// KeptValues are rows of a column of Options.Keep: integers and what is stored as such in
// Keys.Ints, floating-point numbers by their bits and booleans as 0 and 1; all else in
// Keys.Bytes, decimal numbers as Arrow has them, nested values as JSON. Null is by row.
type KeptValues = keeping.Values

// Weights is the column of lengths of a batch, as decimal numbers, which is how
// people and most tables write them: row i is Digits[i] * 10^Exponents[i], Digits
// at least 1. Exponents is nil if all are 0. A float64 is the shortest decimal number
// that reads as the same.
//
// High is nil if all Digits fit; else row i has (High[i] * 2^64 + uint64(Digits[i]))
// in their place, a number of up to 38 digits. One that was written with more is rounded.
type Weights = lengths.Weights

// Budget bounds memory: see Options.Budget.
type Budget = budget.Budget

// NewBudget is a budget of so many bytes.
func NewBudget(bytes int64) *Budget { return budget.New(bytes) }

// Overlap is a file to be written that is among those to be read: see Overwrites.
type Overlap = sources.Overlap

// Format names an input format. The zero value is FormatAuto.
type Format = edgetable.Format

const (
	FormatAuto     = edgetable.FormatAuto     // by magic bytes, then by the ending .graph (METIS), else text by its delimiter
	FormatArrow    = edgetable.FormatArrow    // IPC stream or IPC file
	FormatParquet  = edgetable.FormatParquet  // Parquet
	FormatCSV      = edgetable.FormatCSV      // comma, tab, semicolon or bar between fields, RFC 4180 quotes
	FormatEdgeList = edgetable.FormatEdgeList // blanks or tabs between fields, no quotes
	FormatMTX      = edgetable.FormatMTX      // MatrixMarket coordinate
	FormatMETIS    = edgetable.FormatMETIS    // METIS, 10th DIMACS Challenge
	FormatDIMACS   = edgetable.FormatDIMACS   // 9th DIMACS Challenge .gr, DIMACS edge format
)

// Nulls says what a missing id does to its row. The zero value is NullsError.
type Nulls = edgetable.Nulls

const (
	NullsError = edgetable.NullsError // the read fails
	NullsDrop  = edgetable.NullsDrop  // the row is left out and counted in Summary.NullsDropped
)

// IDs says what ids are. The zero value is IDsAuto.
type IDs = edgetable.IDs

const (
	IDsAuto   = edgetable.IDsAuto   // the column's type decides; in text, the first row
	IDsInt    = edgetable.IDsInt    // every id is an integer, in text a decimal one
	IDsString = edgetable.IDsString // every id is a string, also 7 and 007; a column's integers become their decimal text
)

// Header says whether the first row of a text holds names. The zero value is
// HeaderAuto.
type Header = edgetable.Header

const (
	// HeaderAuto: the first row holds names if a usual pair is among them, or if
	// Options.Src and Dst are names, or if it has names where the rows below have
	// integers. Other names where fields are separated by commas, tabs,
	// semicolons or bars, and that occur nowhere else in the first batch, may be
	// either: ErrInput.
	HeaderAuto = edgetable.HeaderAuto
	HeaderYes  = edgetable.HeaderYes
	HeaderNo   = edgetable.HeaderNo
)

// Names of the column of bipartite graphs, and its values: whether edges call a vertex
// their source or destination.
const (
	SideColumn = edgetable.SideColumn
	SideSrc    = edgetable.SideSrc
	SideDst    = edgetable.SideDst
)
