package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"bcstage/arrowio"
	"bcstage/cli/internal/objectstore"
	"bcstage/gpu"
	"bcstage/preprocess/question"
)

// console writes everything except data, to stderr: text for people, or one JSON object a line.
type console struct {
	stream   io.Writer    // stderr
	out      io.Writer    // the same, without credentials
	log      *slog.Logger // nil: text
	quiet    bool         // errors and warnings only
	coloured bool
}

func newConsole(stderr io.Writer) *console {
	return &console{
		stream:   stderr,
		out:      stderr,
		coloured: isTerminal(stderr) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// isTerminal reports whether a stream of the process is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// note writes a fact that a user may like to know.
func (c *console) note(text string, attributes ...any) {
	switch {
	case c.quiet:
	case c.log != nil:
		c.log.Info(text, attributes...)
	default:
		fmt.Fprintln(c.out, "bcstage:", text)
	}
}

// warn writes a reason why the answer may differ from what the user expects. Quiet runs write it,
// too.
func (c *console) warn(text string) {
	if c.log != nil {
		c.log.Warn(text)
		return
	}
	fmt.Fprintln(c.out, "bcstage:", c.paint("33", "warning:"), text)
}

// tell writes the notes and warnings of a run.
func (c *console) tell(notes, warnings []string) {
	for _, text := range warnings {
		c.warn(text)
	}
	for _, text := range notes {
		c.note(text)
	}
}

// fail reports the error that ends the command, and what to do about it. goOn is advice if work has
// been saved; "" if it would not help.
func (c *console) fail(ctx context.Context, err error, code int, goOn string) {
	text, hint := describe(err), hintFor(err)
	var signal interrupted
	if code > exitSignal && errors.As(context.Cause(ctx), &signal) {
		text, hint = signal.Error(), ""
	}
	if goOn != "" && (code > exitSignal || code == exitFailure || code == exitStorage || code == exitMemory) {
		hint = goOn
	}
	if c.log != nil {
		attributes := []any{"code", code}
		if hint != "" {
			attributes = append(attributes, "hint", hint)
		}
		c.log.Error(text, attributes...)
		return
	}
	fmt.Fprintln(c.out, c.paint("31", "bcstage:"), text)
	if hint != "" {
		fmt.Fprintln(c.out, c.paint("36", "hint:"), hint)
	}
}

// paint sets a word in bold in one of the terminal's colours.
func (c *console) paint(colour, word string) string {
	if !c.coloured {
		return word
	}
	return "\x1b[1;" + colour + "m" + word + "\x1b[0m"
}

// hintFor returns the advice for an error, or "".
func hintFor(err error) string {
	var usage *usageError
	var own *advised
	var measure *question.UnknownMeasure
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case errors.As(err, &own):
		return own.hint
	case errors.As(err, &measure):
		if near := nearest(measure.Name, measure.Known); near != "" {
			return "did you mean " + near + "?"
		}
	case errors.Is(err, gpu.ErrNoDevice):
		return "bcstage devices lists devices; --engine auto falls back on the CPU"
	case errors.Is(err, objectstore.ErrNoCredentials):
		return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; see docs/objectstores.md"
	case errors.Is(err, objectstore.ErrUnreachable):
		return "try again; --io-timeout sets the longest silence of a server"
	case errors.Is(err, gpu.ErrNotBuilt):
		return "--engine auto and --engine cpu compute without it"
	}
	return flagsFor(arrowio.Advice(err))
}
