// Package methods has the ways to search a block on a device: a file each, with the calls of its kernels.
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

// Candidate is a method that can be chosen for a block. It is one Go file, one file of kernels or
// two, and a line in Counting; all other code is the same for all methods.
type Candidate interface {
	wave.Method
	// suits says whether this is the method for a block, and why. A method that is
	// never chosen, only asked for, says false.
	suits(found survey.Findings) (bool, string)
}

// only are methods that are the only ones for the blocks that they suit.
func only() []Candidate { return []Candidate{bitlanes{}, chains{}, lengths{}} }

// Counting are asked in this order whether they suit a block whose paths are counted
// from edge to edge.
func Counting() []Candidate { return []Candidate{levels{}, solo{}, ragged{}, frontier{}} }

// Strategies are all that Options.Strategy can be: Auto, and the names of Counting. They stand here
// again, so that who checks a name does not link what searches.
func Strategies() []wave.Strategy { return []wave.Strategy{Auto, Levels, Solo, Ragged, Frontier} }

// Allowed are the methods that a strategy leaves to choose from; none if there
// is no such strategy.
func Allowed(s wave.Strategy) []Candidate {
	if s == Auto {
		return Counting()
	}
	return slices.DeleteFunc(Counting(), func(m Candidate) bool { return m.Name() != s })
}

// Choose picks the method for a block, and says why: one that is the only one for it,
// and the first one where none suits.
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

// Named is the method of a name; nil if there is none.
func Named(s wave.Strategy) Candidate {
	for _, m := range append(only(), Counting()...) {
		if m.Name() == s {
			return m
		}
	}
	return nil
}
