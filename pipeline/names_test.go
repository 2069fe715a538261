package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
	"bcstage/preprocess"
)

// manyGraphs returns rows "month,tenant,src,dst" of graphs with equal ids, in random order.
func manyGraphs(seed uint64) (rows [][4]string) {
	random := rand.New(rand.NewPCG(seed, 1))
	for g := range 1 + random.IntN(12) {
		n := 2 + random.IntN(25)
		for range random.IntN(3 * n) {
			rows = append(rows, [4]string{fmt.Sprintf("2026-%02d", 1+g/3), fmt.Sprint(g % 3), fmt.Sprint(random.IntN(n)), fmt.Sprint(random.IntN(n))})
		}
	}
	random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

func writeRows(t *testing.T, header string, rows [][4]string) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintln(&text, header)
	for _, row := range rows {
		fmt.Fprintln(&text, strings.Join(row[:], ","))
	}
	path := filepath.Join(t.TempDir(), "edges.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func filesOf(path string, by ...string) pipeline.Options {
	return pipeline.Options{Input: pipeline.Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}, Src: "src", Dst: "dst", By: by}}}
}

// run returns the table of the sink.
func run(t *testing.T, opts pipeline.Options) (table tables.Table, stats *pipeline.Stats) {
	t.Helper()
	stats, err := pipeline.Run(t.Context(), opts, func(_ context.Context, t tables.Table) error { table = t; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return table, stats
}

// scoresByName returns the scores of a table by the full name of each vertex.
func scoresByName(table *tables.Table) map[string]float64 {
	return columnByName(table, tables.ScoreColumn)
}

func columnByName(table *tables.Table, column string) map[string]float64 {
	scores := make(map[string]float64)
	columns, format := table.Names()
	for v, score := range table.Floats(column) {
		var name []string
		for i := range columns {
			name = append(name, string(format(nil, i, v)))
		}
		scores[strings.Join(name, "/")] = score
	}
	return scores
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// Each graph's scores are those of a run on it alone.
func TestManyGraphs(t *testing.T) {
	for seed := range uint64(20) {
		rows := manyGraphs(seed)
		if len(rows) == 0 {
			continue
		}
		table, stats := run(t, filesOf(writeRows(t, "month,tenant,src,dst", rows), "month", "tenant"))
		got := scoresByName(&table)
		alone := map[[2]string][][4]string{}
		for _, row := range rows {
			alone[[2]string{row[0], row[1]}] = append(alone[[2]string{row[0], row[1]}], row)
		}
		count := 0
		work := 0.0
		for name, rows := range alone {
			table, own := run(t, filesOf(writeRows(t, "month,tenant,src,dst", rows)))
			for id, want := range scoresByName(&table) {
				count++
				if score, ok := got[name[0]+"/"+name[1]+"/"+id]; !ok || !near(score, want) {
					t.Fatalf("seed %d: %s/%s: %v, want %v", seed, name, id, score, want)
				}
			}
			work += float64(own.Vertices) * float64(own.Edges)
			i := slices.IndexFunc(stats.Graphs.Largest, func(g pipeline.GraphSize) bool { return slices.Equal(g.Name, name[:]) })
			if i < 0 || stats.Graphs.Largest[i].Vertices != own.Vertices || stats.Graphs.Largest[i].Edges != own.Edges {
				t.Errorf("seed %d: graph %s of %d, %d is %+v", seed, name, own.Vertices, own.Edges, stats.Graphs)
			}
		}
		if count != len(got) || stats.Graphs.Count != len(alone) || stats.Graphs.Work != work || table.Graphs() != len(alone) {
			t.Errorf("seed %d: %d vertices of %d, graphs %+v of %d", seed, len(got), count, stats.Graphs, len(alone))
		}
	}
}

// Merged shards, a run resumed from a checkpoint, and a prepared graph have the names of the
// graphs, and give the same bits.
func TestManyGraphsInParts(t *testing.T) {
	for _, bipartite := range []bool{false, true} {
		rows := manyGraphs(7)
		opts := filesOf(writeRows(t, "month,tenant,src,dst", rows), "tenant", "month")
		opts.Files.Bipartite = bipartite
		opts.Lanes = 2
		opts.Sort = pipeline.ByScore
		want, whole := run(t, opts)
		text := func(table tables.Table) string {
			var out bytes.Buffer
			if err := arrowio.Write(t.Context(), &out, tables.FormatCSV, table); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		header := "tenant,month,vertex,betweenness_centrality\n"
		if bipartite {
			header = "tenant,month,side,vertex,betweenness_centrality\n"
		}
		if !strings.HasPrefix(text(want), header) {
			t.Fatalf("%s", text(want))
		}

		path := filepath.Join(t.TempDir(), "graph.bcg")
		prepared, err := pipeline.Prepare(t.Context(), opts, func(ctx context.Context, graph *preprocess.Prepared) error {
			var file bytes.Buffer
			if err := graph.Write(ctx, &file); err != nil {
				return err
			}
			return os.WriteFile(path, file.Bytes(), 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
		again := pipeline.Options{Input: pipeline.Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}, Output: pipeline.Output{Sort: pipeline.ByScore}}
		table, stats := run(t, again)
		if text(table) != text(want) {
			t.Errorf("prepared:\n%s\nwant\n%s", text(table), text(want))
		}
		for _, s := range []*pipeline.Stats{prepared, stats} {
			a, _ := json.Marshal(s.Graphs)
			b, _ := json.Marshal(whole.Graphs)
			if !bytes.Equal(a, b) {
				t.Errorf("graphs %s, want %s", a, b)
			}
		}

		var parts []tables.Table
		for shard := range 3 {
			opts := again
			opts.Shard = pipeline.Shard{Mine: []int{shard}, Of: 3}
			part, _ := run(t, opts)
			var file bytes.Buffer
			if err := arrowio.Write(t.Context(), &file, tables.FormatArrow, part); err != nil {
				t.Fatal(err)
			}
			if part, err = arrowio.ReadTable(t.Context(), tables.Options{Stdin: &file}); err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		next := 0
		var merged tables.Table
		found, err := pipeline.Merge(t.Context(), func() (tables.Table, bool, error) {
			if next++; next > len(parts) {
				return tables.Table{}, false, nil
			}
			return parts[next-1], true, nil
		}, pipeline.Output{Sort: pipeline.ByScore}, func(_ context.Context, t tables.Table) error { merged = t; return nil })
		if err != nil || text(merged) != text(want) {
			t.Errorf("merged: %v\n%s\nwant\n%s", err, text(merged), text(want))
		}
		if found.Graphs.Count != whole.Graphs.Count || found.Graphs.Largest[0].Edges != -1 {
			t.Errorf("merged: graphs %+v", found.Graphs)
		}
		resumed := opts
		resumed.Resume = &parts[1]
		if table, _ = run(t, resumed); text(table) != text(want) {
			t.Errorf("resumed:\n%s\nwant\n%s", text(table), text(want))
		}
		if len(parts[0].Graph) > 0 {
			parts[0].By[0].Keys.Ints[0]++ // another name of a graph
			if _, err := pipeline.Merge(t.Context(), func() (tables.Table, bool, error) { return parts[0], true, nil }, pipeline.Output{}, func(context.Context, tables.Table) error { return nil }); err == nil || !strings.Contains(err.Error(), "checksum") {
				t.Errorf("damaged: %v", err)
			}
		}
		degrees, err := pipeline.Degrees(t.Context(), &want, pipeline.Options{Input: pipeline.Input{Read: arrowio.Read, Files: tables.Options{Paths: opts.Files.Paths, Src: "src", Dst: "dst"}}})
		if err != nil {
			t.Fatal(err)
		}
		same, err := pipeline.Degrees(t.Context(), &want, pipeline.Options{Input: pipeline.Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}})
		if err != nil || !slices.Equal(degrees, same) {
			t.Errorf("degrees %d, of the prepared graph %d: %v", degrees, same, err)
		}
	}
}

// A bipartite graph has the scores of the plain graph with separate ids for both sides.
func TestBipartite(t *testing.T) {
	for seed := range uint64(20) {
		rows := manyGraphs(100 + seed)
		if len(rows) == 0 {
			continue
		}
		opts := filesOf(writeRows(t, "month,tenant,src,dst", rows))
		opts.Files.Bipartite = true
		table, _ := run(t, opts)
		got := scoresByName(&table)
		for i := range rows {
			rows[i][2], rows[i][3] = "src/"+rows[i][2], "dst/"+rows[i][3]
		}
		plain, _ := run(t, filesOf(writeRows(t, "month,tenant,src,dst", rows)))
		want := scoresByName(&plain)
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d vertices, want %d", seed, len(got), len(want))
		}
		for name, score := range want {
			if got[name] != score {
				t.Errorf("seed %d: %s: %v, want %v", seed, name, got[name], score)
			}
		}
	}
}

// Without rows, the columns exist.
func TestNoGraphs(t *testing.T) {
	opts := filesOf(writeRows(t, "month,tenant,src,dst", nil), "month")
	opts.Files.Bipartite = true
	table, stats := run(t, opts)
	var out bytes.Buffer
	if err := arrowio.Write(t.Context(), &out, tables.FormatCSV, table); err != nil || out.String() != "month,side,vertex,betweenness_centrality\n" || stats.Graphs.Count != 0 {
		t.Errorf("%q, %+v: %v", out.String(), stats.Graphs, err)
	}
}
