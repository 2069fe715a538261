package question

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bcstage/internal/measures"
)

// field is one part of a question: its name, how to write and how to read it. The text of
// a default is empty.
type field struct {
	key      string // in texts: the flag without --, unless the part belongs to another flag
	flag     string
	identity bool // sums for different values cannot be added
	get      func(q Question) string
	set      func(q *Question, text string) error
}

// fields lists every part of a question, in the order of texts. The list is made once; it must not be changed.
var fields = sync.OnceValue(func() []field {
	return []field{
		truth("directed", func(q *Question) *bool { return &q.Directed }),
		word("weight", func(q *Question) *string { return &q.Lengths.Column }),
		word("unit", func(q *Question) *string { return &q.Lengths.Unit }).of("weight"),
		word("repeats", func(q *Question) *string { return &q.Lengths.Repeats }).without("min"),
		set("sources", func(q *Question) *Set { return &q.Sources }),
		set("targets", func(q *Question) *Set { return &q.Targets }),
		word("origins", func(q *Question) *string { return &q.Origins.Column }),
		word("origins-unit", func(q *Question) *string { return &q.Origins.Unit }).of("origins"),
		total("origins-total", func(q *Question) *int64 { return &q.Origins.Total }).of("origins"),
		word("destinations", func(q *Question) *string { return &q.Destinations.Column }),
		word("destinations-unit", func(q *Question) *string { return &q.Destinations.Unit }).of("destinations"),
		total("destinations-total", func(q *Question) *int64 { return &q.Destinations.Total }).of("destinations"),
		word("trips", func(q *Question) *string { return &q.Trips.Column }),
		word("trips-unit", func(q *Question) *string { return &q.Trips.Unit }).of("trips"),
		total("trips-total", func(q *Question) *int64 { return &q.Trips.Total }).of("trips"),
		truth("endpoints", func(q *Question) *bool { return &q.Endpoints }),
		{"cutoff", "--cutoff", true, func(q Question) string { return q.Cutoff }, func(q *Question, text string) (err error) {
			q.Cutoff, err = cutoffs(text)
			return err
		}},
		{"decay", "--decay", true, func(q Question) string { return q.Decay.Share }, func(q *Question, text string) (err error) {
			q.Decay.Share, err = shares(text)
			return err
		}},
		number("decay-floor", func(q *Question) *float64 { return &q.Decay.Floor }, formatFloat, parseFloat),
		word("constrained", func(q *Question) *string { return &q.Gravity.Constrained }),
		number("stay", func(q *Question) *float64 { return &q.Gravity.Stay }, formatFloat, parseFloat),
		{"columns", "--columns", true, Question.columns, func(q *Question, text string) error {
			q.Measures = nil
			if text != "" && text != measures.Betweenness {
				q.Measures = strings.Split(text, ",")
			}
			return nil
		}},
		truth("edge-scores", func(q *Question) *bool { return &q.Edges }),
		word("way", func(q *Question) *string { return &q.Sample.Way }),
		number("seed", func(q *Question) *uint64 { return &q.Sample.Seed }, func(x uint64) string { return strconv.FormatUint(x, 10) },
			func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }),
		number("eps", func(q *Question) *float64 { return &q.Sample.Eps }, formatFloat, parseFloat).free(),
		number("within", func(q *Question) *time.Duration { return &q.Sample.Within }, time.Duration.String, time.ParseDuration).free(),
		number("samples", func(q *Question) *int { return &q.Sample.Samples }, strconv.Itoa, strconv.Atoi).free(),
		number("certain", func(q *Question) *int { return &q.Sample.Certain }, strconv.Itoa, strconv.Atoi).free(),
		number("certain-change", func(q *Question) *int { return &q.Sample.CertainChange }, strconv.Itoa, strconv.Atoi).free(),
		number("confidence", func(q *Question) *float64 { return &q.Sample.Confidence }, formatFloat, parseFloat).free(),
	}
})

// of says that the part belongs to the flag of another name.
func (f field) of(flag string) field {
	f.flag = "--" + flag
	return f
}

// free says that runs that differ in this part may be joined.
func (f field) free() field {
	f.identity = false
	return f
}

// without reads the given value as the default.
func (f field) without(value string) field {
	set := f.set
	f.set = func(q *Question, text string) error {
		if text == value {
			text = ""
		}
		return set(q, text)
	}
	return f
}

