package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// What tables documents: errors by class, what is read, how it is read, and what is written.
var (
	ErrInput   = tables.ErrInput
	ErrCorrupt = tables.ErrCorrupt
	ErrUsage   = tables.ErrUsage
)

type (
	Keys        = tables.Keys
	IDType      = tables.IDType
	Batch       = tables.Batch
	Summary     = tables.Summary
	Weights     = tables.Weights
	GroupColumn = tables.GroupColumn
	KeptValues  = tables.KeptValues

	Table      = tables.Table
	KeyColumn  = tables.KeyColumn
	KeptColumn = tables.KeptColumn
	Geo        = tables.Geo
	Pairs      = tables.Pairs
	Column     = tables.Column
	Values     = tables.Values
	Floats     = tables.Floats
	Ints       = tables.Ints
	Bools      = tables.Bools
	KeyValue   = tables.KeyValue

	Options = tables.Options
	Format  = tables.Format
	Nulls   = tables.Nulls
	IDs     = tables.IDs
	Header  = tables.Header
	Budget  = tables.Budget
)

const (
	FormatAuto     = tables.FormatAuto
	FormatArrow    = tables.FormatArrow
	FormatParquet  = tables.FormatParquet
	FormatCSV      = tables.FormatCSV
	FormatEdgeList = tables.FormatEdgeList
	FormatMTX      = tables.FormatMTX
	FormatMETIS    = tables.FormatMETIS
	FormatDIMACS   = tables.FormatDIMACS

	NullsError = tables.NullsError
	NullsDrop  = tables.NullsDrop

	IDsAuto   = tables.IDsAuto
	IDsInt    = tables.IDsInt
	IDsString = tables.IDsString

	HeaderAuto = tables.HeaderAuto
	HeaderYes  = tables.HeaderYes
	HeaderNo   = tables.HeaderNo

	VertexColumn    = tables.VertexColumn
	ScoreColumn     = tables.ScoreColumn
	EdgeScoreColumn = tables.EdgeScoreColumn
	SideColumn      = tables.SideColumn
	SideSrc         = tables.SideSrc
	SideDst         = tables.SideDst

	BipartiteKey = tables.BipartiteKey
	SrcKey       = tables.SrcKey
	DstKey       = tables.DstKey
)

// Int64IDs, Uint64IDs and StringIDs are the id types of Go callers and of text.
func Int64IDs() IDType  { return tables.Int64IDs() }
func Uint64IDs() IDType { return tables.Uint64IDs() }
func StringIDs() IDType { return tables.StringIDs() }

// NewBudget is a budget of so many bytes.
func NewBudget(bytes int64) *Budget { return budget.New(bytes) }

// AppendScore is that of tables.
func AppendScore(text []byte, score float64) []byte { return tables.AppendScore(text, score) }

// Advice is the end of an error's text that says what can be done about it, or
// "". Advice names options as Options.IgnoreWeight, and with a value as
// Options.Nulls "drop": callers whose users know them by other names can put
// those there.
func Advice(err error) string { return faults.Advice(err) }

// Record is Arrow's record batch, named here so that other packages need not
// import Arrow.
type Record = arrow.Record

// Overlap is a file to be written that is among those to be read: see Overwrites.
type Overlap = sources.Overlap
