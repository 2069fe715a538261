package faults

import (
	"fmt"
	"strconv"
	"strings"
)

// Quote quotes a value for an error, cut to a readable length.
func Quote(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}

// Names lists names for an error, the first twenty of them.
func Names(names []string) string {
	const most = 20
	var list strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&list, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			list.WriteString(", ")
		}
		fmt.Fprintf(&list, "%q", name)
	}
	return "[" + list.String() + "]"
}
