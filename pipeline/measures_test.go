package pipeline

import (
	"slices"
	"testing"

	"bcstage/arrowio"
	"bcstage/preprocess/question"
)

// Columns of scores are called as their measures are registered.
func TestColumnsAreRegistered(t *testing.T) {
	var columns []string
	for _, m := range question.Measures() {
		columns = append(columns, m.Column)
	}
	if want := []string{arrowio.ScoreColumn, ComponentSize}; !slices.Equal(columns, want) {
		t.Errorf("registered are %q, written %q", columns, want)
	}
}
