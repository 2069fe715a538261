package pipeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// Half-widths of earlier estimates are added night by night, and confidence is spent, until a run of its own.
func TestWidthsOfNightsAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 13))
	e := sampledGraphs()[0]
	today := night(t, e)
	exactly := byID(*today.Scores, tables.ScoreColumn)
	wide := 0.0
	for i, want := range []struct{ way, sinceWay, estimate, confidence, ofChange, estimates string }{
		{"pairs", wayPairs, "pairs", "0.9", "0.9", "1"},
		{"pairs", wayPairs, "pairs", "0.8", "0.9", "2"},
		{waySides, waySides, "earlier", "0.8", "1", "2"},
		{wayUnchanged, wayUnchanged, "earlier", "0.8", "1", "2"},
		{wayWhole, wayWhole, "exact", "1", "0.8", "0"},
		{"pairs", wayPairs, "pairs", "0.9", "0.9", "1"},
	} {
		added, removed := drawnChanges(r, e, 1+i%2, 2)
		if want.way == wayUnchanged {
			added, removed = nil, nil
		}
		now, _ := e.changedBy(r, added, removed)
		q := sampled("exact", uint64(i), 3000)
		if want.way == "pairs" {
			q.Sample.Way = "pairs"
		} else {
			today.way = want.way
		}
		table := run1(t, now, Options{Since: today, Question: q})
		is := byID(run1(t, now, Options{}), tables.ScoreColumn)
		if wrong := holds(table, exactly, is); wrong != "" {
			t.Errorf("night %d: %s", i, wrong)
		}
		for key, value := range map[string]string{"since_way": want.sinceWay, "estimate": want.estimate, "since_estimates": want.estimates, "confidence": want.confidence, "change_confidence": want.ofChange} {
			if got := metadataOf(table, key); got != value {
				t.Errorf("night %d: %s is %q, want %q", i, key, got, value)
			}
		}
		half := 0.0
		for v, score := range scoresIn(table) {
			half = max(half, table.Floats(UpperColumn)[v]-score, score-table.Floats(LowerColumn)[v])
		}
		if want.estimate == "exact" != (half == 0) || want.estimates == "2" && want.way == "pairs" && half <= wide {
			t.Errorf("night %d: half-width %v, %v before", i, half, wide)
		}
		n := float64(len(is))
		if eps := shareOf(half, 0, question.Question{}, int(n)); metadataOf(table, "eps") == "" || eps > 1.001*number(t, metadataOf(table, "eps")) {
			t.Errorf("night %d: eps %v, told %s", i, eps, metadataOf(table, "eps"))
		}
		e, wide, exactly = now, half, is
		today = &Since{Prepared: prepared(t, Options{Input: Input{Source: sourceOf(now)}}), Scores: &table}
	}
	for want, opts := range map[string]Options{
		"want an estimate now, too": {},
		"leaves none":               {Question: question.Question{Sample: question.Sample{Way: "pairs", Samples: 1000, Confidence: 0.05}}},
	} {
		opts.Since = today
		if _, err := tryRun(e, opts); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// number reads a number of metadata.
func number(t *testing.T, text string) (x float64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &x); err != nil {
		t.Fatal(err)
	}
	return x
}
