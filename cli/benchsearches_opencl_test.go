//go:build opencl || device

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"bcstage/gpu/opencl"
	"bcstage/internal/gpu/searches"
)

// A graph with too many shortest paths to count has its hops and lengths measured all the same.
func TestBenchSearchesManyPaths(t *testing.T) {
	if _, err := (opencl.Platform{}).Devices(); err != nil {
		if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	var stdout, stderr bytes.Buffer
	arguments := []string{"bcstage", "bench", "--device", "0", "--runs", "2", "--json", "--strategies", "queue,auto", "--problem", "bc,bfs", "diamonds:n=2500"}
	if code := Main(t.Context(), arguments, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	var rows []searchRow
	if err := json.Unmarshal(stdout.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row.Problem == searches.BC != strings.Contains(row.Failed, "more shortest paths") || row.Problem == searches.BFS && row.Millis.Median <= 0 {
			t.Errorf("%+v", row)
		}
	}
}

// Every strategy of every problem has a row, and its searches were right: a wrong one ends the
// command.
func TestBenchSearches(t *testing.T) {
	if _, err := (opencl.Platform{}).Devices(); err != nil {
		if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, p := range searches.Problems() {
		var stdout, stderr bytes.Buffer
		arguments := []string{"bcstage", "bench", "--device", "0", "--runs", "3", "--json", "--problem", string(p), "rmat:scale=9,edge-factor=8", "grid:rows=9,cols=20"}
		if code := Main(t.Context(), arguments, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr.String())
		}
		var rows []searchRow
		if err := json.Unmarshal(stdout.Bytes(), &rows); err != nil {
			t.Fatal(err)
		}
		if want := 2 * len(searches.Choices(p)); len(rows) != want {
			t.Errorf("%s: %d rows, not %d", p, len(rows), want)
		}
		for _, row := range rows {
			if row.Failed != "" || row.MTEPS.Median <= 0 || row.Millis.Median <= 0 || row.Bytes <= 0 || row.Invented != (p == searches.SSSP) {
				t.Errorf("%+v", row)
			}
		}
	}
}
