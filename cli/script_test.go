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

// leakless runs the tests, and then checks that no goroutine remains.
type leakless struct{ *testing.M }

func (m leakless) Run() int {
	// nohup or a script's & may let the tests ignore signals, and the command would inherit that.
	// It does not inherit handlers.
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
	return testleaks.Run(m.M)
}

// signalEnv makes the command send itself a signal: "9@5" is SIGKILL before the fifth operation on
// a file, "2@end" SIGINT when Main has returned.
const signalEnv = "TEST_SIGNAL"

// notReached is the exit code of a successful command with fewer operations than signalEnv asks
// for.
const notReached = 99

// peakEnv names a file for the command's peak of memory, as Linux reports it.
const peakEnv = "TEST_PEAK"

// bcstage is the command as main runs it.
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

// The scripts run the command as a process, as a shell does. Each names the fault that it prevents.
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

// status N command args...: like exec, with the expected exit code.
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