func word(name string, of func(*Question) *string) field {
	return field{name, "--" + name, true,
		func(q Question) string { return *of(&q) },
		func(q *Question, text string) error { *of(q) = text; return nil }}
}

// number is a part whose zero value is its default.
func number[T comparable](name string, of func(*Question) *T, format func(T) string, parse func(string) (T, error)) field {
	return field{name, "--" + name, true,
		func(q Question) string {
			var zero T
			if *of(&q) == zero {
				return ""
			}
			return format(*of(&q))
		},
		func(q *Question, text string) error {
			value, err := parse(text)
			if err == nil {
				*of(q) = value
			}
			return err
		}}
}

func truth(name string, of func(*Question) *bool) field {
	return number(name, of, strconv.FormatBool, strconv.ParseBool)
}

// total is a whole number in decimal.
func total(name string, of func(*Question) *int64) field {
	return number(name, of, func(x int64) string { return strconv.FormatInt(x, 10) },
		func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) })
}

func set(name string, of func(*Question) *Set) field {
	return number(name, of, Set.String, parseSet)
}

func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func parseFloat(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// longestExponent bounds the number of digits of a decimal number that is written out: a
// float64 has fewer.
const longestExponent = 400

// decimal returns a number of 0 or more in one spelling: 03.50 is 3.5, 25e-1 and .25e1 are
// 2.5.
func decimal(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	wrong := errors.New("want a decimal number of 0 or more")
	mantissa, exponent := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[at+1:]); err != nil || max(exponent, -exponent) > longestExponent {
			return "", wrong
		}
		mantissa = text[:at]
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "+"), ".")
	if strings.Trim(whole+fraction, "0123456789") != "" || whole+fraction == "" {
		return "", wrong
	}
	if exponent > 0 {
		moved := min(exponent, len(fraction))
		whole, fraction = whole+fraction[:moved]+strings.Repeat("0", exponent-moved), fraction[moved:]
	} else if exponent < 0 {
		moved := min(-exponent, len(whole))
		whole, fraction = whole[:len(whole)-moved], strings.Repeat("0", -exponent-moved)+whole[len(whole)-moved:]+fraction
	}
	whole = cmp.Or(strings.TrimLeft(whole, "0"), "0")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return whole + "." + fraction, nil
	}
	return whole, nil
}

// columns returns the names of the measures, unless they are the default.
func (q Question) columns() string {
	if names := strings.Join(q.measures(), ","); names != measures.Betweenness {
		return names
	}
	return ""
}

// Set reads one part from text: the key is its flag without --, or "unit". An empty value
// of a text, and the name of a default, are the default. Contradictions between parts are
// left to Check.
func (q *Question) Set(key, value string) error {
	all := fields()
	i := slices.IndexFunc(all, func(f field) bool { return f.key == key })
	if i < 0 {
		return fmt.Errorf("%w: no part is called %q", ErrQuestion, key)
	}
	if err := all[i].set(q, value); err != nil {
		return fmt.Errorf("%w: %s %q: %w", ErrQuestion, all[i].flag, value, err)
	}
	return nil
}

// Parse reads the text that String writes: parts as key=value, separated by spaces, in any
// order, values in Go's quotes where they need them. The question is checked.
func Parse(text string) (Question, error) {
	var q Question
	met := make(map[string]bool)
	for rest := strings.TrimLeft(text, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, after, found := strings.Cut(rest, "=")
		if !found {
			return Question{}, fmt.Errorf("%w: %q: want key=value", ErrQuestion, rest)
		}
		value, err := strconv.QuotedPrefix(after)
		if err == nil {
			rest = after[len(value):]
			if value, err = strconv.Unquote(value); err != nil || rest != "" && rest[0] != ' ' {
				return Question{}, fmt.Errorf("%w: %q: no space after a quoted value", ErrQuestion, after)
			}
		} else {
			end := len(after)
			if space := strings.IndexByte(after, ' '); space >= 0 {
				end = space
			}
			value, rest = after[:end], after[end:]
		}
		if met[key] {
			return Question{}, fmt.Errorf("%w: %q twice", ErrQuestion, key)
		}
		met[key] = true
		if err := q.Set(key, value); err != nil {
			return Question{}, err
		}
	}
	if err := q.Check(); err != nil {
		return Question{}, err
	}
	return q, nil
}

