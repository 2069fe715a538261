package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// masses returns the masses of both columns by vertex, in units that asked then names; nil: every vertex
// has 1.
func (in *intake) masses(ctx context.Context, asked *question.Question, of *names) (origins, destinations []int64, err error) {
	if !asked.HasMasses() || asked.HasTrips() {
		return nil, nil, nil
	}
	d := &Demand{Unit: flowUnit(*asked)}
	in.stats.Demand = d
	if asked.Origins.Column == "" && asked.Destinations.Column == "" {
		return nil, nil, nil
	}
	n := of.IDs.Len()
	const reading = 4 * 8 // decimals and whole numbers of one column, whole numbers of the other
	if err := in.need(in.named(of)-in.sets+reading*int64(n), "read masses"); err != nil {
		return nil, nil, err
	}
	if in.kept.repeats > 0 {
		return nil, nil, fmt.Errorf("%w: vertex table: row %d names a vertex again; vertices with masses have one row each", tables.ErrInput, in.kept.again+1)
	}
	var units building.MassUnits
	read := "" // the column of units
	for _, side := range []struct {
		asked  *question.Masses
		masses *[]int64
		stat   **MassColumn
	}{{&asked.Origins, &origins, &d.Origins}, {&asked.Destinations, &destinations, &d.Destinations}} {
		if side.asked.Column == "" {
			continue
		}
		columns := in.kept.columns()
		at := slices.IndexFunc(columns, func(c tables.KeptColumn) bool { return c.Name == side.asked.Column })
		if at < 0 {
			return nil, nil, fmt.Errorf("%w: no column %q of masses: the source sends none", ErrOptions, side.asked.Column)
		}
		if side.asked.Column != read {
			numbers, err := columns[at].Masses(ctx, in.opts.Files.Nulls)
			if err != nil {
				return nil, nil, fmt.Errorf("vertex table: %w", err)
			}
			if units, err = building.MassUnitsOf(ctx, building.Weights(numbers)); err != nil {
				return nil, nil, err
			}
			read = side.asked.Column
		}
		side.asked.Unit, side.asked.Total = units.Unit, units.Total
		column := &MassColumn{Column: side.asked.Column, Unit: cmp.Or(units.Unit, "1"), Missing: n - len(units.Masses), Rounding: units.Error, Rounded: units.Rounded,
			Sum: newUnit(building.Scale{Unit: units.Unit}.One()).of(float64(units.Total))}
		null := columns[at].Null
		for row, mass := range units.Masses {
			switch {
			case len(null) > 0 && null[row]:
				column.Nulls++
			case mass == 0:
				column.Zero++
			}
		}
		*side.masses = append(slices.Clip(units.Masses), make([]int64, column.Missing)...)
		if rows := in.kept.row; rows != nil {
			*side.masses = make([]int64, n)
			for v, row := range rows {
				if row != csr.None {
					(*side.masses)[v] = units.Masses[row]
				}
			}
		}
		*side.stat = column
		in.stats.Notes = append(in.stats.Notes, column.notes()...)
	}
	return origins, destinations, nil
}

// flowing asks for flows between whole numbers by vertex.
func flowing(asked question.Question, origins, destinations []int64) preprocess.Options {
	asked.Origins = question.Masses{Column: "origins", Total: total(origins)}
	asked.Destinations = question.Masses{Column: "destinations", Total: total(destinations)}
	return preprocess.Options{Question: asked, Origins: origins, Destinations: destinations}
}

func total(masses []int64) (sum int64) {
	for _, mass := range masses {
		sum += mass
	}
	return sum
}

// notes returns notes for users.
func (m *MassColumn) notes() (list []string) {
	if m.Missing > 0 {
		list = append(list, fmt.Sprintf("vertices missing in the vertex table, with mass 0 in %q: %d", m.Column, m.Missing))
	}
	if m.Nulls > 0 {
		list = append(list, fmt.Sprintf("vertices with a null in %q, which counts as mass 0: %d", m.Column, m.Nulls))
	}
	if m.Rounded > 0 {
		list = append(list, fmt.Sprintf("masses %q have too many digits: %d are rounded to multiples of %s, by %.2g at most", m.Column, m.Rounded, m.Unit, m.Rounding))
	}
	if m.Sum == 0 {
		list = append(list, fmt.Sprintf("all masses %q are 0, and so are all flows", m.Column))
	}
	return list
}

// summed records the sums of the plan's products.
func (d *Demand) summed(plan *preprocess.Plan) {
	if d == nil {
		return
	}
	one := flowOne(plan.Question)
	d.Routed, d.NoPath, d.Self = one.of(plan.Routed.Float()), one.of(plan.NoPath.Float()), one.of(plan.Self.Float())
}

// text returns the statistics as JSON, for a partial result; "" for nil.
func (d *Demand) text() string {
	if d == nil {
		return ""
	}
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // texts and finite numbers have a JSON form
	}
	return string(text)
}
