package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/gpu"
	"bcstage/internal/budget"
	"bcstage/pipeline/internal/machine"
)

// Check says what is wrong with the options; the error wraps ErrOptions. Every call checks its
// options before it reads anything.
func (o Options) Check() error {
	_, err := o.complete()
	return err
}

// complete returns the options with defaults filled in, or ErrOptions.
func (o Options) complete() (Options, error) {
	if err := cmp.Or(o.Compute.complete(), o.Output.complete(), o.Parts.complete(), o.Reports.complete()); err != nil {
		return o, err
	}
	if err := o.answerable(); err != nil {
		return o, err
	}
	if err := cmp.Or(o.completeTrips(), o.completeSample(), o.completeSince()); err != nil {
		return o, err
	}
	if o.Question.Edges && o.Edges == nil && !o.partial() {
		return o, fmt.Errorf("%w: scores of edges need a sink: set Output.Edges", ErrOptions)
	}
	if o.startDevices == nil {
		c, searches := o.Compute, searchesFor(o.Question)
		o.startDevices = func(ctx context.Context) (gpu.Set, error) {
			if c.Devices == nil {
				return nil, errNoStarter
			}
			return c.Devices.Start(ctx, c.Device, gpu.Options{Strategy: gpu.Strategy(c.Strategy), Mdeg: c.Mdeg, Precision: c.Precision, Searches: searches})
		}
	}
	if err := cmp.Or(o.completeKeep(), o.completeEdgeKeep(), o.completeMasses()); err != nil {
		return o, err
	}
	if o.Files.Budget == nil {
		o.Memory = memoryLimit(o)
		o.Files.Budget = budget.New(o.Memory)
	}
	o.Files.Weight = o.Question.Lengths.Column
	files, read := o.Files, o.Read
	files.Threads, files.Directed = o.Threads, o.Question.Directed
	switch {
	case o.Since != nil && o.Since.Changes != nil:
		o.Source = o.Since.source(o.Question, files, read)
	case o.Source == nil:
		o.Source = func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
			if read == nil {
				close(edges)
				return tables.Summary{}, errNoEdges
			}
			return read(ctx, files, edges)
		}
	}
	return o, nil
}

func (c *Compute) complete() error {
	c.Engine = cmp.Or(c.Engine, EngineAuto)
	c.Precision = cmp.Or(c.Precision, Float64)
	c.Device = cmp.Or(c.Device, "all")
	c.Strategy = cmp.Or(c.Strategy, "auto")
	if c.Walk == "auto" {
		c.Walk = ""
	}
	if c.Set == "auto" {
		c.Set = ""
	}
	switch {
	case !oneOf(c.Engine, EngineAuto, EngineCPU, EngineGPU):
		return fmt.Errorf("%w: engine %q: want auto, cpu or gpu", ErrOptions, c.Engine)
	case !oneOf(c.Precision, Float64, Float32):
		return fmt.Errorf("%w: precision %q: want float64 or float32", ErrOptions, c.Precision)
	case !slices.Contains(gpu.Strategies(), gpu.Strategy(c.Strategy)):
		return fmt.Errorf("%w: strategy %q: want one of %v", ErrOptions, c.Strategy, gpu.Strategies())
	case c.Engine == EngineGPU && c.Device == "cpu":
		return fmt.Errorf("%w: engine gpu contradicts device cpu", ErrOptions)
	case c.Threads < 0 || c.Threads > 1024:
		return fmt.Errorf("%w: threads %d: want 0 to 1024", ErrOptions, c.Threads)
	case c.Lanes < 0 || c.Lanes > 64:
		return fmt.Errorf("%w: lanes %d: want 0 to 64", ErrOptions, c.Lanes)
	case c.Mdeg < 0:
		return fmt.Errorf("%w: mdeg %d: want 0 or more", ErrOptions, c.Mdeg)
	case c.Memory < 0:
		return fmt.Errorf("%w: memory %d: want 0 or more", ErrOptions, c.Memory)
	case c.Verify < 0:
		return fmt.Errorf("%w: verify %d: want 0 or more", ErrOptions, c.Verify)
	}
	if err := c.core().Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	c.Threads = cmp.Or(c.Threads, min(runtime.GOMAXPROCS(0), 1024))
	return nil
}

func (o *Output) complete() error {
	o.Sort = cmp.Or(o.Sort, FirstSeen)
	if !oneOf(o.Sort, FirstSeen, ByScore) {
		return fmt.Errorf("%w: sort %q: want first-seen or score", ErrOptions, o.Sort)
	}
	return nil
}

func (p *Parts) complete() error {
	p.SaveInterval = cmp.Or(p.SaveInterval, 30*time.Second)
	if p.SaveInterval < 0 {
		return fmt.Errorf("%w: save interval %v: want 0 or more", ErrOptions, p.SaveInterval)
	}
	if err := p.Shard.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}

func (r *Reports) complete() error {
	r.ProgressInterval = cmp.Or(r.ProgressInterval, 200*time.Millisecond)
	if r.ProgressInterval < 0 {
		return fmt.Errorf("%w: progress interval %v: want 0 or more", ErrOptions, r.ProgressInterval)
	}
	return nil
}

func oneOf[T comparable](value T, allowed ...T) bool {
	return slices.Contains(allowed, value)
}

// memoryLimit is the limit in bytes, or the largest int64 without one.
func memoryLimit(opts Options) int64 {
	limit := opts.Memory
	if limit == 0 {
		limit = machine.Available()
	}
	if limit == 0 {
		return math.MaxInt64
	}
	return limit
}
