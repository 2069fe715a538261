package preprocess

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// realGraph reads one of the published graphs, METIS rows if its name says
// .graph, else two ids per line. It skips the test if the graphs are not here.
func realGraph(t testing.TB, name string) *Graph {
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
	var edges []edge
	number := map[uint64]uint32{}
	vertex := func(text string) (uint32, bool) {
		id, err := strconv.ParseUint(text, 10, 64)
		if _, known := number[id]; !known && err == nil {
			number[id] = uint32(len(number))
		}
		return number[id], err == nil
	}
	metis, row := strings.Contains(name, ".graph"), -1
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text := lines.Text()
		if strings.HasPrefix(text, "%") || strings.HasPrefix(text, "#") {
			continue
		}
		fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
		if metis {
			if row++; row == 0 {
				n, _ := strconv.Atoi(fields[0])
				for id := range n {
					vertex(strconv.Itoa(id + 1))
				}
				continue
			}
			for _, field := range fields {
				u, _ := vertex(field)
				edges = append(edges, edge{uint32(row - 1), u})
			}
			continue
		}
		if strings.HasSuffix(name, ".gr.gz") && (len(fields) == 0 || fields[0] != "a") {
			continue
		} else if fields[0] == "a" {
			fields = fields[1:]
		}
		u, ok := vertex(fields[0])
		v, also := vertex(fields[1])
		if ok && also {
			edges = append(edges, edge{u, v})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return graphOf(len(number), edges)
}
