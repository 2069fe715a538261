package edgetable

import (
	"encoding/json"
	"reflect"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/tables"
)

// GeoKey is the metadata key under which GeoParquet describes columns of geometries, in its
// files and in Feather: https://geoparquet.org/releases/v1.0.0
const GeoKey = "geo"

// GeoFile is the value of GeoKey.
type GeoFile struct {
	Version string     `json:"version"`
	Primary string     `json:"primary_column"`
	Columns tables.Geo `json:"columns"`
}

// ofSome leaves out members that hold for the rows of one file only: bounds, and columns of
// bounds.
func ofSome(about json.RawMessage) (json.RawMessage, map[string]any) {
	var members map[string]any
	if json.Unmarshal(about, &members) != nil || members == nil {
		return nil, nil
	}
	delete(members, "bbox")
	delete(members, "covering")
	text, _ := json.Marshal(members) // it was JSON
	return text, members
}

// KeepGeo notes a file's description of the kept geometries. It must be the same in all files of
// the vertex table, except for their kinds. Other metadata under this key belongs to another
// writer.
func (f *Funnel) KeepGeo(names []string, text *string) error {
	var file GeoFile
	if text != nil && json.Unmarshal([]byte(*text), &file) != nil {
		return nil
	}
	geo, where := &f.Summary.Geo, "the vertex table"
	if !f.Vertices {
		geo, where = &f.Summary.EdgeGeo, "the inputs"
	}
	for _, name := range names {
		more, now := ofSome(file.Columns[name])
		known := (*geo)[name]
		if now == nil {
			continue
		}
		if known != nil {
			_, before := ofSome(known)
			if kinds := "geometry_types"; !reflect.DeepEqual(before[kinds], now[kinds]) {
				before[kinds], now[kinds] = []any{}, []any{} // any
				more, _ = json.Marshal(now)
			}
			if !reflect.DeepEqual(before, now) {
				return faults.Rejected("column %q: its geometries differ in coordinate system or encoding from earlier ones in %s", name, where)
			}
		}
		if *geo == nil {
			*geo = make(tables.Geo)
		}
		(*geo)[name] = more
	}
	return nil
}
