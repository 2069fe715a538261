package pipeline

import (
	"context"
	"fmt"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/preprocess/question"
)

// readNumbers is arrowio.ReadNumbers.
type readNumbers = func(ctx context.Context, files tables.Options, columns []string, take func([]tables.KeptColumn) error) error

// ReadDecay reads a table with the columns distance and share by read, which is arrowio.ReadNumbers, from a file that may
// have any format but those without columns. It returns the Share of a question.Decay. Distances ascend and shares are from
// 0 to 1: else the error is tables.ErrInput and names the row, from 1.
func ReadDecay(ctx context.Context, read readNumbers, files tables.Options) (string, error) {
	columns := make([]tables.KeptColumn, 2)
	err := read(ctx, files, []string{"distance", "share"}, func(rows []tables.KeptColumn) error {
		for i, more := range rows {
			columns[i].Name, columns[i].Type = more.Name, more.Type
			columns[i].Append(more.KeptValues, nil)
		}
		if count := columns[0].Keys.Len(); count > question.MostShares {
			return fmt.Errorf("%w: %s: more than %d rows", tables.ErrInput, strings.Join(files.Paths, " "), question.MostShares)
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("pipeline: decay: %w", err)
	}
	rows := make([][2]string, columns[0].Keys.Len())
	for i, column := range columns {
		numbers, err := column.Masses(ctx, tables.NullsError)
		if err != nil {
			return "", fmt.Errorf("pipeline: decay: %s: %w", strings.Join(files.Paths, " "), err)
		}
		for row := range rows {
			rows[row][i] = building.Weights(numbers).Text(row)
		}
	}
	share, err := question.DecayTable(rows)
	if err != nil {
		return "", fmt.Errorf("pipeline: decay: %w: %s: %w", tables.ErrInput, strings.Join(files.Paths, " "), err)
	}
	return share, nil
}
