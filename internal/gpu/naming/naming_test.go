package naming_test

import (
	"fmt"
	"reflect"

	"bcstage/internal/gpu/naming"
)

func Example() {
	type edgeStep struct{ NextList uint32 }
	call := reflect.TypeFor[edgeStep]()
	fmt.Println(naming.Kernel(call), naming.Snake(call.Field(0).Name))
	// Output: edge_step next_list
}
