package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// NewBudget is a budget of `bytes` bytes.
func NewBudget(bytes int64) *tables.Budget { return budget.New(bytes) }

// Advice is the end of an error's text that says what to do about it, or "".
// Advice names options as Options.IgnoreWeight, and with a value as
// Options.Nulls "drop". Callers whose users know other names can replace them.
func Advice(err error) string { return faults.Advice(err) }

// Record is Arrow's record batch, named here so that other packages need not
// import Arrow.
type Record = arrow.Record

// Overlap is an output file that is, or would be, among the inputs: see
// Overwrites.
type Overlap = sources.Overlap
