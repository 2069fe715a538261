package cli

import (
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// unknownVariables warns of variables that look like those of flags but are not: a run with
// BCSTAGE_DIRECTD=1 answers another question than intended. It is not a failure, since one
// environment may serve several versions of the command.
func (p *process) unknownVariables(c *urfave.Context) {
	var known []string // computed when it is needed
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, variablePrefix) || value == "" || othersVariable(name) {
			continue
		}
		if known == nil {
			known = variables(p.app().Commands)
		}
		if slices.Contains(known, name) {
			continue
		}
		text := "the environment variable " + name + " is not one of bcstage's and is ignored"
		if near := nearest(strings.TrimPrefix(name, variablePrefix), unprefixed(known)); near != "" {
			text += "; did you mean " + variablePrefix + near + "?"
		}
		p.console.warn(text)
	}
}

// variables returns the variables of all flags of all commands.
func variables(commands []*urfave.Command) (names []string) {
	for _, command := range commands {
		for _, f := range rowsOf(command) {
			names = append(names, f.variable())
		}
	}
	return names
}

func unprefixed(names []string) []string {
	list := slices.Clone(names)
	for i, name := range list {
		list[i] = strings.TrimPrefix(name, variablePrefix)
	}
	return list
}

// othersVariable reports whether a variable belongs to the Python package, to the tests, or to
// Kubernetes, which sets variables of such names for its services.
func othersVariable(name string) bool {
	rest := strings.TrimPrefix(name, variablePrefix)
	return slices.Contains([]string{"EXECUTABLE", "PYTHON", "CLIENTS", "S3_GATEWAY", "SCREENSHOT", "EDGES", "GRAPHS"}, rest) || strings.HasPrefix(rest, "REQUIRE_") ||
		strings.HasPrefix(rest, "SERVICE_") || rest == "PORT" || strings.HasPrefix(rest, "PORT_")
}
