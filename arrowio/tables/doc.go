// Package tables has what is passed between those who read and write tables and those who
// compute: batches of edges, columns of ids, tables of scores, and what is asked of a reader. It
// knows no file format, and Arrow's types by their names only, so that a program that has its edges in memory
// is built without Arrow.
//
// Ownership: a Batch sent is a batch given away; its receiver calls Release
// once and must not touch the columns after that.
//
// Complexity: constant, or linear in the rows that a call names.
package tables

import "bcstage/arrowio/internal/faults"

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
