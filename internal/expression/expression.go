// Package expression compiles regular expressions when they are first used: few calls use
// any.
package expression

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles the expression at its first call.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
