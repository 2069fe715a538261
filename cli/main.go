// Package cli is the command bcstage: flags, behaviour at terminals and exit codes. It computes
// nothing itself; bcstage/main.go only calls Main.
//
// The rule of the streams: stdout carries one thing, the scores or else --stats -. Everything else
// goes to stderr. A command that fails writes nothing to stdout, except scores that have already
// gone down a pipe, and rows that bench has measured.
package cli

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/objectstore"
)

const defaultCommand = "run"

// grace is the time that a cancelled command has to clean up. Work stops within a tenth of it; only
// a read or write that blocks on another process takes longer.
const grace = 800 * time.Millisecond

// Main runs the command line args, whose first element is the program's name, and returns the exit
// code; the process should end then. Terminals are recognised when the streams are *os.File.
// SIGINT, SIGTERM and SIGHUP cancel the command; a second one kills the process. A signal after the
// end of the command changes nothing. Main keeps catching signals, so that none kills a process
// that is about to report success.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &process{stdin: stdin, stdout: open(stdout), console: newConsole(stderr)}
	return p.main(ctx, args)
}

func (p *process) main(ctx context.Context, args []string) int {
	p.secrets = secretsOf(args, os.Environ())
	p.console.out = p.secrets.writer(p.console.stream)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // a shell's background job and nohup ignore some
			signal.Notify(signals, s)
		}
	}
	done := make(chan error, 1)
	go func() { done <- p.start(ctx, args[1:]) }()

	err := p.await(ctx, cancel, signals, done)
	code := exitCode(ctx, err)
	if code != exitDone {
		p.console.fail(ctx, err, code, p.goOn())
	}
	return code
}

// await returns the outcome of a running command. A signal cancels it, and abandons it if it does
// not end then.
func (p *process) await(ctx context.Context, cancel context.CancelCauseFunc, signals chan os.Signal, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case s := <-signals:
		signal.Stop(signals)
		cancel(interrupted{s})
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return p.abandon(ctx, done)
	}
}

// process holds the resources of a command.
type process struct {
	args    []string // as given, without the program's name
	stdin   io.Reader
	stdout  io.Writer
	console *console
	objects *objectstore.Store // files whose names begin with s3://
	secrets secrets            // of the arguments and the environment

	copies map[string]string // objects of prepared graphs, by the path of their copy

	saving sync.Mutex             // held while a checkpoint is written
	saved  atomic.Pointer[string] // the checkpoint in place; nil: none
	files  unfinished

	patience time.Duration // for tests, in place of the waits; 0: the usual waits
}

// start finds the command and runs it.
func (p *process) start(ctx context.Context, args []string) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // see holdMemory
	if len(args) == 0 && isTerminal(p.stdin) {
		return &usageError{"nothing to read", shortHelp}
	}
	p.args = args
	app := p.bareApp()
	c, args, err := command(args, app.Commands)
	if err != nil {
		return err
	}
	c.Flags = flagsOf(table(), c.Name)
	flags, rest, err := inOrder(args, c)
	if err != nil {
		return err
	}
	if slices.Contains(flags, "--help=true") {
		_, err := io.WriteString(p.stdout, helpOf(p.app().Command(c.Name)))
		return err
	}
	if takesFiles(c) {
		if err := localArguments(rest); err != nil {
			return err
		}
	}
	call, err := parse(ctx, app, c, flags, rest)
	if err != nil {
		return err
	}
	if err := p.before(call); err != nil {
		return err
	}
	return p.named(c.Action(call))
}

// app describes the commands to urfave/cli.
func (p *process) app() *urfave.App {
	app, rows := p.bareApp(), table()
	for _, c := range app.Commands {
		c.Flags = flagsOf(rows, c.Name)
	}
	app.Command("run").Description += measureHelp()
	app.Command("generate").Description += generateHelp()
	return app
}

// bareApp leaves out the flags, and lists in the help: a command that runs needs its own flags alone.
func (p *process) bareApp() *urfave.App {
	return &urfave.App{
		Name:        "bcstage",
		Usage:       "exact betweenness centrality of an edge table",
		Description: formatsHelp,
		Commands: []*urfave.Command{
			p.runCommand(), p.distancesCommand(), p.whatIfCommand(), p.infoCommand(), p.reportCommand(), p.prepareCommand(), p.mergeCommand(), p.generateCommand(), p.benchCommand(), p.devicesCommand(),
			p.completionCommand(), p.manualCommand(), p.versionCommand(), p.helpCommand(),
		},
	}
}

// before prepares every command.
func (p *process) before(c *urfave.Context) error {
	p.configure(c)
	p.unknownVariables(c)
	if find(c.Command, "io-timeout") != nil && c.Duration("io-timeout") <= 0 {
		return usagef(c.Command, "--io-timeout %v: want more than 0", c.Duration("io-timeout"))
	}
	p.objects = objectstore.New(c.Context, c.Duration("io-timeout"))
	p.objects.AbortWait = cmp.Or(p.patience, p.objects.AbortWait)
	if err := localFlags(c); err != nil {
		return err
	}
	return p.apart(c)
}
