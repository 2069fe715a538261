// Package methods has the ways to search a block on a device: a file for each, with the calls of
// its kernels.
package methods

import (
	"fmt"
	"slices"

	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Auto chooses a method for each block: see engine.Choice.Reason.
const Auto wave.Strategy = "auto"

// Candidate is a method that can be chosen for a block. It is one Go file, one or two files of
// kernels, and a line in Counting; all other code is shared.
type Candidate interface {
	wave.Method
	// suits says whether this is the method for a block, and why. A method that is used only if
	// asked for says false.
	suits(found survey.Findings) (bool, string)
}

// only lists methods that are the only ones for the blocks they suit.
func only() []Candidate { return []Candidate{bitlanes{}, chains{}, lengths{}} }

// Counting lists the methods that count paths from edge to edge, in the order in which they are
// asked whether they suit a block.
func Counting() []Candidate { return []Candidate{levels{}, solo{}, ragged{}, frontier{}} }

// Strategies lists the values of Options.Strategy: Auto, and the names of Counting. They are
// repeated here, so that a program that checks a name does not link the methods.
func Strategies() []wave.Strategy { return []wave.Strategy{Auto, Levels, Solo, Ragged, Frontier} }

// Allowed lists the methods that a strategy leaves to choose from; none if there is no such
// strategy.
func Allowed(s wave.Strategy) []Candidate {
	if s == Auto {
		return Counting()
	}
	return slices.DeleteFunc(Counting(), func(m Candidate) bool { return m.Name() != s })
}

// Choose picks the method for a block, and says why: the only one for it, or the first of those
// allowed that suits, or the first.
func Choose(s wave.Strategy, found survey.Findings) (Candidate, string) {
	for _, m := range only() {
		if suits, reason := m.suits(found); suits {
			return m, reason
		}
	}
	list := Allowed(s)
	switch {
	case s == Solo && found.Vertices > resident.SoloVertices:
		return frontier{}, fmt.Sprintf("asked for %s, which searches blocks of %d vertices at most", s, resident.SoloVertices)
	case s == Solo && !(solo{}).able(found) || s == Ragged && !found.Plain:
		return frontier{}, fmt.Sprintf("asked for %s, which the question does not allow", s)
	}
	if s != Auto {
		return list[0], "asked for"
	}
	for _, m := range list {
		if suits, reason := m.suits(found); suits {
			return m, reason
		}
	}
	return list[0], "no other suits"
}

// Named is the method with a name; nil if there is none.
func Named(s wave.Strategy) Candidate {
	for _, m := range append(only(), Counting()...) {
		if m.Name() == s {
			return m
		}
	}
	return nil
}
