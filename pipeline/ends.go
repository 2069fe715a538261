package pipeline

import (
	"context"
	"fmt"

	"bcstage/preprocess/question"
)

// ends returns the vertices where paths begin, and end; nil: all.
func (r *run) ends(ctx context.Context, of *names) (sources, targets []uint32, err error) {
	for _, set := range []struct {
		name  string
		ids   *VertexSet
		asked question.Set
		list  *[]uint32
		stat  **Ends
	}{
		{"Options.Sources", r.opts.Sources, r.opts.Question.Sources, &sources, &r.stats.Sources},
		{"Options.Targets", r.opts.Targets, r.opts.Question.Targets, &targets, &r.stats.Targets},
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
	}
	return sources, targets, nil
}
