package edgetable

import (
	"slices"

	"bcstage/arrowio/internal/faults"
)

// Weights are refused unless Options.Weight or Options.IgnoreWeight is set, in every
// format: scores that ignore them answer another question. Weights are
//
//   - a column with the name of a weight, in a table with names
//  - numbers in the first field after the ids, in text without a header
//   - attributes "weight", in edge lists that NetworkX wrote
//   - entries of a MatrixMarket file that are not of field "pattern"
//   - edge weights of a METIS file, lengths of arcs in a DIMACS file

// Weighted refuses an input with weights, whose name for Options.Weight is name;
// format says where they are.
func Weighted(name, format string, args ...any) error {
	return faults.Advise(faults.Rejected(format, args...),
		"Options.Weight %q measures paths by them, Options.IgnoreWeight reads the edges without", name)
}

// weightNames are the names of a weight column, in lower case.
var weightNames = []string{"weight", "weights", "edge_weight", "edgeweight"}

func isWeightName(name string) bool { return slices.Contains(weightNames, untyped(name)) }

// Nameless names weights in formats that have no name for them.
const Nameless = "value"

// Heedless says whether options allow columns that look like weights.
func (o *Options) Heedless() bool { return o.IgnoreWeight || o.Weight != "" }

// CheckNameless refuses options that do not suit an input of such a format, which has weights or not. with and without say so.
func (o *Options) CheckNameless(has bool, with, without string) error {
	switch {
	case o.Weight == "" && has && !o.IgnoreWeight:
		return Weighted(Nameless, "%s", with)
	case o.Weight == "":
	case !has:
		return Unweighted("%s", without)
	case o.Weight != Nameless && o.Weight != "3":
		return faults.Advise(faults.Rejected("no column %q: the weights of this format have no name", o.Weight), `Options.Weight "value" reads them`)
	}
	return nil
}

// Unweighted is the error of an input without the weights that options ask for.
func Unweighted(format string, args ...any) error {
	return faults.Advise(faults.Rejected(format, args...), "without Options.Weight all edges are equally long")
}
