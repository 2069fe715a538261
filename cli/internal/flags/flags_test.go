package flags

import (
	"context"
	"strings"
	"testing"
	"time"
)

func command() *Command {
	return &Command{Name: "run", Flags: []*Flag{
		{Name: "output", Alias: "o", Variable: "FLAGS_OUTPUT", Value: Text()},
		{Name: "quiet", Variable: "FLAGS_QUIET", Value: Toggle()},
		{Name: "top", Variable: "FLAGS_TOP", Value: Int(3)},
		{Name: "seed", Value: Uint64(1)},
		{Name: "eps", Value: Float64(.5)},
		{Name: "within", Value: Duration(time.Minute)},
	}}
}

func TestParse(t *testing.T) {
	t.Setenv("FLAGS_TOP", "0x10")
	t.Setenv("FLAGS_OUTPUT", "from.csv")
	t.Setenv("FLAGS_QUIET", "")
	c, err := Parse(context.Background(), nil, command(), []string{"--output=a=b.csv", "--eps=.25", "--seed=18446744073709551615"}, []string{"in.csv"})
	if err != nil {
		t.Fatal(err)
	}
	if c.String("output") != "a=b.csv" || c.Int("top") != 16 || c.Bool("quiet") || c.Uint64("seed") != 1<<64-1 || c.Float64("eps") != .25 || c.Duration("within") != time.Minute {
		t.Error(c.String("output"), c.Int("top"), c.Bool("quiet"), c.Uint64("seed"), c.Float64("eps"), c.Duration("within"))
	}
	for name, want := range map[string]bool{"output": true, "quiet": false, "top": true, "seed": true, "within": false, "none": false} {
		if c.IsSet(name) != want {
			t.Errorf("%s is set: %v", name, !want)
		}
	}
	if c.NArg() != 1 || c.Arg(0) != "in.csv" || c.Arg(1) != "" || c.Value("none") != nil || c.Int("none") != 0 || c.Int("output") != 0 {
		t.Error(c.Args(), c.Value("none"), c.Int("none"), c.Int("output"))
	}
}

func TestRefused(t *testing.T) {
	for given, want := range map[string]string{
		"--top=many":                 `invalid value "many" for flag --top: that is no number`,
		"--top=99999999999999999999": `invalid value "99999999999999999999" for flag --top: value out of range`,
		"--seed=-1":                  `invalid value "-1" for flag --seed: that is no number`,
		"--eps=1,5":                  `invalid value "1,5" for flag --eps: that is no number`,
		"--within=5":                 `invalid value "5" for flag --within: want a time such as 90s or 5m`,
		"--quiet=perhaps":            `invalid value "perhaps" for flag --quiet: want true or false`,
		"--none=1":                   "no flag --none",
	} {
		if _, err := Parse(context.Background(), nil, command(), []string{given}, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
	t.Setenv("FLAGS_TOP", "many")
	if _, err := Parse(context.Background(), nil, command(), nil, nil); err == nil || !strings.Contains(err.Error(), `environment variable "FLAGS_TOP"`) {
		t.Error(err)
	}
}
