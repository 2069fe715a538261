package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/generate"
	"bcstage/cli/internal/objectstore"
	"bcstage/gpu"
	"bcstage/internal/gpu/searches"
	"bcstage/pipeline"
	"bcstage/preprocess"
)

// Exit codes; exitCodes says what they mean.
const (
	exitDone     = 0
	exitFailure  = 1
	exitUsage    = 2
	exitInput    = 3
	exitNoDevice = 4
	exitMissing  = 5
	exitStorage  = 6
	exitMemory   = 7
	exitSignal   = 128
)

func exitCodes() [][2]string {
	return [][2]string{
		{"0", "done"},
		{"1", "failure"},
		{"2", "the command line or the environment is wrong"},
		{"3", "the input is rejected, or cut short"},
		{"4", "a required device is missing"},
		{"5", "an input is missing"},
		{"6", "an object store is unreachable or silent: worth a retry"},
		{"7", "the graph needs more memory than allowed; refused before it is taken"},
		{"129, 130, 143", "hung up, interrupted, terminated: nothing is half written"},
		{"141", "the reader of a pipe closed it"},
	}
}

// usageError is a wrong command line, with a line of advice.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

func usagef(c *urfave.Command, format string, args ...any) *usageError {
	return &usageError{fmt.Sprintf(format, args...), fmt.Sprintf("see bcstage %s --help", c.Name)}
}

// advised is an error with its own line of advice in place of hintFor's; "": none.
type advised struct {
	error
	hint string
}

func (e *advised) Unwrap() error { return e.error }

// outputError is an error of writing: a missing folder of an output is not a missing input.
type outputError struct{ error }

func (e *outputError) Unwrap() error { return e.error }

// interrupted is the cause of a context that a signal ended.
type interrupted struct{ signal os.Signal }

func (e interrupted) Error() string {
	if e.signal == os.Interrupt {
		return "interrupted"
	}
	return e.signal.String()
}

// exitCode classifies the error of a command.
func exitCode(ctx context.Context, err error) int {
	var usage *usageError
	var signal interrupted
	var output *outputError
	switch {
	case err == nil:
		return exitDone
	case errors.As(context.Cause(ctx), &signal):
		return exitSignal + int(signal.signal.(syscall.Signal))
	case errors.Is(err, objectstore.ErrUnreachable): // even if it looks like a file that ends early
		return exitStorage
	case errors.Is(err, fs.ErrNotExist) && !errors.As(err, &output):
		return exitMissing
	case errors.As(err, &usage), errors.Is(err, pipeline.ErrOptions), errors.Is(err, tables.ErrUsage), errors.Is(err, gpu.ErrOptions), errors.Is(err, generate.ErrParameter),
		errors.Is(err, objectstore.ErrName), errors.Is(err, objectstore.ErrEndpoint):
		return exitUsage
	case errors.Is(err, tables.ErrInput), errors.Is(err, tables.ErrCorrupt), errors.Is(err, pipeline.ErrTooLarge), errors.Is(err, preprocess.ErrPrepared), errors.Is(err, pipeline.ErrPartial),
		errors.Is(err, searches.ErrProblem), errors.Is(err, searches.ErrRange):
		return exitInput
	case errors.Is(err, gpu.ErrNoDevice), errors.Is(err, gpu.ErrNotBuilt):
		return exitNoDevice
	case errors.Is(err, pipeline.ErrMemory):
		return exitMemory
	}
	return exitFailure
}

// describe formats an error as one line for people: without the names of packages and system calls
// on its way, and without the advice of hintFor.
func describe(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	if advice := arrowio.Advice(err); advice != "" {
		text = strings.Replace(text, "; "+advice, "", 1)
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		text = strings.Replace(text, failed.Op+" "+failed.Path+": ", failed.Path+": ", 1)
		text = strings.Replace(text, failed.Path+": "+failed.Path+": ", failed.Path+": ", 1)
	}
	for again := true; again; {
		again = false
		for _, name := range []string{"pipeline", "arrowio", "preprocess", "cpu", "gpu", "searches", "generate"} {
			if rest, ok := strings.CutPrefix(text, name+": "); ok {
				text, again = rest, true
			}
		}
	}
	return flagsFor(text)
}
