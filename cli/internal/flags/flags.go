// Package flags is commands, their flags, and what a command line and the environment
// say of them. It keeps to what the command needs: package cli puts the arguments in
// order, and writes help, completions and manual page from these tables, so that
// starting takes a fraction of a millisecond; a run on a small graph takes
// some thirty.
package flags

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// App is a program of several commands.
type App struct {
	Name, Usage, Description string
	Commands                 []*Command
}

// Command finds a command by its name; nil: there is none.
func (a *App) Command(name string) *Command {
	for _, c := range a.Commands {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Command is one of them. Its flags hold the values of one call.
type Command struct {
	Name, Usage, ArgsUsage, Description, UsageText string
	Flags                                          []*Flag
	Action                                         func(*Context) error
}

// Flag is a flag of a command.
type Flag struct {
	Name     string
	Alias    string // of one letter; empty: none
	Category string // the heading that it stands under
	Usage    string // begins with the name of its value in backquotes, if it takes one
	Variable string // of the environment, that stands for it; empty: none
	Value    Value  // the default, until Parse

	given bool
}

// Value is what a flag is set to. An error of Set says what is wanted.
type Value interface {
	Set(text string) error
	String() string
}

// typed is a value of one of Go's types.
type typed[T any] struct {
	value T
	parse func(string) (T, error)
}

func (t *typed[T]) Set(text string) (err error) {
	value, err := t.parse(text)
	if err == nil {
		t.value = value
	}
	return err
}

func (t *typed[T]) String() string { return fmt.Sprint(t.value) }

// Text is any text.
func Text() Value {
	return &typed[string]{parse: func(text string) (string, error) { return text, nil }}
}

// Toggle is yes or no. It is the one kind of value that a command line need not give.
func Toggle() Value {
	return &typed[bool]{parse: func(text string) (bool, error) {
		value, err := strconv.ParseBool(text)
		if err != nil {
			return value, errors.New("want true or false")
		}
		return value, nil
	}}
}

// Int is a whole number, in decimal, or as Go writes other bases.
func Int(value int) Value {
	return &typed[int]{value, func(text string) (int, error) {
		value, err := strconv.ParseInt(text, 0, strconv.IntSize)
		return int(value), number(err)
	}}
}

// Uint64 is one that is not negative.
func Uint64(value uint64) Value {
	return &typed[uint64]{value, func(text string) (uint64, error) {
		value, err := strconv.ParseUint(text, 0, 64)
		return value, number(err)
	}}
}

// Float64 is a number.
func Float64(value float64) Value {
	return &typed[float64]{value, func(text string) (float64, error) {
		value, err := strconv.ParseFloat(text, 64)
		return value, number(err)
	}}
}

// Duration is a time, such as 90s.
func Duration(value time.Duration) Value {
	return &typed[time.Duration]{value, func(text string) (time.Duration, error) {
		value, err := time.ParseDuration(text)
		if err != nil {
			return value, errors.New("want a time such as 90s or 5m")
		}
		return value, nil
	}}
}

// number says what is wrong with one.
func number(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return errors.New("value out of range")
	}
	return errors.New("that is no number")
}

// IsToggle tells whether a flag is a Toggle.
func (f *Flag) IsToggle() bool {
	_, toggle := f.Value.(*typed[bool])
	return toggle
}

// Context is a call of a command. Its methods that are named for a type give the value of a
// flag of that type, and the type's zero value if the command has no such flag.
type Context struct {
	context.Context
	App     *App
	Command *Command
	args    []string
	flags   map[string]*Flag
}

// Parse makes a call of the command of given, which has elements --name=value with full
// names, and of the arguments. A flag that is not given is looked for in the environment,
// where an empty variable is as none. The error says which value is wrong.
func Parse(ctx context.Context, app *App, c *Command, given, args []string) (*Context, error) {
	call := &Context{Context: ctx, App: app, Command: c, args: args, flags: make(map[string]*Flag, len(c.Flags))}
	for _, f := range c.Flags {
		call.flags[f.Name] = f
		if text := os.Getenv(f.Variable); f.Variable != "" && text != "" {
			if err := f.Value.Set(text); err != nil {
				return nil, fmt.Errorf("invalid value %q of environment variable %q for flag --%s: %w", text, f.Variable, f.Name, err)
			}
			f.given = true
		}
	}
	for _, text := range given {
		name, value, _ := strings.Cut(strings.TrimPrefix(text, "--"), "=")
		if err := call.Set(name, value); err != nil {
			return nil, err
		}
	}
	return call, nil
}

// Set sets a flag.
func (c *Context) Set(name, value string) error {
	f := c.flags[name]
	if f == nil {
		return fmt.Errorf("no flag --%s", name)
	}
	if err := f.Value.Set(value); err != nil {
		return fmt.Errorf("invalid value %q for flag --%s: %w", value, name, err)
	}
	f.given = true
	return nil
}

// IsSet tells whether a flag has been given, on the command line or in the environment.
func (c *Context) IsSet(name string) bool {
	f := c.flags[name]
	return f != nil && f.given
}

// Value is the flag's; nil: the command has no such flag.
func (c *Context) Value(name string) Value {
	if f := c.flags[name]; f != nil {
		return f.Value
	}
	return nil
}

func of[T any](c *Context, name string) (value T) {
	if t, ok := c.Value(name).(*typed[T]); ok {
		value = t.value
	}
	return value
}

// String is the value of a flag made by Text.
func (c *Context) String(name string) string { return of[string](c, name) }

// Bool is the value of a flag made by Toggle.
func (c *Context) Bool(name string) bool { return of[bool](c, name) }

// Int is the value of a flag made by Int.
func (c *Context) Int(name string) int { return of[int](c, name) }

// Uint64 is the value of a flag made by Uint64.
func (c *Context) Uint64(name string) uint64 { return of[uint64](c, name) }

// Float64 is the value of a flag made by Float64.
func (c *Context) Float64(name string) float64 { return of[float64](c, name) }

// Duration is the value of a flag made by Duration.
func (c *Context) Duration(name string) time.Duration { return of[time.Duration](c, name) }

// NArg is the number of arguments.
func (c *Context) NArg() int { return len(c.args) }

// Args are the arguments.
func (c *Context) Args() []string { return slices.Clone(c.args) }

// Arg is an argument; empty: there are not so many.
func (c *Context) Arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}
