package arrowio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// tree makes files in a folder of the test's own.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestPaths(t *testing.T) {
	folder := tree(t, map[string]string{
		"t/year=2024/part-1.csv":             "src,dst\n3,4\n",
		"t/year=2024/part-0.csv":             "dst,src\n2,1\n",
		"t/year=2023/month=12/part-0.txt":    "0 1\n",
		"t/year=2025/part-0.csv":             "", // Spark's empty partition
		"t/_SUCCESS":                         "",
		"t/.hidden/a":                        "8 8\n",
		"t/_temporary/0/part-0.csv":          "9 9\n",
		"t/year=2024/.part-0.csv.crc":        "\x00\x01",
		"t/year=2024/_metadata":              "PAR1",
		"[odd]*.txt":                         "5 6\n",
		"x1.txt":                             "10 11\n",
		"x2.txt":                             "11 12\n",
		"z/_only":                            "1 2\n",
		"e/empty.txt":                        "",
		"nothing":                            "",
		"delta/_delta_log/0.json":            "{}",
		"delta/month=1/part-0.csv":           "1 2\n",
		"delta/_exports/edges.csv":           "1 2\n",
		"lake/hudi/.hoodie/properties":       "",
		"lake/hudi/part-0.csv":               "1 2\n",
		"iceberg/data/0.csv":                 "1 2\n",
		"iceberg/metadata/v9.metadata.json":  "{}",
		"iceberg/metadata/v10.metadata.json": "{}",
		"metadata/edges.csv":                 "1 2\n",
		"deep/1.csv":                         "1 2\n",
		"deep/a/2.csv":                       "2 3\n",
		"deep/a/b/3.csv":                     "3 4\n",
		"deep/a/b/3.txt":                     "9 9\n",
		"deep/_a/4.csv":                      "9 9\n",
		"deep/.a/5.csv":                      "9 9\n",
		"deep/a/.6.csv":                      "9 9\n",
	})
	in := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(folder, name))
		}
		return paths
	}
	for _, test := range []struct {
		name  string
		paths []string
		edges string
		files int
	}{
		{"folder", in("t"), "0>1 1>2 3>4", 4},
		{"glob of folders", in("t/year=202[34]"), "0>1 1>2 3>4", 3},
		{"glob", in("x?.txt"), "10>11 11>12", 2},
		{"literal name with signs of a glob", in("[odd]*.txt"), "5>6", 1},
		{"order as given, twice", in("x2.txt", "x1.txt", "x2.txt"), "11>12 10>11 11>12", 3},
		{"standard input among files", append(in("x1.txt"), "-"), "10>11 7>7", 2},
		{"standard input", nil, "7>7", 1},
		{"empty among others", in("e", "x1.txt"), "10>11", 2},
		{"only empty texts", in("e"), "", 1},
		{"any number of folders", in("deep/**/*.csv"), "1>2 2>3 3>4", 3},
		{"any number of folders, then two", in("deep/**/?/?/*.csv"), "3>4", 1},
		{"any number of folders twice", in("deep/**/**/a/**/*.csv"), "2>3 3>4", 2},
		{"any number of folders, then a name", in("deep/**/b/3.csv"), "3>4", 1},
		{"all below", in("deep/a/**"), "2>3 3>4 9>9", 3},
		{"folders below", in("deep/**/b"), "3>4 9>9", 2},
		{"two stars in a name", in("x**.txt"), "10>11 11>12", 2},
		{"hidden ones if they are named so", in("deep/_*/*.csv", "deep/.?/5.csv", "deep/a/.*.csv"), "9>9 9>9 9>9", 3},
		{"a folder of any kind of metadata", in("metadata"), "1>2", 1},
		{"in the folder of a table, but not of it", in("delta/_exports/*.csv"), "1>2", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := readString("7 7\n", tables.Options{Paths: test.paths})
			if err != nil || got.edges() != test.edges || got.Files != test.files {
				t.Errorf("%q from %d files, %v; want %q from %d", got.edges(), got.Files, err, test.edges, test.files)
			}
		})
	}
	for _, test := range []struct {
		name  string
		paths []string
		class error
		says  string
	}{
		{"no such file", in("none"), fs.ErrNotExist, "none: no such file"},
		{"glob of nothing", in("y*.txt"), fs.ErrNotExist, "y*.txt: matches no file"},
		{"broken glob", in("y[*.txt"), tables.ErrUsage, "y[*.txt: syntax error in pattern"},
		{"folder of nothing", in("z"), fs.ErrNotExist, "z: folder without files to read"},
		{"an empty file that may be anything", in("nothing"), tables.ErrInput, "input is empty: "},
		{"standard input twice", []string{"-", "-"}, tables.ErrUsage, "standard input can be read only once"},
		{"Delta", in("delta"), tables.ErrInput, "delta: the folder of a Delta table, whose files also hold deleted rows; read the table: python -c "},
		{"Delta, a partition", in("delta/month=1"), tables.ErrInput, "delta: the folder of a Delta table"},
		{"Delta, by a pattern", in("delta/*/*.csv"), tables.ErrInput, "delta: the folder of a Delta table"},
		{"Delta, among others", in("*/month=*"), tables.ErrInput, "delta: the folder of a Delta table"},
		{"Delta, a file", in("delta/month=1/part-0.csv"), tables.ErrInput, "delta: the folder of a Delta table"},
		{"Hudi, further down", in("lake"), tables.ErrInput, "hudi: the folder of a Hudi table"},
		{"Hudi, by a pattern", in("lake/*/*.csv"), tables.ErrInput, "hudi: the folder of a Hudi table"},
		{"Iceberg", in("iceberg"), tables.ErrInput, "iceberg: the folder of an Iceberg table"},
		{"Iceberg, one level down", in("iceberg/data/**"), tables.ErrInput, "/metadata/v10.metadata.json'"},
		{"pattern in no folder", in("none/**/*.csv"), fs.ErrNotExist, "matches no file"},
		{"pattern in a file", in("x1.txt/*"), fs.ErrNotExist, "matches no file"},
		{"empty path", []string{""}, tables.ErrUsage, "empty path"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := readString("", tables.Options{Paths: test.paths})
			if !errors.Is(err, test.class) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %v saying %q", err, test.class, test.says)
			}
		})
	}
	t.Run("vertex tables", func(t *testing.T) {
		got, err := readString("1 2\n", tables.Options{Vertices: tree(t, map[string]string{"b": "3\n", "a": "id\n4\n5\n"})})
		if err != nil || strings.Join(got.vertices, " ") != "4 5 3" || got.Files != 1 {
			t.Error(got.vertices, got.Files, err)
		}
		got, err = readString("1 2\n", tables.Options{Format: tables.FormatEdgeList, Vertices: writeFile(t, "v", "id,name\n7,a\n")}) // the format of edges
		if err != nil || strings.Join(got.vertices, " ") != "7" {
			t.Error(got.vertices, err)
		}
	})
	t.Run("notes of many files", func(t *testing.T) {
		got, err := readAll(t.Context(), tables.Options{Paths: slices.Repeat([]string{writeFile(t, "a", "1 2 x\n")}, 100)})
		if err != nil || len(got.Notes) != 21 || got.Notes[20] != "and 80 notes more" {
			t.Error(got.Notes, err)
		}
	})
	t.Run("error names the file", func(t *testing.T) {
		path := writeFile(t, "a.txt", "1 2\nx 1\n")
		_, err := readAll(t.Context(), tables.Options{Paths: append(in("x1.txt"), path)})
		checkError(t, err, tables.ErrInput, "arrowio: "+path+`: line 2: column 1: "x" is not an integer of at most 64 bits like those before it; Options.IDs "string" reads all ids as strings`)
	})
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		opts tables.Options
		says string
	}{
		{tables.Options{Format: "xls"}, `input format "xls": want one of ["auto" "arrow" "parquet" "csv" "edgelist" "mtx" "metis" "dimacs"]`},
		{tables.Options{Nulls: "keep"}, `nulls "keep": want error or drop`},
		{tables.Options{IDs: "uuid"}, `ids "uuid": want auto, int or string`},
		{tables.Options{Src: "a"}, `source and destination columns go together: got "a" and ""`},
		{tables.Options{Src: "a", Dst: "a"}, `source and destination are the same column "a"`},
		{tables.Options{Vertices: "-"}, "standard input can be read only once"},
		{tables.Options{Threads: -1}, "threads -1: want 1 to 1024"},
		{tables.Options{Threads: 1025}, "threads 1025: want 1 to 1024"},
		{tables.Options{MaxLine: 63}, "longest line 63: want 64 to 1073741824 bytes"},
		{tables.Options{MaxVertices: 1 << 31}, "most vertices 2147483648: want 1 to 2147483647"},
		{tables.Options{MaxExpansion: -1}, "expansion -1: want 1 to 2147483647"},
	} {
		_, err := readString("1 2\n", test.opts)
		checkError(t, err, tables.ErrUsage, "arrowio: "+test.says)
	}
}

