package main

import "fmt"

func Example() {
	main()
	fmt.Println("done")
	// Output:
	// n = 5, m = 5
	// 1	1
	// 2	0.5
	// 3	1
	// 4	3.5
	// 5	0
	// [1 2 3 4 5] [1 0.5 1 3.5 0]
	// done
}
