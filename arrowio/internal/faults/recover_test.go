package faults

import (
	"errors"
	"fmt"
	"testing"
)

// An error about a damaged file does not show how a decoder ended.
func TestPanicsArePlain(t *testing.T) {
	ours := Rejected("8 bytes are needed")
	var none []int
	for name, c := range map[string]struct {
		panics func()
		class  error
		want   string
	}{
		"runtime": {func() { _ = none[3] }, ErrCorrupt, "decoding: its bytes contradict each other"},
		"text":    {func() { panic("arrow/array: index out of range") }, ErrCorrupt, "decoding: its bytes contradict each other"},
		"error":   {func() { panic(errors.New("arrow/ipc: buffer index out of bound")) }, ErrCorrupt, "decoding: its bytes contradict each other"},
		"ours":    {func() { panic(fmt.Errorf("arrow: %w", ours)) }, ErrInput, "decoding: 8 bytes are needed"},
		"stop":    {func() { panic(Stop{ours}) }, ErrInput, "8 bytes are needed"},
	} {
		err := func() (err error) {
			defer Recover(&err)
			c.panics()
			return nil
		}()
		if err == nil || err.Error() != c.want || !errors.Is(err, c.class) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"arrow/ipc: unknown error while reading: arrow/array: index out of range": "record batch 2: its bytes contradict each other",
		"arrow/ipc: could not read message body: unexpected EOF":                  "record batch 2: arrow/ipc: could not read message body: unexpected EOF",
	} {
		if err := Corrupt("record batch %d: %w", 2, errors.New(text)); err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if err := Corrupt("%w", fmt.Errorf(recovered+"%w", ours)); err.Error() != ours.Error() || !errors.Is(err, ErrInput) {
		t.Errorf("%v, want what is ours", err)
	}
}
