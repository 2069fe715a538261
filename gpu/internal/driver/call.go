package driver

import (
	"fmt"
	"reflect"

	"bcstage/internal/gpu/naming"
)

// Bind fills in the buffers that a call leaves out.
func Bind(call any, named func(string) Buffer) any {
	bound := reflect.New(reflect.TypeOf(call)).Elem()
	bound.Set(reflect.ValueOf(call))
	for i := range bound.NumField() {
		field := bound.Field(i)
		if field.Kind() != reflect.Interface || !field.IsNil() {
			continue
		}
		name := bound.Type().Field(i).Name
		b := named(name)
		if b == nil {
			panic(fmt.Sprintf("gpu: kernel %s: no buffer %s", naming.Kernel(bound.Type()), name))
		}
		field.Set(reflect.ValueOf(b))
	}
	return bound.Interface()
}
