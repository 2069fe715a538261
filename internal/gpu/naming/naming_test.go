package naming_test

import (
	"fmt"
	"reflect"

	"bcstage/internal/gpu/naming"
)

func Example() {
	type state struct{ Paths, Marks uint32 }
	type edgeStep struct {
		NextList uint32
		state
		At uint32
	}
	call := reflect.TypeFor[edgeStep]()
	fmt.Println(naming.Kernel(call))
	for _, field := range naming.Fields(call) {
		fmt.Println(naming.Snake(field.Name), field.Index)
	}
	// Output:
	// edge_step
	// next_list [0]
	// paths [1 0]
	// marks [1 1]
	// at [2]
}
