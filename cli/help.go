package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// overview is bcstage --help: one screen.
const overview = `bcstage computes %s: per vertex, the
number of shortest paths between other vertices that run through it.

  bcstage [run] [FILES...] [flags]
  bcstage edges.parquet -o scores.parquet
  zcat wiki-Vote.txt.gz | bcstage --format csv > scores.csv
  bcstage --src follower --dst followed --top 10 'follows/*.csv'

%s

Commands:
%s
Flags most used:
  -o, --output FILE         .arrow, .parquet, .csv or .jsonl; default stdout
      --format FORMAT       %s
      --src, --dst COLUMN   the ends of an edge, if not src,dst or the like

bcstage COMMAND --help lists all flags, each also a variable, BCSTAGE_<FLAG>.
Exit codes: 0 done, 1 failure, 2 usage, 3 bad input, 4 no device, 5 no input,
6 storage not answering, 7 no memory, 129, 130, 143 a signal, 141 a closed pipe.
`

const formatsHelp = `Reads Arrow, Parquet, CSV, edge lists, MatrixMarket, METIS and DIMACS, plain or
compressed, from FILES, s3:// or stdin. Ids come out as they came in.`

const shortHelp = `bcstage edges.csv, or ... | bcstage; see bcstage --help`

func (p *process) helpCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "help",
		Usage:       "show help, also of one command",
		ArgsUsage:   "[COMMAND]",
		Description: "Shows what bcstage does, or all flags of a command.",
		UsageText:   "bcstage help run",
		Action: func(c *urfave.Context) error {
			if c.NArg() == 0 {
				return p.overview(c.App)
			}
			topic := p.app().Command(c.Args().First())
			if topic == nil || c.NArg() > 1 {
				return usagef(c.Command, "no command %q", strings.Join(c.Args().Slice(), " "))
			}
			_, err := io.WriteString(p.stdout, helpOf(topic))
			return err
		},
	}
}

func (p *process) overview(app *urfave.App) error {
	var commands strings.Builder
	for _, c := range app.Commands {
		if c.Name != defaultCommand && c.Name != "help" {
			fmt.Fprintf(&commands, "  %-25s %s\n", c.Name+" "+c.ArgsUsage, c.Usage)
		}
	}
	_, err := fmt.Fprintf(p.stdout, overview, app.Usage, app.Description, commands.String(), strings.Join(outputFormats(), ", "))
	return err
}

// helpOf returns the help of one command, from its flag table.
func helpOf(c *urfave.Command) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Usage:\n  %s\n\n%s\n", synopsis(c), c.Description)
	for group, rows := range rowsByGroup(c) {
		fmt.Fprintf(&text, "\n%s:\n", group)
		for _, f := range rows {
			text.WriteString(flagHelp(f))
		}
	}
	fmt.Fprintf(&text, "\nExamples:\n  %s\n", strings.ReplaceAll(c.UsageText, "\n", "\n  "))
	return text.String()
}

// synopsis returns a command as typed.
func synopsis(c *urfave.Command) string {
	name := c.Name
	if name == defaultCommand {
		name = "[" + name + "]"
	}
	return strings.Join(strings.Fields("bcstage "+name+" "+c.ArgsUsage+" [flags]"), " ")
}

// flagHelp returns the lines about a flag.
func flagHelp(f *flag) string {
	left := strings.TrimSpace(strings.Join(f.dashed(), ", ") + " " + f.value)
	if f.short == "" {
		left = "    " + left
	}
	const indent = 27
	line := fmt.Sprintf("  %-*s ", indent-3, left)
	if len(left) > indent-3 {
		line = "  " + left + "\n" + strings.Repeat(" ", indent)
	}
	return line + strings.ReplaceAll(wrap(f.explained(), 80-indent), "\n", "\n"+strings.Repeat(" ", indent)) + "\n"
}

// dashed returns a flag's names as typed, the short one first.
func (f *flag) dashed() []string {
	if f.short != "" {
		return []string{"-" + f.short, "--" + f.name}
	}
	return []string{"--" + f.name}
}

// explained describes a flag, with all its values.
func (f *flag) explained() string {
	if len(f.of) == 0 {
		return f.usage
	}
	values := slices.Clone(f.of)
	if f.normal == values[0] {
		values[0] += " (default)"
	}
	return f.usage + ": " + strings.Join(values, ", ")
}

// wrap breaks text at blanks into lines of at most width characters.
func wrap(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
