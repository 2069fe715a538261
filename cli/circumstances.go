package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/report"
	"bcstage/pipeline"
)

// circumstances are how a command was called, when, and where, for --stats. They
// stand there alone, so that equal runs write equal scores.
func (p *process) circumstances(c *urfave.Context) *report.Run {
	run := &report.Run{
		Options: map[string]string{},
		Began:   time.Now().UTC().Format(time.RFC3339),
		Version: pipeline.Version(),
		Machine: report.Machine{
			Processor: strings.TrimSpace(cpuid.CPU.BrandName),
			Cores:     runtime.NumCPU(),
			Memory:    machineMemory(),
			OS:        systemName(),
		},
	}
	words := []string{c.App.Name}
	for _, arg := range p.args {
		words = append(words, shellWord(redacted(arg)))
	}
	run.Command = strings.Join(words, " ")
	for _, path := range c.Args().Slice() {
		run.Inputs = append(run.Inputs, redacted(path))
	}
	if run.Inputs == nil {
		run.Inputs = []string{"-"}
	}
	for _, flag := range c.Command.Flags {
		if name := nameOf(flag); flag.IsSet() {
			run.Options[name] = redacted(optionText(c, name))
		}
	}
	return run
}

func optionText(c *urfave.Context, name string) string {
	if value, ok := c.Generic(name).(fmt.Stringer); ok { // a choice, which c.Value does not take
		return value.String()
	}
	return fmt.Sprint(c.Value(name))
}

// redacted is an argument without what a URL in it may hold of credentials: user
// and password, and every value behind its question mark, as signed URLs have
// them; and without the secrets of the environment.
func redacted(text string) string {
	for _, name := range []string{"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"} {
		if secret := os.Getenv(name); len(secret) >= 8 { // shorter ones are no secrets, and in many a word
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return text
	}
	place, query, asked := strings.Cut(rest, "?")
	host, path, below := strings.Cut(place, "/")
	if at := strings.LastIndex(host, "@"); at >= 0 {
		place = "***@" + host[at+1:]
		if below {
			place += "/" + path
		}
	}
	if asked {
		place += "?" + queryValue().ReplaceAllString(query, "$1***")
	}
	return scheme + "://" + place
}

var queryValue = pattern(`(^[^=&]*=|&[^=&]*=)[^&]*`)

// systemName is the operating system, as its makers call it where they say so.
func systemName() string {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	file, err := os.Open("/etc/os-release")
	if err != nil {
		return platform
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "PRETTY_NAME="); ok {
			if plain, err := strconv.Unquote(name); err == nil {
				name = plain
			}
			return cmp.Or(name, runtime.GOOS) + ", " + platform
		}
	}
	return platform
}
