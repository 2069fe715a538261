package pipeline

import (
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"bcstage/preprocess/question"
)

// identity is what a partial result of the plan must say of itself.
func (p plan) identity(precision Precision) identity {
	return identity{
		fingerprint: hex.EncodeToString(p.Fingerprint[:]),
		question:    p.Question.Identity(),
		precision:   precision,
		vertices:    p.Vertices,
		edges:       p.Edges,
		batches:     len(p.Batches),
	}
}

// resume reads opts.Resume and makes sure that it belongs to this plan.
func (r *run) resume(p plan) (*partial, error) {
	if r.opts.Resume == nil {
		return nil, nil
	}
	resumed, err := partialOf(*r.opts.Resume)
	if err != nil {
		return nil, err
	}
	done := fmt.Sprintf("%d of %d batches", members(resumed.done), len(resumed.done))
	differs := p.identity(r.opts.Precision).differs(resumed.identity)
	if differs == "" && !slices.Equal(resumed.base, p.ClosedForm(question.Betweenness)) {
		differs = "the closed forms differ: vertices in another order"
	}
	switch {
	case differs == "":
		r.stats.Resumed = members(resumed.done)
		r.stats.Notes = append(r.stats.Notes, done+" were taken over from the checkpoint")
		return resumed, nil
	case r.opts.Anew:
		r.stats.Warnings = append(r.stats.Warnings, fmt.Sprintf("started anew, and dropped the checkpoint with %s of work: %s", done, differs))
		return nil, nil
	}
	return nil, fmt.Errorf("pipeline: %w: %s", ErrPartial, differs)
}

// partial is what is in the sums, which must not change any more.
func (s *schedule) partial(p plan, precision Precision) *partial {
	engines := s.engines
	for _, c := range s.clients {
		if c.batches > 0 {
			engines = union(engines, []string{c.name})
		}
	}
	return &partial{
		identity: p.identity(precision),
		shard:    s.shard,
		done:     s.summed,
		base:     p.ClosedForm(question.Betweenness),
		sums:     s.sums,
		names:    p.names,
		check:    s.check,
		engines:  engines,
		sizes:    p.ComponentSizes,
	}
}

// snapshot is a partial that shares nothing with the sums under way.
func (s *schedule) snapshot(p plan, precision Precision) *partial {
	s.mu.Lock()
	defer s.mu.Unlock()
	snapshot := s.partial(p, precision)
	snapshot.done = slices.Clone(s.summed)
	snapshot.sums = &sums{fraction: s.sums.fraction, words: slices.Clone(s.sums.words)}
	return snapshot
}

// startSaving calls opts.Save from time to time, and once more when the function
// that it returns is called, whatever the reason that computing ended; that one
// returns why the last attempt failed, if it did.
func (r *run) startSaving(s *schedule, p plan) func() error {
	if r.opts.Save == nil {
		return func() error { return nil }
	}
	saved := members(s.summed) // batches in the last partial that was saved
	save := func() error {
		partial := s.snapshot(p, r.opts.Precision)
		count := members(partial.done)
		if count == saved {
			return nil
		}
		err := r.opts.Save(partial.table())
		if err == nil {
			saved = count
		}
		return err
	}
	ended := make(chan struct{})
	failure := make(chan error, 1)
	go func() {
		ticker := time.NewTicker(r.opts.SaveInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = save() // tried again, and what the last attempt says counts
			case <-ended:
				failure <- save() // also after the last batch: writing the scores may fail
				return
			}
		}
	}()
	return func() error {
		close(ended)
		return <-failure
	}
}

// members is the size of a set.
func members(set []bool) int {
	count := 0
	for _, member := range set {
		if member {
			count++
		}
	}
	return count
}
