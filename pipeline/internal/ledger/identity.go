package ledger

import (
	"encoding/hex"
	"fmt"

	"bcstage/internal/engine"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Identity is what two partials must agree on to be added.
type Identity struct {
	Fingerprint string // of the reduced graph and of the options that decide the batches
	Question    string // its identity; "": the zero question
	Precision   engine.Precision
	Vertices    int   // n
	Edges       int64 // m
	Batches     int
}

// IdentityOf is that of a plan's results in a precision.
func IdentityOf(plan *preprocess.Plan, precision engine.Precision) Identity {
	return Identity{
		Fingerprint: hex.EncodeToString(plan.Fingerprint[:]),
		Question:    plan.Question.Identity(),
		Precision:   precision,
		Vertices:    plan.Vertices,
		Edges:       plan.Edges,
		Batches:     len(plan.Batches),
	}
}

// asked is the question whose identity it has.
func (a Identity) asked() question.Question {
	q, _ := question.Parse(a.Question) // it has been read or written by that package
	return q
}

// alike tells whether both are of one question about graphs of equal size.
func (a Identity) alike(b Identity) bool {
	return a.Vertices == b.Vertices && a.Edges == b.Edges && a.Question == b.Question
}

// differs says what is wrong with b, or "". Another choice of lanes cuts the
// sources into other batches, as another version of the program may.
func (a Identity) differs(b Identity) string {
	switch {
	case a.Vertices != b.Vertices || a.Edges != b.Edges:
		return fmt.Sprintf("made from another graph, of %d vertices and %d edges: want %d and %d", b.Vertices, b.Edges, a.Vertices, a.Edges)
	case a.Question != b.Question:
		return "made for another question: " + a.asked().Differs(b.asked())
	case a.Precision != b.Precision:
		return fmt.Sprintf("precision %s, want %s", b.Precision, a.Precision)
	case a.Batches != b.Batches:
		return fmt.Sprintf("made with other lanes, by another version, or from another graph of equal size: %d batches, want %d", b.Batches, a.Batches)
	case a != b:
		return fmt.Sprintf("made from another graph of equal size, its edges in another order, or by another version: fingerprint %.12s, want %.12s", b.Fingerprint, a.Fingerprint)
	}
	return ""
}
