package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// NewBudget is a budget of so many bytes.
func NewBudget(bytes int64) *tables.Budget { return budget.New(bytes) }

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
