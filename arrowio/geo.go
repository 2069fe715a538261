package arrowio

import (
	"encoding/json"
	"maps"
	"slices"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/tables"
)

// geoOf decodes the value of edgetable.GeoKey, for some columns; nil: another writer uses the
// key.
func geoOf(text string, names []string) tables.Geo {
	var file edgetable.GeoFile
	if json.Unmarshal([]byte(text), &file) != nil {
		return nil
	}
	maps.DeleteFunc(file.Columns, func(name string, _ json.RawMessage) bool { return !slices.Contains(names, name) })
	return file.Columns
}

// geoText is the value of edgetable.GeoKey for the columns of an output; "": there is no
// geometry.
func geoText(t *tables.Table) string {
	file := edgetable.GeoFile{Version: "1.0.0", Columns: maps.Clone(t.Geo)}
	kept := make(map[string]bool)
	for _, c := range t.Kept {
		if kept[c.Name] = true; file.Primary == "" && t.Geo[c.Name] != nil {
			file.Primary = c.Name
		}
	}
	if file.Primary == "" {
		return ""
	}
	maps.DeleteFunc(file.Columns, func(name string, _ json.RawMessage) bool { return !kept[name] })
	text, _ := json.Marshal(file) // of texts: it always works
	return string(text)
}
