package pipeline

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// ParseShard reads "i/N" or "i,j,k/N", counting from 0.
func ParseShard(text string) (Shard, error) {
	shard, err := ledger.ParseShard(text)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return shard, err
}

// readResume reads Resume, if there is one.
func (p *Parts) readResume() (*ledger.Partial, error) {
	if p.Resume == nil {
		return nil, nil
	}
	return ledger.Read(*p.Resume)
}

// resumesOther reports whether Resume is of a graph of this size, but of another plan.
func (p *Parts) resumesOther(plan *preprocess.Plan) bool {
	if p.Resume == nil {
		return false
	}
	of := p.Resume.Metadata
	return of.Value("n") == strconv.Itoa(plan.Vertices) && of.Value("m") == strconv.Itoa(int(plan.Edges)) && of.Value("fingerprint") != hex.EncodeToString(plan.Fingerprint[:])
}

// resume checks that a partial belongs to this plan; nil: it is not used.
func (r *run) resume(p namedPlan, resumed *ledger.Partial) (*ledger.Partial, error) {
	if resumed == nil {
		return nil, nil
	}
	done := fmt.Sprintf("%d of %d batches", resumed.Members(), len(resumed.Done))
	if count := resumed.DrawnPairs(); count > 0 {
		done += fmt.Sprintf(" and %d pairs", count)
	}
	differs := ledger.New(p.Plan, p.names.Names, r.opts.Precision, r.opts.Shard, nil, nil, 1).Close().Differs(resumed)
	switch {
	case differs == "":
		r.stats.Resumed = resumed.Members()
		r.stats.Notes = append(r.stats.Notes, done+" were restored from the checkpoint")
		return resumed, nil
	case r.opts.Anew:
		r.stats.Warnings = append(r.stats.Warnings, fmt.Sprintf("started anew, and dropped the checkpoint with %s of work: %s", done, differs))
		return nil, nil
	}
	return nil, fmt.Errorf("pipeline: %w: %s", ErrPartial, differs)
}

// startSaving calls Save from time to time. The function that it returns saves once more, whatever
// ended computing, and returns the error of that last attempt.
func (p *Parts) startSaving(books *ledger.Ledger) func() error {
	if p.Save == nil {
		return func() error { return nil }
	}
	saved := books.Counted() // counted in the last saved partial
	save := func() error {
		if books.Counted() == saved {
			return nil
		}
		partial := books.Snapshot()
		err := p.Save(partial.Table(Version()))
		if err == nil {
			saved = partial.Counted()
		}
		return err
	}
	ended := make(chan struct{})
	failure := make(chan error, 1)
	go func() {
		ticker := time.NewTicker(p.SaveInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = save() // tried again; the last attempt counts
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
