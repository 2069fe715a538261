package pipeline

import (
	"context"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// ahead is memory for distance searches. The compute stage touches it while the graph is reduced, which
// leaves some cores idle: in a small graph a search takes hardly longer than the system takes to provide its
// pages. Zero: searches take their memory when they need it.
type ahead struct {
	workers []*cpu.Worker
	room    *ledger.Room
}

// aheadBytes is the most that one core touches. More takes as long as the reduction, and gains little beside
// the searches of a graph that needs it.
const aheadBytes = 16 << 20

// makeAhead waits for the size of the graph. The error is the context's.
func (r *run) makeAhead(ctx context.Context) (made ahead, err error) {
	vertices, err := parallel.Receive(ctx, r.plan.vertices)
	if err != nil {
		return ahead{}, err
	}
	asked := r.opts.Question.Exact()
	idle := r.opts.Threads - 1
	workers := min(r.opts.Threads, (vertices+engine.DistanceLanes-1)/engine.DistanceLanes)
	switch {
	case workers < 2 || r.opts.Engine == EngineGPU:
		return ahead{}, nil
	case asked.Lengths.Column != "" || asked.Searches(measures.Paths) || !asked.Searches(measures.Distances):
		return ahead{}, nil
	case asked.Sources != (question.Set{}) || asked.Targets != (question.Set{}):
		return ahead{}, nil // perhaps few searches
	}
	if bytes := cpu.TouchedBytes(vertices) * int64(workers); bytes > min(aheadBytes*int64(idle), r.memory/8) {
		return ahead{}, nil
	}
	made.workers = make([]*cpu.Worker, workers)
	var group errgroup.Group
	group.SetLimit(idle)
	for i := range workers {
		group.Go(func() (err error) {
			if made.workers[i], err = cpu.New(nil, r.opts.core()); err == nil {
				made.workers[i].Touch(vertices)
			}
			return err
		})
	}
	group.Go(func() error {
		made.room = ledger.NewRoom(asked, vertices)
		return nil
	})
	err = group.Wait() // before made is returned
	return made, err
}

// workersFor returns workers for so many threads; some of them exist already.
func (a *ahead) workersFor(plan *preprocess.Plan, threads int) []*cpu.Worker {
	list := make([]*cpu.Worker, threads)
	for i := range min(len(a.workers), threads) {
		a.workers[i].Plan = plan
		list[i] = a.workers[i]
	}
	return list
}
