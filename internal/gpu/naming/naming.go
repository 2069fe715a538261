// Package naming maps names of Go to names in kernels, for the packages that launch
// kernels. A call is a struct named like its kernel, with the kernel's parameters as
// fields, spelt as in Go.
package naming

import (
	"reflect"
	"strings"
	"unicode"
)

// Kernel returns the name of the kernel that calls of a type are for: edge_step for
// edgeStep.
func Kernel(call reflect.Type) string { return Snake(call.Name()) }

// Snake turns a name of Go into one of the kernels: SourceMass into source_mass.
func Snake(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
