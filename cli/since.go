package cli

import (
	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/cli/internal/figures"
	"bcstage/internal/budget"
	"bcstage/pipeline"
)

// since reads the files of --since and --changes; nil: there is no --since.
func (p *process) since(c *urfave.Context, room *budget.Budget) (*pipeline.Since, error) {
	given, changes := list(c.String("since")), c.String("changes")
	switch {
	case given == nil && changes != "":
		return nil, usagef(c.Command, "--changes needs --since, with the prepared graph and its scores")
	case given == nil:
		return nil, nil
	case len(given) != 2:
		return nil, usagef(c.Command, "--since %s: want a prepared graph and its scores, with a comma between them", c.String("since"))
	case changes != "" && c.NArg() > 0:
		return nil, usagef(c.Command, "--changes %s: replaces the edges; want no FILES", changes)
	}
	scores, err := p.readPartial(c.Context, given[1], c.Int("threads"))
	if err != nil {
		return nil, err
	}
	prepared, err := p.copied(c.Context, given[0])
	if err != nil {
		return nil, err
	}
	s := &pipeline.Since{Prepared: prepared, Scores: &scores}
	if changes == "" {
		return s, nil
	}
	opts, err := p.second(c, "changes", changes, room)
	if err != nil {
		return nil, err
	}
	s.Changes, err = pipeline.ReadChangeTable(c.Context, arrowio.ReadTrips, opts)
	return s, err
}

// writeSince writes the changes, and the cost of each way to the scores.
func writeSince(line func(name, format string, values ...any), s *pipeline.SinceStats) {
	if s == nil {
		return
	}
	resized := ""
	if s.Resized > 0 {
		resized = ", " + figures.Grouped(s.Resized) + " of another length"
	}
	line("edges since", "%s added, %s removed%s", figures.Grouped(s.Added), figures.Grouped(s.Removed), resized)
	line("vertices since", "%s came, %s went", figures.Grouped(int64(s.Came)), figures.Grouped(int64(s.Went)))
	for _, way := range s.Ways {
		chosen := ""
		if way.Way == s.Way {
			chosen = "; chosen"
		}
		if way.Off != "" {
			line("way", "%s: %s", way.Way, way.Off)
		} else {
			line("way", "%s: %.3g edge visits, %s searches%s", way.Way, way.Cost, figures.Grouped(int64(way.Searches)), chosen)
		}
	}
}
