package arrowio

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// graphs is the folder of the benchmark graphs.
func graphs(t testing.TB) string {
	folder := os.Getenv("BCSTAGE_GRAPHS")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "graphs")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("benchmark graphs are not here (set BCSTAGE_GRAPHS to their folder): %v", err)
	}
	return folder
}

// TestGraphs loads every benchmark graph as it is published; the counts are
// those of the publishers (vertices with an id, lines or entries of edges).
func TestGraphs(t *testing.T) {
	folder := graphs(t)
	for _, g := range []struct {
		file            string
		vertices, edges int
		strings         bool
	}{
		{"facebook_combined.txt.gz", 4039, 88234, false},
		{"wiki-Vote.txt.gz", 7115, 103689, false},
		{"p2p-Gnutella31.txt.gz", 62586, 147892, false},
		{"soc-Epinions1.txt.gz", 75879, 508837, false},
		{"soc-Slashdot0902.txt.gz", 82168, 948464, false},
		{"loc-brightkite_edges_once.txt.gz", 58228, 214078, false},
		{"ca-GrQc.txt.gz", 5242, 28980, false},
		{"ca-CondMat.txt.gz", 23133, 186936, false},
		{"web-NotreDame.txt.gz", 325729, 1497134, false},
		{"musae_facebook_edges.csv.gz", 22470, 171002, false},
		{"musae_git_edges.csv.gz", 37700, 289003, false},
		{"deezer_HU_edges.csv.gz", 47538, 222887, false},
		{"wikispeedia_links.tsv.gz", 4592, 119882, true},
		{"ego-Twitter_und_once.csv.gz", 81306, 1342310, false},
		{"Douban.graph.gz", 154908, 654324, false},
		{"luxembourg.osm.graph.gz", 114599, 239332, false},
		{"rome99.gr.gz", 3353, 8870, false},
		{"power.graph.gz", 4941, 13188, false},
		{"delaunay_n16.graph.gz", 65536, 393150, false},
		{"t60k.graph.gz", 60005, 178880, false},
	} {
		t.Run(g.file, func(t *testing.T) {
			edges := make(chan tables.Batch, 2)
			counted := make(chan int)
			go func() {
				integers := make(map[uint64]struct{})
				strings := make(map[string]struct{})
				for b := range edges {
					for _, keys := range []tables.Keys{b.Src, b.Dst, b.Vertices} {
						for _, id := range keys.Ints {
							integers[id] = struct{}{}
						}
						for i := range max(len(keys.Offsets)-1, 0) {
							strings[string(keys.Bytes[keys.Offsets[i]:keys.Offsets[i+1]])] = struct{}{}
						}
					}
					b.Release()
				}
				counted <- len(integers) + len(strings)
			}()
			summary, err := Read(context.Background(), tables.Options{Paths: []string{filepath.Join(folder, g.file)}, IgnoreWeight: g.file == "rome99.gr.gz"}, edges)
			vertices := <-counted
			if err != nil {
				t.Fatal(err)
			}
			if vertices != g.vertices || summary.Rows != int64(g.edges) {
				t.Errorf("%d vertices, %d edges; want %d, %d", vertices, summary.Rows, g.vertices, g.edges)
			}
			want := "int64"
			if g.strings {
				want = "utf8"
			}
			if got := idtypes.Arrow(summary.IDs).Name(); got != want {
				t.Errorf("ids are %s, want %s", got, want)
			}
			t.Log(summary.Notes)
		})
	}
}
