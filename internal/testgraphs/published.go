package testgraphs

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Published reads one of the published graphs that benchmarks use: METIS rows if the
// name says .graph, DIMACS arcs if it says .gr, else two ids per line. Vertices are
// numbered in first-seen order, those of METIS by their rows. It skips the test if
// the graphs are missing: BCSTAGE_GRAPHS is their folder.
func Published(t testing.TB, name string) (n int, edges []Edge) {
	t.Helper()
	file, err := os.Open(filepath.Join(folder(t), name))
	if err != nil {
		t.Skipf("set BCSTAGE_GRAPHS to the folder of benchmark graphs: %v", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	number := map[uint64]uint32{}
	vertex := func(id uint64) uint32 {
		if _, known := number[id]; !known {
			number[id] = uint32(len(number))
		}
		return number[id]
	}
	metis, row := strings.HasSuffix(name, ".graph.gz"), uint32(0)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		ids := numbers(lines.Text())
		switch {
		case strings.HasPrefix(lines.Text(), "%"):
		case metis && len(number) == 0: // its first line: the number of rows
			for id := range ids[0] {
				vertex(id + 1)
			}
		case metis:
			for _, u := range ids {
				edges = append(edges, Edge{row, vertex(u)})
			}
			row++
		case len(ids) >= 2:
			edges = append(edges, Edge{vertex(ids[0]), vertex(ids[1])})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return len(number), edges
}

// folder returns the folder of the published graphs: from the environment, or else
// shared/graphs beside the module.
func folder(t testing.TB) string {
	if named := os.Getenv("BCSTAGE_GRAPHS"); named != "" {
		return named
	}
	root, err := filepath.Abs(".")
	for ; err == nil && filepath.Dir(root) != root; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(root), "shared", "graphs")
		}
	}
	t.Skip("set BCSTAGE_GRAPHS to the folder of benchmark graphs: the test is run outside the module")
	return ""
}

// numbers returns those of a line of an edge list, a METIS row or a DIMACS arc; none
// of a comment.
func numbers(line string) []uint64 {
	var ids []uint64
	line, _ = strings.CutPrefix(line, "a ")
	for _, field := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		id, err := strconv.ParseUint(field, 10, 64)
		if err != nil {
			return nil
		}
		ids = append(ids, id)
	}
	return ids
}
