package ledger

import (
	"encoding/hex"
	"fmt"

	"bcstage/internal/engine"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Identity is the part of two partials that must be equal to add them.
type Identity struct {
	Fingerprint string // of the reduced graph and of the options that determine the batches
	Question    string // its identity; "": the zero question
	Precision   engine.Precision
	Vertices    int   // n
	Edges       int64 // m
	Batches     int
}

// IdentityOf returns the identity of a plan's results in a precision.
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

// asked is the question of the identity.
func (a Identity) asked() question.Question {
	q, _ := question.Parse(a.Question) // package question wrote it, or has read it before
	return q
}

// alike reports whether both are of one question about graphs of equal size.
func (a Identity) alike(b Identity) bool {
	return a.Vertices == b.Vertices && a.Edges == b.Edges && a.Question == b.Question
}

// differs says why b does not match, or "". Other lanes, or another version of the program, may
// divide the sources into other batches.
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