// String returns the question in Parse's syntax, in one order and without defaults; empty
// for the zero question.
func (q Question) String() string { return q.text(func(field) bool { return true }) }

// Identity returns the part of String that sums must share to be added. It names the sums
// instead of the measures made of them. It is empty for the zero question, and for
// betweenness with measures that follow from the graph alone. It belongs to fingerprints,
// partial results, prepared graphs and the metadata of scores.
func (q Question) Identity() string {
	return q.same().text(func(f field) bool { return f.identity })
}

// same returns the question as far as sums depend on it.
func (q Question) same() Question {
	if q.Sample.Way == "exact" {
		q.Sample = Sample{}
	}
	asked := q.Measures
	q.Measures = nil
	for _, m := range q.withMeasures(asked).Sums() {
		if m.Per == measures.PerVertex && !slices.Contains(q.Measures, m.Name) { // the measure of edges is a part of its own
			q.Measures = append(q.Measures, m.Name)
		}
	}
	if len(q.Measures) == 0 { // nothing is summed
		for _, m := range measures.All() {
			if slices.Contains(asked, m.Name) {
				q.Measures = append(q.Measures, m.Name)
			}
		}
	}
	return q
}

func (q Question) withMeasures(names []string) Question {
	q.Measures = names
	return q
}

func (q Question) text(with func(field) bool) string {
	var out strings.Builder
	for _, f := range fields() {
		value := f.get(q)
		if value == "" || !with(f) {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(f.key + "=")
		if plain(value) {
			out.WriteString(value)
		} else {
			out.WriteString(strconv.Quote(value))
		}
	}
	return out.String()
}

// plain reports whether a value needs no quotes.
func plain(value string) bool {
	return !strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '`' || r == '\'' })
}

// Differs returns the part of its identity in which another question differs from this
// one, as in "--cutoff 3 against no --cutoff"; empty if none.
func (q Question) Differs(other Question) string {
	mine, others := q.same(), other.same()
	for _, f := range fields() {
		if want, got := f.get(mine), f.get(others); f.identity && want != got {
			return f.given(got) + " against " + f.given(want)
		}
	}
	return ""
}

// Beyond returns the flag of the first part of the question's identity that differs from
// the zero question and is not listed, by key. A measure made of counted paths is listed
// by name, and returned as its flag with the name. Empty if there is none.
func (q Question) Beyond(listed []string) string {
	for _, m := range q.Sums() {
		if (m.Search == measures.Paths || m.Search == measures.Reached) && m.Per == measures.PerVertex && !slices.Contains(listed, m.Name) {
			return "--columns " + m.Name
		}
	}
	same := q.same()
	for _, f := range fields() {
		if f.identity && f.key != "columns" && f.get(same) != "" && !slices.Contains(listed, f.key) {
			return f.flag
		}
	}
	return ""
}

// EdgeFlags returns the flags that say how the edges are read, as a user types them: "--directed --weight metres".
func (q Question) EdgeFlags() string {
	var list []string
	for _, f := range fields() {
		edges := Question{Directed: q.Directed, Lengths: q.Lengths}
		if value := f.get(edges); value != "" && f.flag == "--"+f.key && f.key != "columns" {
			list = append(list, f.given(value))
		}
	}
	return cmp.Or(strings.Join(list, " "), "no --directed and no --weight")
}

// Has reports whether the part of that key differs from the zero question's.
func (q Question) Has(key string) bool {
	return slices.ContainsFunc(fields(), func(f field) bool { return f.key == key && f.get(q) != "" })
}

// Samples describes the difference between two runs with other numbers of samples, in the
// form of Differs.
func Samples(got, want []int) string {
	list := func(samples []int) string {
		var texts []string
		for _, count := range samples {
			texts = append(texts, strconv.Itoa(count))
		}
		return strings.Join(texts, " and ")
	}
	at := slices.IndexFunc(fields(), func(f field) bool { return f.key == "samples" })
	f := fields()[at]
	return f.given(list(got)) + " against " + f.given(list(want))
}

// given returns the part in the form in which it is asked for.
func (f field) given(value string) string {
	name := f.flag
	if name != "--"+f.key {
		name += " " + f.key
	}
	switch value {
	case "":
		return "no " + name
	case "true":
		return name
	}
	return name + " " + value
}
