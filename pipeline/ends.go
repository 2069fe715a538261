package pipeline

import (
	"context"
	"fmt"

	"bcstage/preprocess/question"
)

// ends returns the vertices where paths begin, and end; nil: all.
func (in *intake) ends(ctx context.Context, of *names) (sources, targets []uint32, err error) {
	for _, set := range []struct {
		name  string
		ids   *VertexSet
		asked question.Set
		list  *[]uint32
		stat  **Ends
	}{
		{"Options.Sources", in.opts.Sources, in.opts.Question.Sources, &sources, &in.stats.Sources},
		{"Options.Targets", in.opts.Targets, in.opts.Question.Targets, &targets, &in.stats.Targets},
	} {
		if set.asked == (question.Set{}) {
			continue
		}
		if set.ids == nil {
			return nil, nil, fmt.Errorf("%s: %w: the question has only a hash of these vertices: set them", set.name, ErrOptions)
		}
		var found Ends
		if *set.list, found, err = set.ids.find(ctx, of, set.name); err != nil {
			return nil, nil, err
		}
		*set.stat = &found
		in.stats.noteNulls(found.NullsDropped)
	}
	return sources, targets, nil
}
