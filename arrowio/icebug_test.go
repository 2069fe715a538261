package arrowio

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
	"bcstage/internal/testgraphs"
)

// graphsFolder has the output of testdata/make_graphs.py: a graph written by the tools of other
// projects.
const graphsFolder = "testdata/graphs"

// icebugFiles are the files of an icebug-disk graph.
func icebugFiles(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(graphsFolder, "icebug", "*"))
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) != 7 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files
}

// readIcebug reads edges of an icebug-disk graph on a file system.
func readIcebug(t testing.TB, files map[string][]byte, edges string, opts tables.Options) ([][2]string, tables.Summary, error) {
	where := newFar(files).options("far://indices_" + edges + ".parquet")
	opts.Paths, opts.FileSystems = where.Paths, where.FileSystems
	return collect(func(out chan<- tables.Batch) (tables.Summary, error) { return Read(t.Context(), opts, out) })
}

func TestIcebugDisk(t *testing.T) {
	people := [][2]string{{"ann"}, {"bob"}, {"cy d"}, {"eve"}, {"zoe"}} // sorted, as the tool writes them
	knows := [][2]string{{"ann", "bob"}, {"ann", "zoe"}, {"bob", "cy d"}, {"zoe", "ann"}}
	lives := [][2]string{{"ann", "10"}, {"bob", "10"}, {"zoe", "30"}}
	files := icebugFiles(t)
	for _, test := range []struct {
		edges string
		opts  tables.Options
		rows  [][2]string
	}{
		{"knows", tables.Options{Directed: true}, slices.Concat(people, knows)},
		{"knows", tables.Options{Weight: "minutes"}, slices.Concat(people, knows)},
		{"knows", tables.Options{By: []string{"minutes"}}, knows},
		{"livesin", tables.Options{Bipartite: true}, lives},
	} {
		disk := test.opts
		disk.Paths = []string{filepath.Join(graphsFolder, "icebug", "indices_"+test.edges+".parquet")}
		for _, read := range []func() ([][2]string, tables.Summary, error){
			func() ([][2]string, tables.Summary, error) { return readIcebug(t, files, test.edges, test.opts) },
			func() ([][2]string, tables.Summary, error) {
				return collect(func(out chan<- tables.Batch) (tables.Summary, error) { return Read(t.Context(), disk, out) })
			},
		} {
			rows, summary, err := read()
			if err != nil || !slices.Equal(rows, test.rows) || summary.Rows != int64(len(rows)-len(people)) && len(test.opts.By) == 0 && !test.opts.Bipartite {
				t.Errorf("%s, %+v: %v\n%q, want\n%q", test.edges, test.opts, err, rows, test.rows)
			}
			if noted := strings.Contains(strings.Join(summary.Notes, "\n"), "have a direction"); noted == test.opts.Directed {
				t.Errorf("%s: notes %q", test.edges, summary.Notes)
			}
		}
	}
}

func TestIcebugDiskRefuses(t *testing.T) {
	for _, test := range []struct {
		what  string
		edges string
		spoil func(files map[string][]byte)
		opts  tables.Options
		is    error
		says  string
	}{
		{"two sets of vertices", "livesin", nil, tables.Options{}, tables.ErrUsage, `from "person" to "city"`},
		{"other ends", "knows", nil, tables.Options{Src: "minutes", Dst: "target"}, tables.ErrUsage, `"source" and "target"`},
		{"no schema", "knows", func(f map[string][]byte) { delete(f, "schema.cypher") }, tables.Options{}, tables.ErrInput, "no file schema.cypher beside it"},
		{"a schema of other edges", "knows", func(f map[string][]byte) { f["schema.cypher"] = []byte("CREATE REL TABLE known(FROM a TO b)") }, tables.Options{}, tables.ErrInput, `no table of edges "knows"`},
		{"no vertices", "knows", func(f map[string][]byte) { delete(f, "nodes_person.parquet") }, tables.Options{}, tables.ErrInput, "nodes_person.parquet: no such file beside the edges"},
		{"no offsets", "knows", func(f map[string][]byte) { delete(f, "indptr_knows.parquet") }, tables.Options{}, tables.ErrInput, "indptr_knows.parquet: no such file beside the edges"},
		{"offsets of other edges", "knows", func(f map[string][]byte) { f["indptr_knows.parquet"] = f["indptr_livesin.parquet"] }, tables.Options{}, tables.ErrCorrupt, "the last offset is 3, but there are 4 edges"},
		{"fewer vertices", "knows", func(f map[string][]byte) { f["nodes_person.parquet"] = f["nodes_city.parquet"] }, tables.Options{}, tables.ErrCorrupt, "6 rows for 3 vertices; want 4"},
		{"targets that are no vertices", "knows", func(f map[string][]byte) {
			f["schema.cypher"] = []byte("create rel table `Knows` (from `person` to city)")
		}, tables.Options{Bipartite: true}, tables.ErrCorrupt, "4 is not a row of nodes_city, which has 3 rows"},
	} {
		files := icebugFiles(t)
		if test.spoil != nil {
			test.spoil(files)
		}
		if _, _, err := readIcebug(t, files, test.edges, test.opts); !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %v saying %q", test.what, err, test.is, test.says)
		}
	}
	data := icebugFiles(t)["indptr_knows.parquet"]
	if _, _, err := edgesOf(data, tables.Options{}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "whose edges are in indices_NAME.parquet") {
		t.Errorf("a file that has no edges: %v", err)
	}
}

