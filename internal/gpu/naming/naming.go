// Package naming is how the packages that launch kernels name their calls: a call is a
// struct that has the kernel's name and its parameters' as fields, as Go writes names.
package naming

import (
	"reflect"
	"strings"
	"unicode"
)

// Kernel is the name of the kernel that calls of a type are for: edge_step for edgeStep.
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
