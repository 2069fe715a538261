package edgetable

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// Way decodes the direction of an edge: see tables.Options.OneWay.
func Way(text []byte) (int8, error) {
	switch string(bytes.ToLower(text)) {
	case "yes", "true", "1", "directed":
		return 1, nil
	case "-1", "reverse":
		return -1, nil
	case "", "no", "false", "0", "undirected", "reversible", "alternating":
		return 0, nil
	}
	return 0, faults.Rejected(`%s does not say which way an edge runs; want "yes", "no", "-1", or another of OpenStreetMap's words`, faults.Quote(string(text)))
}

// WaysOf decodes a kept column of directions with that type; row is the place of an
// error.
func WaysOf(column tables.KeptValues, typ arrow.DataType) (ways []int8, row int, err error) {
	ways = make([]int8, column.Keys.Len())
	var text []byte
	for row := range ways {
		if len(column.Null) > 0 && column.Null[row] {
			continue
		}
		if column.Keys.Offsets != nil {
			text = ids.Text(column.Keys, row)
		} else {
			switch bits := column.Keys.Ints[row]; typ.ID() {
			case arrow.FLOAT64:
				text = strconv.AppendFloat(text[:0], math.Float64frombits(bits), 'g', -1, 64)
			case arrow.FLOAT32:
				text = strconv.AppendFloat(text[:0], float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
			default:
				text = strconv.AppendInt(text[:0], int64(bits), 10)
			}
		}
		if ways[row], err = Way(text); err != nil {
			return nil, row, err
		}
	}
	return ways, 0, nil
}

// wayType refuses a type that cannot hold directions.
func wayType(name string, typ arrow.DataType) error {
	kind := idtypes.KindWithin(typ)
	if kind == idtypes.Integers || kind == idtypes.Strings || slices.Contains([]arrow.Type{arrow.BOOL, arrow.FLOAT32, arrow.FLOAT64}, typ.ID()) {
		return nil
	}
	return faults.Rejected("column %q: type %s; want text, booleans or numbers that say which way an edge runs", name, typ)
}
