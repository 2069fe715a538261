package cli

import (
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/pipeline"
)

func (p *process) manualCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "manual",
		Usage:       "make the manual page, all commands in one",
		Description: "Writes bcstage(1) in man(7) format.",
		UsageText: `bcstage manual | man -l -
bcstage manual > /usr/local/share/man/man1/bcstage.1`,
		Action: func(c *urfave.Context) error {
			if c.NArg() > 0 {
				return usagef(c.Command, "unexpected argument %q", c.Args().First())
			}
			_, err := io.WriteString(p.stdout, manual(p.app()))
			return err
		},
	}
}

// roff escapes characters that troff would interpret.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return strings.ReplaceAll(text, "\n.", "\n\\&.")
}

// manual is the page, from the same tables as help and completion.
func manual(app *urfave.App) string {
	var text strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	as := func(macro, body string) { line("%s %s", macro, roff(body)) }
	verbatim := func(body string) { line(".nf\n%s\n.fi", roff(body)) }

	line(`.TH BCSTAGE 1 "" "bcstage %s" "User Commands"`, roff(pipeline.Version()))
	line(".SH NAME\nbcstage \\- %s", roff(app.Usage))
	line(".SH SYNOPSIS")
	for _, c := range app.Commands {
		line(".br")
		as(".B", synopsis(c))
	}
	line(".SH DESCRIPTION")
	verbatim(app.Description)
	line(".SH COMMANDS")
	for _, c := range app.Commands {
		as(".SS", synopsis(c))
		verbatim(c.Description)
		for _, f := range rowsOf(c) {
			line(".TP\n\\fB%s\\fR \\fI%s\\fR\n%s", roff(strings.Join(f.dashed(), ", ")), roff(f.value), roff(f.explained()))
		}
		line(".P\n.B Examples\n.P")
		verbatim(c.UsageText)
	}
	line(".SH ENVIRONMENT\n%s", roff(environmentHelp))
	line(".SH EXIT STATUS")
	for _, status := range exitCodes() {
		line(".TP\n%s\n%s", roff(status[0]), roff(status[1]))
	}
	return text.String()
}

const environmentHelp = `Every flag is an environment variable too: --log-format is BCSTAGE_LOG_FORMAT,
and flags with another meaning in generate, report or bench have the command in
it, as BCSTAGE_GENERATE_N. The command line wins. NO_COLOR, if not empty, switches colours off.`
