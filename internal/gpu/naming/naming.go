// Package naming maps names of Go to names in kernels, for the packages that launch
// kernels. A call is a struct named like its kernel, with the kernel's parameters as
// fields, spelt as in Go. A call of package searches may embed parameters that several kernels
// have in a row.
package naming

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Kernel returns the name of the kernel that calls of a type are for: edge_step for
// edgeStep.
func Kernel(call reflect.Type) string { return Snake(call.Name()) }

// Fields returns the kernel's parameters in their order: the fields of a call, with those of structs that it embeds.
func Fields(call reflect.Type) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(call), func(f reflect.StructField) bool { return f.Anonymous })
}

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
