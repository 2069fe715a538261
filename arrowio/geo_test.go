package arrowio

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet/file"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// Descriptions of geometries are kept by column, without members about their rows alone.
func TestGeo(t *testing.T) {
	const first = `{"version":"1.1.0","primary_column":"shape","columns":{
		"shape":{"encoding":"WKB","geometry_types":["Point"],"crs":{"id":{"code":3857}},"bbox":[0,0,1,1],"covering":{"bbox":{"xmin":["bbox","xmin"]}}},
		"centre":{"encoding":"WKB","geometry_types":["Point"]}}}`
	names := []string{"name", "shape"}
	f := edgetable.Funnel{Vertices: true}
	for _, text := range []string{first, "no JSON", `{"columns":{"shape":null}}`} {
		if err := f.KeepGeo(names, &text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if err := f.KeepGeo(names, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"crs":{"id":{"code":3857}},"encoding":"WKB","geometry_types":["Point"]}`
	if got := string(f.Summary.Geo["shape"]); got != want || len(f.Summary.Geo) != 1 {
		t.Errorf("got %s and %d columns, want %s", got, len(f.Summary.Geo), want)
	}
	other := strings.ReplaceAll(first, `["Point"]`, `["LineString"]`)
	if err := f.KeepGeo(names, &other); err != nil {
		t.Fatal(err)
	}
	want = strings.ReplaceAll(want, `["Point"]`, `[]`)
	if got := string(f.Summary.Geo["shape"]); got != want {
		t.Errorf("kinds of two files: got %s, want %s", got, want)
	}
	other = strings.ReplaceAll(first, "3857", "4326")
	if err := f.KeepGeo(names, &other); !errors.Is(err, tables.ErrInput) {
		t.Errorf("two coordinate systems: %v", err)
	}

	edges := edgetable.Funnel{Summary: f.Summary}
	if err := edges.KeepGeo(names, &other); err != nil || len(edges.Summary.EdgeGeo) != 1 {
		t.Errorf("geometries of edges: %v, %v", edges.Summary.EdgeGeo, err)
	}

	binary := idtypes.Of(arrow.BinaryTypes.Binary)
	table := tables.Table{IDs: tables.Keys{Ints: []uint64{1, 2}}, Kept: []tables.KeptColumn{{Name: "other", Type: binary, KeptValues: tables.KeptValues{}}, {Name: "shape", Type: binary, KeptValues: tables.KeptValues{}}},
		Geo: tables.Geo{"shape": f.Summary.Geo["shape"], "gone": json.RawMessage(`{}`)}}
	for range 2 {
		var out bytes.Buffer
		if err := Write(t.Context(), &out, tables.FormatParquet, table); err != nil {
			t.Fatal(err)
		}
		r, err := file.NewParquetReader(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		got := r.MetaData().KeyValueMetadata().FindValue("geo")
		if table.Geo == nil {
			if got != nil {
				t.Errorf("without geometries: %s", *got)
			}
			continue
		}
		want = `{"version":"1.0.0","primary_column":"shape","columns":{"shape":` + want + `}}`
		if got == nil || *got != want {
			t.Errorf("got %v, want %s", got, want)
		}
		table.Geo = nil
	}
}
