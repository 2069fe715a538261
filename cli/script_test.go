package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"bcstage/cli"
	"bcstage/internal/testleaks"
)

func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, map[string]func(){
		"bcstage":  func() { os.Exit(bcstage()) },
		"terminal": func() { os.Exit(terminal()) },
	})
}

// leakless runs the tests, and then wants no goroutine left of them.
type leakless struct{ *testing.M }

func (m leakless) Run() int {
	// Signals that nohup or a script's & had the tests ignore, the command would
	// ignore too, as it should. Those that are caught it does not inherit.
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	return testleaks.Run(m.M)
}

// signalEnv makes the command send itself a signal: "9@5" is SIGKILL before the
// fifth operation on a file, "2@end" SIGINT when Main has returned.
const signalEnv = "TEST_SIGNAL"

// notReached is the exit code of a command that has fewer operations than
// signalEnv asks for, and ends well.
const notReached = 99

// peakEnv names a file for the most memory that the command held, as Linux
// tells it of the command alone.
const peakEnv = "TEST_PEAK"

// bcstage is the command, as main runs it.
func bcstage() int {
	if name := os.Getenv(peakEnv); name != "" {
		defer func() {
			status, err := os.ReadFile("/proc/self/status")
			if err == nil {
				err = os.WriteFile(name, status, 0o600)
			}
			if err != nil {
				panic(err)
			}
		}()
	}
	var signal syscall.Signal
	var moment string
	fmt.Sscanf(os.Getenv(signalEnv), "%d@%s", &signal, &moment)
	at, _ := strconv.ParseInt(moment, 10, 64)
	self, _ := os.FindProcess(os.Getpid())
	var operations atomic.Int64
	code := cli.MainInjected(os.Args, os.Stdin, os.Stdout, os.Stderr, func(string) error {
		if operations.Add(1) == at {
			self.Signal(signal)
			if signal == syscall.SIGKILL {
				select {}
			}
		}
		return nil
	})
	switch {
	case moment == "end":
		self.Signal(signal)
		time.Sleep(100 * time.Millisecond) // time to die
	case code == 0 && operations.Load() < at:
		return notReached
	}
	return code
}

// The scripts run the command as a process, as a shell does. Each says which
// fault it keeps away.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(env *testscript.Env) error {
			fixtures, err := filepath.Abs("../arrowio/testdata") // tables by other writers
			env.Setenv("FIXTURES", fixtures)
			return err
		},
	})
}

// status N command args...: like exec, with the exit code to expect.
func status(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: status N command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}
