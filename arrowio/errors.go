package arrowio

import "fmt"

// classed is an error of one of the classes ErrInput, ErrCorrupt, ErrUsage:
// errors.Is finds the class, the text does not repeat it.
type classed struct{ class, err error }

func (e *classed) Error() string   { return e.err.Error() }
func (e *classed) Unwrap() []error { return []error{e.class, e.err} }

// rejected, corrupt and usage make errors of the three classes. Readers leave
// out the input's name: Read puts it in front.
func rejected(format string, args ...any) error {
	return &classed{ErrInput, fmt.Errorf(format, args...)}
}

func corrupt(format string, args ...any) error {
	return &classed{ErrCorrupt, fmt.Errorf(format, args...)}
}

func usage(format string, args ...any) error {
	return &classed{ErrUsage, fmt.Errorf(format, args...)}
}

// lineError puts a line number in front of an error.
func lineError(line int64, err error) error { return fmt.Errorf("line %d: %w", line, err) }
