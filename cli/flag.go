package cli

import (
	"errors"
	stdflag "flag"
	"fmt"
	"iter"
	"math"
	"math/big"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"bcstage/pipeline"
)

// flag is a row of the table in flags.go. Parsing, the variable, help, the manual, completion,
// docs/reference.md and the keyword in Python are made from it.
type flag struct {
	name, short string
	in          string // commands with the flag, with blanks between them; "": every command
	group       string // heading in the help
	is          kind
	value       string   // name of its value: FILE, K
	of          []string // the values of a choice, or the elements of a list
	normal      string   // its value if it is not given
	usage       string
	own         bool // the variable's name contains the command: BCSTAGE_BENCH_RUNS

	to      func(*pipeline.Options) any // the field that it sets; nil: the command reads the value
	instead func(value string) string   // the flag that a wrong value belongs to; nil: unknown
	python  string                      // its groups of keywords in Python, with blanks between them; "": none
	typed   string                      // its type there; "": from kind and value

	command string // of this row
	given   bool   // on the command line or in the environment
}

// kind says how a value is read.
type kind int

const (
	textValue   kind = iota
	listValue        // texts, with commas
	choiceValue      // one of a few texts
	noValue          // a toggle
	strictValue      // none, or "strict"
	wholeValue       // an integer in any spelling: 1000, 1e3
	seedValue        // the same, up to 2^64-1
	numberValue      // any number: .5, 5e-1
	timeValue        // 90s, 10m
	sizeValue        // a number of bytes: 500M
)

// variablePrefix begins the variables of all flags.
const variablePrefix = "BCSTAGE_"

// variable is the flag's name in the environment.
func (f *flag) variable() string {
	name := strings.ToUpper(strings.ReplaceAll(f.name, "-", "_"))
	if f.own {
		name = strings.ToUpper(f.command) + "_" + name
	}
	return variablePrefix + name
}

// takesValue reports whether the next argument is the flag's value. The value of --resume follows
// an equals sign, or is absent.
func (f *flag) takesValue() bool { return f.is != noValue && f.is != strictValue }

// namesFile and namesFolder are for completion and file://.
func (f *flag) namesFile() bool   { return f.value == "FILE" }
func (f *flag) namesFolder() bool { return f.value == "FOLDER" }

// Names, IsSet, String and Apply make a row a flag of urfave/cli.
func (f *flag) Names() []string {
	if f.short != "" {
		return []string{f.name, f.short}
	}
	return []string{f.name}
}

func (f *flag) IsSet() bool    { return f.given }
func (f *flag) String() string { return "--" + f.name }

// Apply adds the flag to a set, with its value from the environment, if there is one.
func (f *flag) Apply(set *stdflag.FlagSet) error {
	v := &value{flag: f, text: f.normal}
	set.Var(v, f.name, f.usage)
	if given := os.Getenv(f.variable()); given != "" {
		if err := v.Set(given); err != nil {
			return fmt.Errorf("environment variable %q: %w", f.variable(), err)
		}
	}
	return nil
}

// value is the value of a flag.
type value struct {
	flag *flag
	text string // in its normal form
}

func (v *value) String() string { return v.text }

// Set reads a value. The error is a wrongValue.
func (v *value) Set(given string) error {
	text, err := v.flag.read(given)
	if err != nil {
		return &wrongValue{v.flag, given, err}
	}
	v.text, v.flag.given = text, true
	return nil
}

// wrongValue is a value that a flag does not take.
type wrongValue struct {
	flag  *flag
	given string
	error
}

func (e *wrongValue) Error() string {
	return fmt.Sprintf("invalid value %q for flag --%s: %v", e.given, e.flag.name, e.error)
}

