package cli

import (
	"encoding/csv"
	"io"
	"strings"
)

// list is the values of a flag that takes several, with commas between them. One that
// has a comma itself stands in double quotes, as in CSV; nil: none.
func list(text string) []string {
	switch {
	case text == "":
		return nil
	case !strings.Contains(text, `"`):
		return strings.Split(text, ",")
	}
	r := csv.NewReader(strings.NewReader(text))
	r.LazyQuotes = true // a quote inside a name is a quote
	values, err := r.Read()
	if _, end := r.Read(); err != nil || end != io.EOF {
		return strings.Split(text, ",") // lines outside of quotes
	}
	return values
}
