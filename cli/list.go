package cli

import (
	"encoding/csv"
	"io"
	"strings"
)

// list splits the value of a flag at its commas; nil: none. A value that contains a comma stands in
// double quotes, as in CSV.
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
		return strings.Split(text, ",") // several lines, or a wrong quote
	}
	return values
}