// hint suggests a value; "" if there is no suggestion.
func (e *wrongValue) hint() string {
	if e.flag.instead != nil {
		if meant := e.flag.instead(e.given); meant != "" {
			return "did you mean " + meant + "?"
		}
	}
	if e.flag.is == timeValue {
		if x, err := strconv.ParseFloat(e.given, 64); err == nil && x > 0 && x <= 1e9 {
			return "did you mean " + strconv.FormatFloat(x, 'f', -1, 64) + "s?"
		}
	}
	if near := nearest(e.given, e.flag.of); e.flag.is == choiceValue && near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// read returns a value in its normal form.
func (f *flag) read(given string) (string, error) {
	if given == "" && f.takesValue() {
		return "", errors.New("want a value; a variable of the shell may be empty")
	}
	switch f.is {
	case choiceValue:
		if !slices.Contains(f.of, given) {
			return "", fmt.Errorf("want one of %s", strings.Join(f.of, ", "))
		}
	case noValue, strictValue:
		on, err := strconv.ParseBool(given)
		switch {
		case f.is == strictValue && (given == "strict" || given == ""):
			return given, nil
		case err != nil && f.is == strictValue:
			return "", errors.New("want strict, or no value")
		case err != nil:
			return "", errors.New("it takes no value")
		}
		return strconv.FormatBool(on), nil
	case wholeValue, seedValue:
		least, most := big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)
		if f.is == seedValue {
			least, most = new(big.Int), new(big.Int).SetUint64(math.MaxUint64)
		}
		n, err := integer(given)
		if err == nil && (n.Cmp(least) < 0 || n.Cmp(most) > 0) {
			err = fmt.Errorf("want a whole number from %v to %v", least, most)
		}
		if err != nil {
			return "", err
		}
		return n.String(), nil
	case numberValue:
		x, err := strconv.ParseFloat(given, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return "", errors.New("not a number, such as 0.5 or 5e-1")
		}
		return strconv.FormatFloat(x, 'g', -1, 64), nil
	case timeValue:
		d, err := time.ParseDuration(given)
		if err != nil {
			return "", errors.New("want a time such as 90s or 10m")
		}
		return d.String(), nil
	case sizeValue:
		_, err := bytesOf(given)
		return given, err
	}
	return given, nil
}

// integer reads a whole number in any spelling, as 1000, 1e3 or 1000.0.
func integer(text string) (*big.Int, error) {
	wrong := errors.New("not a whole number")
	x, err := strconv.ParseFloat(text, 64) // quick, however large the exponent
	if err != nil || len(text) > 40 || math.Abs(x) > 1e20 || x != math.Trunc(x) {
		return nil, wrong
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || e < -40 || e > 40) {
		return nil, wrong
	}
	if strings.Trim(mantissa, "+-.0123456789") != "" { // a base, or separators
		return nil, wrong
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok || !exact.IsInt() {
		return nil, wrong
	}
	return exact.Num(), nil
}

// assign stores a value in the field of the options that the flag sets.
func (f *flag) assign(o *pipeline.Options, text string) {
	if f.to == nil {
		return
	}
	switch field := f.to(o).(type) {
	case *[]string:
		*field = list(text)
	case *int64:
		*field, _ = bytesOf(text) // checked before
	case *bool:
		*field = text == "true"
	case *int:
		*field, _ = strconv.Atoi(text)
	default:
		reflect.ValueOf(field).Elem().SetString(text)
	}
}

// flagsOf returns the rows of a table for a command.
func flagsOf(table []flag, command string) []urfave.Flag {
	var flags []urfave.Flag
	for _, row := range table {
		if row.in == "" || strings.Contains(" "+row.in+" ", " "+command+" ") {
			f := row // a copy of its own for this command
			f.command = command
			flags = append(flags, &f)
		}
	}
	return flags
}

// rowsOf returns the flags of a command as rows.
func rowsOf(c *urfave.Command) []*flag {
	rows := make([]*flag, len(c.Flags))
	for i, f := range c.Flags {
		rows[i] = f.(*flag)
	}
	return rows
}

// rowsByGroup returns the flags group by group, without empty groups.
func rowsByGroup(c *urfave.Command) iter.Seq2[string, []*flag] {
	return func(yield func(string, []*flag) bool) {
		for _, group := range groups() {
			rows := slices.DeleteFunc(rowsOf(c), func(f *flag) bool { return f.group != group })
			if len(rows) > 0 && !yield(group, rows) {
				return
			}
		}
	}
}

// find returns the flag of a name, or short name; nil if there is none.
func find(c *urfave.Command, name string) *flag {
	for _, f := range rowsOf(c) {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isSet reports whether a flag is given, on the command line or in the environment.
func isSet(c *urfave.Context, name string) bool {
	f := find(c.Command, name)
	return f != nil && f.given
}
