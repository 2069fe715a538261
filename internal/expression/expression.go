// Package expression compiles regular expressions when they are first asked for: few calls
// ask for any.
package expression

import (
	"regexp"
	"sync"
)

// Lazy gives the expression, which it compiles the first time.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
