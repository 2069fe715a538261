package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
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
