package preprocess

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"bcstage/internal/engine"
)

// docs/scale.md says how many edges an estimate of an R-MAT graph may have, by the memory that reducing it asks for.
// The graph has a vertex for 32 edges, as kron26 has. The core keeps 3 in 4 vertices. Integer ids take 8 bytes.
func TestWhatMachinesHold(t *testing.T) {
	text, err := os.ReadFile("../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	const edges = 32 * 1000
	n, core := int64(1000), int64(750)
	bytes := ReduceBytes(int(n), edges) + 8*n + (coreVertexBytes+coreBatchBytes/engine.MaxLanes)*core + spentEdgeBytes*edges
	row := fmt.Sprintf("| edges of an R-MAT graph, %.1f bytes each |", float64(bytes)/edges)
	for _, memory := range []float64{24, 128, 512} {
		row += fmt.Sprintf(" %.1f·10^9 |", memory*edges/float64(bytes))
	}
	if !strings.Contains(string(text), row+"\n") {
		t.Errorf("docs/scale.md lacks the row\n%s", row)
	}
}
