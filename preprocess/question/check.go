package question

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bcstage/internal/measures"
)

// Check returns an ErrQuestion if the question contradicts itself.
func (q Question) Check() error { return q.check(measures.All()) }

func (q Question) check(registered []measures.Measure) error {
	fail := func(flag, format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s", ErrQuestion, flag, fmt.Sprintf(format, args...))
	}
	l, s := q.Lengths, q.Sample
	switch cutoff, err := cutoffs(q.Cutoff); {
	case l.Repeats != "" && l.Repeats != RepeatsSum && l.Repeats != RepeatsError && l.Repeats != RepeatsKeep:
		return fail("--repeats", "%q: want min, sum, error or keep", l.Repeats)
	case l.Column == "" && l.Repeats != "" && l.Repeats != RepeatsKeep:
		return fail("--repeats", "only lengths of edges have a rule for repeats: --weight is not given")
	case l.Column == "" && l.Unit != "":
		return fail("--weight", "unit %q without a column", l.Unit)
	case l.Unit != "" && !isUnit(l.Unit):
		return fail("--weight", "unit %q: want 10^-k, 10^k, 2^-k or 2^k", l.Unit)
	case err != nil:
		return fail("--cutoff", "%q: %v", q.Cutoff, err)
	case cutoff != q.Cutoff:
		return fail("--cutoff", "%q: want %q", q.Cutoff, cutoff)
	case l.Column == "" && strings.Contains(q.Cutoff, "."):
		return fail("--cutoff", "%s: a number of edges is whole; only with --weight it need not be", q.Cutoff)
	}
	if err := q.checkMeasures(registered); err != nil {
		return err
	}
	switch decay, err := shares(q.Decay.Share); {
	case err != nil:
		return fail("--decay", "%v", err)
	case decay != q.Decay.Share:
		return fail("--decay", "%q: want %q", q.Decay.Share, decay)
	case decay == "" && q.Decay.Floor != 0:
		return fail("--decay-floor", "--decay is not given, whose shares it is about")
	case !(q.Decay.Floor >= 0 && q.Decay.Floor <= 1):
		return fail("--decay-floor", "%v: want 0 to 1", q.Decay.Floor)
	case decay != "" && !q.Edges && !q.Asks(measures.Betweenness) && !q.Searches(measures.Reached):
		return fail("--decay", "--columns %s has no betweenness, whose pairs it is about", strings.Join(q.measures(), ","))
	}
	switch g := q.Gravity; {
	case g.Constrained != "" && g.Constrained != ConstrainedOrigins:
		return fail("--constrained", "%q: want %s", g.Constrained, ConstrainedOrigins)
	case g.Constrained == "" && g.Stay != 0:
		return fail("--stay", "--constrained is not given, which it is about")
	case !(g.Stay >= 0 && g.Stay <= math.MaxFloat64):
		return fail("--stay", "%v: want a finite number of 0 or more", g.Stay)
	case g.Constrained != "" && !q.Edges && !q.Asks(measures.Betweenness):
		return fail("--constrained", "--columns %s has no betweenness, which is what flows", strings.Join(q.measures(), ","))
	}
	for _, side := range []struct {
		flag   string
		masses Masses
	}{{"--origins", q.Origins}, {"--destinations", q.Destinations}, {"--trips", q.Trips}} {
		switch m := side.masses; {
		case m.Column == "" && (m.Unit != "" || m.Total != 0):
			return fail(side.flag, "unit %q and a total of %d without a column", m.Unit, m.Total)
		case m.Unit != "" && !isUnit(m.Unit):
			return fail(side.flag, "unit %q: want 10^-k, 10^k, 2^-k or 2^k", m.Unit)
		case m.Total < 0:
			return fail(side.flag, "a total of %d: want 0 or more", m.Total)
		case m.Column != "" && !q.Edges && !q.Asks(measures.Betweenness) && !(side.flag == "--destinations" && q.Searches(measures.Reached)):
			return fail(side.flag, "--columns %s has no betweenness, by whose paths flows go", strings.Join(q.measures(), ","))
		}
	}
	ways := []string{"", "auto", "sources", "sources-raw", "pairs", "exact"}
	switch {
	case !slices.Contains(ways, s.Way):
		return fail("--way", "%q: want %s", s.Way, strings.Join(ways[1:], ", "))
	case s.Way == "" && s != (Sample{}):
		return fail("--estimate", "not given, while %s is about an estimate", Question{Sample: s})
	case s.Way != "" && !slices.Equal(q.measures(), []string{measures.Betweenness}):
		return fail("--columns", "%s with --estimate: only betweenness is estimated, other columns are exact", strings.Join(q.measures(), ","))
	case s.Eps != 0 && !(s.Eps > 0 && s.Eps < 1):
		return fail("--eps", "%v: want more than 0 and less than 1", s.Eps)
	case s.Confidence != 0 && !(s.Confidence > 0 && s.Confidence < 1):
		return fail("--confidence", "%v: want more than 0 and less than 1", s.Confidence)
	case s.Within < 0:
		return fail("--within", "%v: want 0 or more", s.Within)
	case s.Samples < 0:
		return fail("--samples", "%d: want 0 or more", s.Samples)
	case s.Certain < 0:
		return fail("--certain", "%d: want 0 or more", s.Certain)
	case s.CertainChange < 0:
		return fail("--certain-change", "%d: want 0 or more", s.CertainChange)
	}
	return nil
}

// isUnit reports whether a text is a unit of whole numbers: a power of 2 or 10 other than 1, with an exponent of up to
// four digits.
func isUnit(text string) bool {
	base, exponent, power := strings.Cut(text, "^")
	digits := strings.TrimPrefix(exponent, "-")
	other := func(r rune) bool { return r < '0' || r > '9' }
	return power && (base == "2" || base == "10") && len(digits) >= 1 && len(digits) <= 4 && digits[0] != '0' && !strings.ContainsFunc(digits, other)
}

// UnknownMeasure is an ErrQuestion about the name of a measure that does not exist.
type UnknownMeasure struct {
	Name  string
	Known []string // names that the graph could have, directed or not
}

func (e *UnknownMeasure) Error() string {
	return fmt.Sprintf("%v: --columns: no measure is called %q: want of %s", ErrQuestion, e.Name, strings.Join(e.Known, ", "))
}

func (e *UnknownMeasure) Unwrap() error { return ErrQuestion }

// known lists the names of measures of directed graphs, or of undirected ones.
func known(registered []measures.Measure, directed bool) (names []string) {
	for _, m := range registered {
		if directed && !m.Directed || !directed && m.Of == "" {
			names = append(names, m.Name)
		}
	}
	return names
}

func (q Question) checkMeasures(registered []measures.Measure) error {
	names := q.measures()
	if names[0] == measures.Rank {
		return fmt.Errorf("%w: --columns: %s is that of the first column, and cannot be it", ErrQuestion, measures.Rank)
	}
	for i, name := range names {
		at := slices.IndexFunc(registered, func(m measures.Measure) bool { return m.Name == name })
		switch {
		case at < 0:
			return &UnknownMeasure{Name: name, Known: known(registered, q.Directed)}
		case slices.Contains(names[:i], name):
			return fmt.Errorf("%w: --columns: %s twice", ErrQuestion, name)
		case !q.Directed && registered[at].Of != "":
			return fmt.Errorf("%w: --columns: %s of an undirected graph: want %s", ErrQuestion, name, registered[at].Of)
		case q.Directed && registered[at].Directed:
			return fmt.Errorf("%w: --columns: %s of a directed graph: want %s_in or %s_out", ErrQuestion, name, name, name)
		}
	}
	return nil
}
