//go:build opencl

package enqueue

import (
	"reflect"
	"testing"

	"github.com/jgillich/go-opencl/cl"
)

// go-opencl has the handles in these fields. Otherwise every launch would be slow, and
// only this test would show it.
func TestHandles(t *testing.T) {
	for field, of := range map[string]reflect.Type{"clQueue": reflect.TypeFor[cl.CommandQueue](), "clKernel": reflect.TypeFor[cl.Kernel]()} {
		if f, ok := of.FieldByName(field); !ok || f.Type.Kind() != reflect.Pointer {
			t.Errorf("%s has no pointer %s", of, field)
		}
	}
	var struc struct{ other int }
	if handle(&struc, "clQueue") != nil || handle(&struc, "other") != nil {
		t.Error("handles where there are none")
	}
}
