package cpu

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bcstage/preprocess"
)

// realPlan reads one of the published graphs and reduces it. It skips if the
// graphs are not there.
func realPlan(t testing.TB, name string, opts preprocess.Options) *preprocess.Plan {
	t.Helper()
	path := filepath.Join(cmp.Or(os.Getenv("BCSTAGE_GRAPHS"), filepath.Join("..", "..", "shared", "graphs")), name)
	file, err := os.Open(path)
	if err != nil {
		t.Skipf("set BCSTAGE_GRAPHS to the folder of benchmark graphs: %v", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var src, dst []uint64
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for row := -1; lines.Scan(); {
		ids := numbers(lines.Text())
		switch {
		case strings.HasSuffix(name, ".graph.gz"): // METIS: row i lists the neighbours of i
			if strings.HasPrefix(lines.Text(), "%") {
				continue
			}
			if row++; row > 0 {
				for _, u := range ids {
					src, dst = append(src, uint64(row)), append(dst, u)
				}
			}
		case len(ids) >= 2:
			src, dst = append(src, ids[0]), append(dst, ids[1])
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return reduced(t, src, dst, opts)
}

func reduced(t testing.TB, src, dst []uint64, opts preprocess.Options) *preprocess.Plan {
	t.Helper()
	builder := preprocess.NewBuilder(0)
	if err := builder.AddEdges(preprocess.Keys{Ints: src}, preprocess.Keys{Ints: dst}); err != nil {
		t.Fatal(err)
	}
	input, err := builder.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := preprocess.Reduce(t.Context(), &input.Graph, opts)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// numbers of a line of an edge list, a METIS row or a DIMACS arc; none of a comment.
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