// Lake tables are found if the path itself does not name them: from inside, and through
// links.
func TestLakeTablesAbove(t *testing.T) {
	folder := tree(t, map[string]string{"delta/_delta_log/0.json": "{}", "delta/month=1/part.csv": "1 2\n", "ids/edges.csv": "1 2\n"})
	link := filepath.Join(folder, "link.csv")
	if err := os.Symlink(filepath.Join("delta", "month=1", "part.csv"), link); err != nil {
		t.Skip(err)
	}
	t.Chdir(filepath.Join(folder, "delta", "month=1"))
	for _, path := range []string{"*.csv", "part.csv", "../*/part.csv", "../../link.csv", "../..", link} {
		if _, err := readString("", tables.Options{Paths: []string{path}}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "Delta table") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := ReadIDs(t.Context(), tables.Options{Paths: []string{"part.csv"}}, func(tables.Keys) error { return nil }); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "Delta table") {
		t.Errorf("a list of ids: %v", err)
	}
	edges := filepath.Join(folder, "ids", "edges.csv")
	if _, err := readString("", tables.Options{Paths: []string{edges}, Vertices: "part.csv"}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "Delta table") {
		t.Errorf("a vertex table: %v", err)
	}
	if _, err := readString("", tables.Options{Paths: []string{edges}}); err != nil {
		t.Error("beside a table:", err)
	}
}

// "**" follows links, as folders do.
func TestPatternsFollowLinks(t *testing.T) {
	folder := tree(t, map[string]string{"lake/a/1.csv": "1 2\n", "elsewhere/deeper/2.csv": "2 3\n"})
	if err := os.Symlink(filepath.Join("..", "elsewhere"), filepath.Join(folder, "lake", "b")); err != nil {
		t.Skip(err)
	}
	pattern := filepath.Join(folder, "lake", "**", "*.csv")
	if got, err := readString("", tables.Options{Paths: []string{pattern}}); err != nil || got.edges() != "1>2 2>3" {
		t.Error(got.edges(), err)
	}
	if err := os.Symlink(filepath.Join("..", "..", "lake"), filepath.Join(folder, "lake", "a", "c")); err != nil {
		t.Fatal(err)
	}
	if _, err := readString("", tables.Options{Paths: []string{pattern}}); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "which contains it") {
		t.Error(err)
	}
}
