package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

// sampleOf reads the flags of an estimate. The question checks its own limits.
func sampleOf(c *urfave.Context) (question.Sample, error) {
	if c.Command.Name == "info" {
		if !isSet(c, "eps") {
			return question.Sample{}, nil
		}
		if c.Float64("eps") == 0 {
			return question.Sample{}, noGoal(c, "eps")
		}
		return question.Sample{Way: "auto", Eps: c.Float64("eps")}, nil
	}
	if !c.Bool("estimate") {
		for _, f := range rowsOf(c.Command) {
			if f.group == groupSample && f.given && f.name != "estimate" {
				return question.Sample{}, usagef(c.Command, "--%s needs --estimate", f.name)
			}
		}
		return question.Sample{}, nil
	}
	s := question.Sample{
		Way:        c.String("way"),
		Seed:       c.Uint64("seed"),
		Eps:        c.Float64("eps"),
		Within:     c.Duration("within"),
		Samples:    c.Int("samples"),
		Certain:    c.Int("certain"),
		Confidence: c.Float64("confidence"),

		CertainChange: c.Int("certain-change"),
	}
	zero := map[string]bool{"eps": s.Eps == 0, "within": s.Within == 0, "samples": s.Samples == 0, "certain": s.Certain == 0, "certain-change": s.CertainChange == 0, "confidence": s.Confidence == 0}
	for _, name := range slices.Sorted(maps.Keys(zero)) {
		if zero[name] && isSet(c, name) { // the library would take that for not given
			return question.Sample{}, noGoal(c, name)
		}
	}
	return s, nil
}

func noGoal(c *urfave.Context, name string) error {
	return usagef(c.Command, "--%s: 0: want more than 0", name)
}

// describeEstimate describes an unfinished estimate:
// "eps 0.0031 after 4 096 of 36 111 sources; 0.001 in about 40s; exact in about 55s".
func describeEstimate(e pipeline.EstimateProgress) string {
	parts := []string{fmt.Sprintf("eps %.2g after %s", e.Eps, searched(e.Estimate))}
	about := func(d time.Duration) string { return "about " + max(d.Round(time.Second), time.Second).String() }
	if e.Goal > 0 && e.Goal < e.Eps && (e.Sources == 0 || e.ToGoal < e.ToExact) {
		parts = append(parts, fmt.Sprintf("%g in %s", e.Goal, about(e.ToGoal)))
	}
	if e.Sources > 0 && e.Eps > 0 {
		parts = append(parts, "exact in "+about(e.ToExact))
	}
	return strings.Join(parts, "; ")
}

// searched says how much was searched, and of how much.
func searched(e pipeline.Estimate) string {
	if e.Sources == 0 {
		return figures.Grouped(int64(e.Searches)) + " pairs"
	}
	return figures.Grouped(int64(e.Searches)) + " of " + figures.Grouped(int64(e.Sources)) + " sources"
}

// summarise says how accurate the scores are.
func summarise(e pipeline.Estimate) string {
	if e.Way == "exact" || e.Eps == 0 {
		return "the scores are exact"
	}
	if e.Way == "earlier" {
		return fmt.Sprintf("the changes are exact; every score lies between lower and upper, at most %.2g of all pairs away, with probability %g, by the earlier estimate", e.Eps, e.Confidence)
	}
	text := fmt.Sprintf("every score lies between lower and upper, at most %.2g of all pairs away, with probability %g: %s searched",
		e.Eps, e.Confidence, searched(e))
	if c := e.Certain; c != nil {
		what := "highest"
		if c.Changes {
			what = "largest changes"
		}
		text += fmt.Sprintf("; %d of the %d %s are certain", c.Places, c.Of, what)
	}
	return text
}
