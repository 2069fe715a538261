package pipeline

import "testing"

func TestSpellingOfVersions(t *testing.T) {
	for version, want := range map[string]string{
		"v0.1.0":                                   "0.1.0",
		"v0.1.0+dirty":                             "0.1.0+dirty",
		"v0.0.0-20261123214452-89c9ec7abcde":       "0.0.0.dev20261123214452+89c9ec7abcde",
		"v0.1.1-0.20261123214452-89c9ec7abcde":     "0.1.1.dev20261123214452+89c9ec7abcde",
		"v0.0.0-20261123214452-89c9ec7abcde+dirty": "0.0.0.dev20261123214452+89c9ec7abcde.dirty",
		"v0.1.0-rc1":                               "0.1.0rc1",
		"v0.1.0-rc1.0.20261123214452-89c9ec7abcde": "0.1.0rc1.dev20261123214452+89c9ec7abcde",
		"(devel)": "0.0.0.dev0",
		"":        "0.0.0.dev0",
	} {
		if got := spelled(version); got != want {
			t.Errorf("spelled(%q) = %q, want %q", version, got, want)
		}
	}
}
