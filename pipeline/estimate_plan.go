package pipeline

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"bcstage/internal/cpu/pairs"
	"bcstage/preprocess/question"
)

// chooser decides how scores are estimated, and estimates them.
type chooser struct {
	call
	plan    *planner
	devices *deviceStart
}

// choose measures the cost of each way to the question's goal, and takes the cheapest. It tries
// sources and pairs on random ones that do not count: the trial has no influence on the sample. The
// result plan is the decision in words, as "exact 31 s · eps 0.001 by pairs 20 s, by sources 195 s
// → pairs". Argument exact is the estimated seconds of exact scores; 0: unknown. tried is the sampler that tried pairs, if
// these are taken.
func (h *chooser) choose(ctx context.Context, of *namedPlan, exact float64) (way, plan string, tried *pairs.Sampler, err error) {
	goal, p := h.opts.Question.Sample, of.Plan
	names := h.plan.named(&of.names)
	room := room{searches: demandOf(p, names, *h.opts).threads(h.memory, h.opts.Threads)}
	trial, err := h.tryChange(ctx, p, exact)
	if trial == nil && err == nil {
		all := 0.0
		if block, ok := p.Drawable(true); ok {
			room.pairs = pairsDemand(p, names, *h.opts, block).threads(h.memory, h.opts.Threads)
			if all, err = h.orderedPairs(ctx, of, block); err != nil {
				return "", "", nil, err
			}
		}
		trial, err = newTrial(ctx, p, *h.opts, room, all, exact, time.Since(h.began))
	}
	if err != nil {
		return "", "", nil, err
	}
	others := trial.outlooks(goal, time.Since(h.began))
	if trial.mayChange(others, room.searches) {
		if err := h.askDevices(ctx, p, trial); err != nil {
			return "", "", nil, err
		}
		others = trial.outlooks(goal, time.Since(h.began))
	}
	best := outlook{"exact", trial.exact}
	if room.searches == 0 {
		best.seconds = math.Inf(1)
	}
	var texts []string
	for _, o := range others {
		texts = append(texts, fmt.Sprintf("by %s %s", o.way, secondsText(o.seconds)))
		if o.seconds < best.seconds {
			best = o
		}
	}
	text := "exact " + secondsText(trial.exact)
	if room.searches == 0 {
		text = "exact: no memory"
	}
	if len(texts) > 0 {
		text += " · " + goalText(goal) + strings.Join(texts, ", ")
	}
	if best.way == "pairs" {
		tried = trial.sampler
	}
	return best.way, text + " → " + best.way, tried, nil
}

func goalText(goal question.Sample) string {
	switch {
	case goal.Eps > 0:
		return fmt.Sprintf("eps %g ", goal.Eps)
	case goal.Samples > 0:
		return fmt.Sprintf("%d samples ", goal.Samples)
	case goal.Certain > 0:
		return fmt.Sprintf("%d certain ", goal.Certain)
	}
	return fmt.Sprintf("as near as within %v ", goal.Within)
}

// secondsText formats a duration for people.
func secondsText(s float64) string {
	switch {
	case s < 1:
		return fmt.Sprintf("%.2g s", math.Max(s, 0.01))
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 600:
		return fmt.Sprintf("%.0f s", s)
	case s < 36_000:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.0f h", s/3600)
}
