package preprocess

import (
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// realGraph reads one of the published graphs. It skips the test if they are not
// here.
func realGraph(t testing.TB, name string) *csr.Graph {
	t.Helper()
	return graphOf(testgraphs.Published(t, name))
}
