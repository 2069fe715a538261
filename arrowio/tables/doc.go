// Package tables has the types that readers and writers of tables share with computing packages.
// These are batches of edges, columns of ids, tables of scores, and the options of a reader. It
// knows no file format, and Arrow's types by name only, so that a program with its edges in memory
// is built without Arrow.
//
// Ownership: a Batch belongs to its receiver, who calls Release once and must not touch the
// columns after that.
//
// Complexity: constant, or linear in the rows of a call.
package tables

import "bcstage/arrowio/internal/faults"

// Errors by class; test with errors.Is. Each is wrapped with its place: file, then batch, row
// group or line, then column.
var (
	// ErrInput: the input is readable but not acceptable as an edge table: a null or float id, a
	// missing, ambiguous or weight column.
	ErrInput = faults.ErrInput
	// ErrCorrupt: the bytes break their own format, or end too early.
	ErrCorrupt = faults.ErrCorrupt
	// ErrUsage: options that contradict each other or name nothing.
	ErrUsage = faults.ErrUsage
)
