package cli

import (
	"bufio"
	"cmp"
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

// circumstances returns how, when and where a command was called, for --stats. No other output has
// them, so that equal runs write equal scores.
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
		words = append(words, shellWord(p.secrets.mask(arg)))
	}
	run.Command = strings.Join(words, " ")
	for _, path := range c.Args().Slice() {
		run.Inputs = append(run.Inputs, p.secrets.mask(path))
	}
	if run.Inputs == nil {
		run.Inputs = []string{"-"}
	}
	for _, f := range rowsOf(c.Command) {
		if f.given {
			run.Options[f.name] = p.secrets.mask(c.String(f.name))
		}
	}
	return run
}

// systemName is the operating system's own name, or Go's.
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
