package question

import (
	"fmt"
	"slices"
	"strings"

	"bcstage/internal/measures"
	"bcstage/internal/refusals"
)

// Answerable returns an ErrUnanswered that names both sides and says why, if the question has no answer together with the
// named options, or by itself, or the error of Check.
func (q Question) Answerable(options ...string) error {
	if err := q.Check(); err != nil {
		return err
	}
	parts, given := q.given()
	given = append(given, options...)
	for _, r := range refusals.All() {
		if !slices.Contains(given, r.With) {
			continue
		}
		refused := func(name string) bool { return slices.Contains(r.Asked, name) }
		of := given
		if r.AllElse {
			refused, of = func(name string) bool { return !slices.Contains(r.Asked, name) }, parts
		}
		if i := slices.IndexFunc(of, refused); i >= 0 {
			return fmt.Errorf("%w: %s together with %s: %s", ErrUnanswered, r.With, of[i], r.Why)
		}
	}
	return nil
}

// given returns the parts of a question that differ from the zero question, by flag, and all names of them in package refusals.
func (q Question) given() (parts, names []string) {
	details := []string{"--seed", "--decay-floor", "--stay"} // of other flags, as are parts that are not identity
	for _, f := range fields() {
		value := f.get(q)
		switch {
		case value == "" || f.flag != "--"+f.key:
			continue
		case f.key == "way":
			names = append(names, "--way "+value)
			f.flag = "--estimate"
		}
		names = append(names, f.flag, f.flag+" "+value)
		if f.identity && !slices.Contains(details, f.flag) {
			parts = append(parts, f.flag)
		}
	}
	for _, sort := range []struct {
		name string
		is   bool
	}{
		{refusals.SeveralCutoffs, strings.Contains(q.Cutoff, ",")},
		{refusals.OtherMeasures, !q.Asks(measures.Betweenness)},
		{refusals.DistanceMeasures, q.Searches(measures.Distances)},
		{refusals.ReachedMeasures, q.Searches(measures.Reached)},
		{refusals.EdgesOfRepeats, q.Edges && q.KeepsRepeats()},
	} {
		if sort.is {
			names = append(names, sort.name)
		}
	}
	return parts, names
}
