package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	urfave "github.com/urfave/cli/v2"

	"bcstage/gpu/opencl"
	"bcstage/pipeline"
)

func (p *process) versionCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "version",
		Usage:       "show version, commit and engines built in",
		Description: "Shows the version, the commit and the engines of this binary.",
		UsageText:   "bcstage version",
		Action: func(c *urfave.Context) error {
			if c.NArg() > 0 {
				return usagef(c.Command, "unexpected argument %q", c.Args().First())
			}
			_, err := fmt.Fprintf(p.stdout, "bcstage %s\ncommit  %s\ngo      %s %s/%s\nengines %s\n",
				pipeline.Version(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engines())
			return err
		},
	}
}

// commit returns the commit that the build recorded: its hash, date, and whether files had changed.
func commit() string {
	settings := buildSettings()
	hash := settings["vcs.revision"]
	if hash == "" {
		return "unknown"
	}
	if settings["vcs.modified"] == "true" {
		hash += " with changes"
	}
	return hash + " of " + settings["vcs.time"]
}

// engines lists the engines of this binary.
func engines() string {
	if opencl.BuiltIn {
		return "cpu, opencl"
	}
	return "cpu"
}

func buildSettings() map[string]string {
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	return settings
}
