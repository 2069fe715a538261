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

// lineError puts a line number in front of an error.
func lineError(line int64, err error) error { return fmt.Errorf("line %d: %w", line, err) }
