package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/preprocess/question"
)

// lengthsOf describes the lengths of a graph; nil: the question is about hops.
func lengthsOf(asked question.Lengths, in *building.Input) *Lengths {
	if asked.Column == "" {
		return nil
	}
	l := &Lengths{
		Column: asked.Column, Unit: in.Scale.Unit, Divisor: in.Scale.Divisor, Equal: !in.Graph.HasLengths(),
		Repeats: asked.Repeats, Differ: in.Scale.Differ, Rounding: in.Scale.Rounding, Rounded: in.Scale.Rounded, Merged: in.Scale.Merged,
	}
	if l.Unit == "" {
		l.Unit = "1"
	}
	if l.Repeats == "" {
		l.Repeats = "min"
	}
	return l
}

// strengthNames are names of columns of strengths, in lower case.
var strengthNames = []string{"count", "counts", "trips", "freq", "frequency", "strength", "similarity", "capacity"}

// strengths warns of a column of lengths that has the name of strengths.
func strengths(column string) []string {
	if !slices.Contains(strengthNames, strings.ToLower(column)) {
		return nil
	}
	return []string{fmt.Sprintf("Options.Question.Lengths.Column %[1]q: a length is not a strength, and shortest paths prefer small lengths. "+
		`duckdb -c "COPY (SELECT *, 1/%[1]s AS length FROM 'edges.csv') TO 'lengths.csv'" makes lengths of strengths, for Options.Question.Lengths.Column "length"`, column)}
}

// notes returns notes for users.
func (l *Lengths) notes() (list []string) {
	if l == nil {
		return nil
	}
	if l.Rounding > 0 {
		note := fmt.Sprintf("lengths do not fit whole numbers of a power of ten: %d are rounded to multiples of %s, by %.2g at most", l.Rounded, l.Unit, l.Rounding)
		if !strings.HasPrefix(l.Unit, "2^") {
			note = fmt.Sprintf("%d lengths have more than 38 digits, and are rounded to 38, by %.2g at most", l.Rounded, l.Rounding)
		}
		if l.Merged > 0 {
			note += fmt.Sprintf("; %d of them became equal to another length", l.Merged)
		}
		list = append(list, note)
	}
	if l.Differ > 0 {
		rule := "the smallest counts"
		switch l.Repeats {
		case question.RepeatsSum:
			rule = "their sum counts"
		case question.RepeatsKeep:
			rule = "those of the smallest count"
		}
		list = append(list, fmt.Sprintf("%d edges are repeated with another length: %s", l.Differ, rule))
	}
	return list
}

// rounding is the entry of metadata; "": nothing is rounded.
func (l *Lengths) rounding() string {
	if l == nil || l.Rounding == 0 {
		return ""
	}
	return strconv.FormatFloat(l.Rounding, 'g', -1, 64) + ", merged " + strconv.FormatInt(l.Merged, 10)
}

// scale is the unit of the lengths; zero for hops.
func (l *Lengths) scale() building.Scale {
	switch {
	case l == nil:
		return building.Scale{}
	case l.Unit == "1":
		return building.Scale{Divisor: l.Divisor}
	}
	return building.Scale{Unit: l.Unit, Divisor: l.Divisor}
}

// errNoLengths is for sources other than files.
var errNoLengths = fmt.Errorf("%w: the question has lengths, but the source sends none", ErrOptions)

// inputLengths marks errors of lengths as errors of the input.
func inputLengths(column string, err error) error {
	if errors.Is(err, building.ErrLengths) {
		return &wrongLengths{column, err}
	}
	return err
}

// wrongLengths is an error about a column of lengths, and a tables.ErrInput.
type wrongLengths struct {
	column string
	err    error
}

func (e *wrongLengths) Error() string {
	return fmt.Sprintf("column %q: %s", e.column, strings.TrimPrefix(e.err.Error(), "preprocess: build: "))
}

func (e *wrongLengths) Unwrap() []error { return []error{tables.ErrInput, e.err} }
