// Package naming maps names of Go to names in kernels, for the packages that launch
// kernels. A call is a struct named like its kernel, with the kernel's parameters as
// fields, spelt as in Go. A call of package searches may embed parameters that several kernels
// have in a row.
package naming

import (
	"reflect"
	"strings"
	"unicode"
)

// Kernel returns the name of the kernel that calls of a type are for: edge_step for
// edgeStep.
func Kernel(call reflect.Type) string { return Snake(call.Name()) }

// Fields returns the kernel's parameters in their order: the fields of a call, with those of structs that it embeds.
func Fields(call reflect.Type) (fields []reflect.StructField) {
	for i := range call.NumField() {
		if field := call.Field(i); !field.Anonymous {
			fields = append(fields, field)
			continue
		}
		for _, inner := range Fields(call.Field(i).Type) {
			inner.Index = append([]int{i}, inner.Index...)
			fields = append(fields, inner)
		}
	}
	return fields
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
