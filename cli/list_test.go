package cli

import (
	"slices"
	"testing"
)

func TestList(t *testing.T) {
	for text, want := range map[string][]string{
		"":                      nil,
		"a":                     {"a"},
		"a,b c":                 {"a", "b c"},
		`"a,b",c`:               {"a,b", "c"},
		`c,"a,""b"""`:           {"c", `a,"b"`},
		`5" disk,inch`:          {`5" disk`, "inch"},
		"\"two\nlines\",a":      {"two\nlines", "a"},
		"two\nlines,\"quoted\"": {"two\nlines", `"quoted"`},
	} {
		if got := list(text); !slices.Equal(got, want) {
			t.Errorf("list(%q) = %q, want %q", text, got, want)
		}
	}
}