// Files that are read with the edges are not overwritten.
func TestIcebugDiskIsNotOverwritten(t *testing.T) {
	folder := filepath.Join(graphsFolder, "icebug")
	edges := tables.Options{Paths: []string{filepath.Join(folder, "indices_knows.parquet")}}
	for output, found := range map[string]bool{"schema.cypher": true, "indptr_knows.parquet": true, "nodes_city.parquet": true, "indptr_livesin.parquet": false, "scores.parquet": false} {
		if overlap, err := Overwrites(t.Context(), edges, filepath.Join(folder, output)); err != nil || (overlap != nil) != found {
			t.Errorf("%s: %+v, %v", output, overlap, err)
		}
	}
}

// Vertices and offsets are charged to the budget, and given back.
func TestMemoryOfIcebugDisk(t *testing.T) {
	limited := budget.New(1 << 30)
	if _, _, err := readIcebug(t, icebugFiles(t), "knows", tables.Options{Budget: limited}); err != nil || limited.Held() != 0 || limited.Peak() == 0 {
		t.Errorf("%v; %d bytes held, at most %d", err, limited.Held(), limited.Peak())
	}
	full := budget.New(1 << 20)
	if err := full.Hold(1 << 20); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readIcebug(t, icebugFiles(t), "knows", tables.Options{Budget: full}); !errors.Is(err, budget.ErrMemory) || full.Held() != 1<<20 {
		t.Errorf("with no memory left: %v; %d bytes held", err, full.Held())
	}
}

// surviveIcebug reads a damaged graph: an error has a class, and none of Go's words.
func surviveIcebug(t *testing.T, files map[string][]byte) error {
	_, _, err := readIcebug(t, files, "knows", tables.Options{Nulls: tables.NullsDrop, MaxExpansion: 100})
	if err != nil && (!errors.Is(err, tables.ErrCorrupt) && !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrUsage) || goWords.MatchString(err.Error())) {
		t.Errorf("%v", err)
	}
	return err
}

func TestDamagedIcebugDisk(t *testing.T) {
	const rounds = 4000 / testgraphs.OneIn
	whole := icebugFiles(t)
	random := rand.New(rand.NewPCG(34, 13))
	accepted := 0
	for name, data := range whole { // in any order
		if strings.Contains(name, "livesin") || strings.Contains(name, "city") {
			continue
		}
		for range rounds {
			files := maps.Clone(whole)
			files[name] = mutate(random, data)
			if surviveIcebug(t, files) == nil {
				accepted++
			}
		}
		for cut := range len(data) {
			files := maps.Clone(whole)
			files[name] = data[:cut]
			if surviveIcebug(t, files) == nil && name != "schema.cypher" {
				t.Errorf("%s: cut after %d of %d bytes, no error", name, cut, len(data))
			}
		}
	}
	t.Logf("%d of the mutated graphs are still one", accepted)
}

func FuzzIcebugDisk(f *testing.F) {
	whole := icebugFiles(f)
	f.Add(whole["schema.cypher"], whole["nodes_person.parquet"], whole["indptr_knows.parquet"], whole["indices_knows.parquet"])
	f.Add([]byte("create rel table knows(from person to person"), whole["nodes_city.parquet"], whole["indptr_livesin.parquet"], whole["indices_livesin.parquet"])
	f.Fuzz(func(t *testing.T, schema, nodes, offsets, edges []byte) {
		if len(schema)+len(nodes)+len(offsets)+len(edges) > 1<<20 {
			return
		}
		surviveIcebug(t, map[string][]byte{"schema.cypher": schema, "nodes_person.parquet": nodes, "indptr_knows.parquet": offsets, "indices_knows.parquet": edges})
	})
}

// GraphAr's tool writes edges by the numbers of their ends, in files without an ending.
func TestGraphAr(t *testing.T) {
	folder := filepath.Join(graphsFolder, "graphar")
	for _, test := range []struct {
		opts tables.Options
		rows [][2]string
	}{
		{tables.Options{Bipartite: true, Paths: []string{filepath.Join(folder, "edge/person_lives_city/ordered_by_source/adj_list")}}, [][2]string{{"0", "0"}, {"1", "1"}, {"2", "1"}}},
		{tables.Options{Vertices: filepath.Join(folder, "vertex/person/name_age"), Keep: []string{"name"}, Paths: []string{filepath.Join(folder, "edge/person_lives_city/ordered_by_source/adj_list/part0")}},
			[][2]string{{"0"}, {"1"}, {"2"}, {"3"}, {"4"}, {"0", "0"}, {"1", "1"}}},
	} {
		rows, summary, err := collect(func(out chan<- tables.Batch) (tables.Summary, error) { return Read(t.Context(), test.opts, out) })
		if err != nil || !slices.Equal(rows, test.rows) || len(summary.Kept) != len(test.opts.Keep) {
			t.Errorf("%v: %v\n%q, want\n%q", test.opts.Paths, err, rows, test.rows)
		}
	}
	_, _, err := collect(func(out chan<- tables.Batch) (tables.Summary, error) {
		return Read(t.Context(), tables.Options{Paths: []string{folder}}, out)
	})
	if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "GraphAr's description") {
		t.Errorf("the folder of a graph: %v", err)
	}
}
