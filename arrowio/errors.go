package arrowio

import (
	"fmt"

	"bcstage/arrowio/internal/faults"
)

// rejected, corrupt and usage make errors of the three classes. Readers leave
// out the input's name: Read puts it in front.
func rejected(format string, args ...any) error { return faults.Rejected(format, args...) }

func corrupt(format string, args ...any) error { return faults.Corrupt(format, args...) }

func usage(format string, args ...any) error { return faults.Usage(format, args...) }

// advise puts advice behind an error: see Advice.
func advise(err error, format string, args ...any) error {
	return faults.Advise(err, format, args...)
}

// Advice is the end of an error's text that says what can be done about it, or
// "". Advice names options as Options.IgnoreWeight, and with a value as
// Options.Nulls "drop": callers whose users know them by other names can put
// those there.
func Advice(err error) string { return faults.Advice(err) }

// missing makes an error of usage that is fs.ErrNotExist.
func missing(format string, args ...any) error { return faults.Missing(format, args...) }

// lineError puts a line number in front of an error.
func lineError(line int64, err error) error { return fmt.Errorf("line %d: %w", line, err) }
