package cpu

import (
	"fmt"
	"slices"
	"strings"

	"bcstage/cpu/internal/lanes"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Walks returns the names that Options.Walk can have.
func Walks() (names []string) {
	for _, w := range walks() {
		names = append(names, w.name)
	}
	return names
}

// Sets returns the instruction sets of this processor, the fastest first: the values that Options.Set can have.
func Sets() (names []string) {
	for _, set := range lanes.Sets() {
		names = append(names, set.Name)
	}
	return names
}

// Choices says how a Worker searches the blocks of a plan. The error is engine.ErrWalk, with the reason, if Options.Walk suits
// none of them.
func Choices(plan *preprocess.Plan, opts Options) ([]engine.WalkChoice, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	c := opts.chooser()
	var choices []engine.WalkChoice
	at, taken := make(map[engine.WalkChoice]int), opts.Walk == "" || len(plan.Blocks) == 0
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		on := c.core.of(b)
		w, why := c.choose(b, on)
		taken = taken || w.name == opts.Walk
		choice := engine.WalkChoice{Kind: b.Kind().String(), Walk: w.name, Set: w.setOf(on), Precision: w.numbers(on), Why: why}
		k, known := at[choice]
		if !known {
			k = len(choices)
			at[choice] = k
			choices = append(choices, choice)
			choices[k].Block = i
		}
		choices[k].Blocks++
		choices[k].Vertices += int64(b.Vertices())
		choices[k].Arcs += int64(len(b.Targets))
	}
	if !taken {
		b := &plan.Blocks[0]
		w, _ := c.named(opts.Walk)
		return nil, fmt.Errorf("%w %s does not suit the largest block (%d vertices, kind %s): %s", engine.ErrWalk, w.name, b.Vertices(), b.Kind(), w.refuses(b, c.core.of(b)))
	}
	return choices, nil
}

// Check returns an error for an option that names an unknown walk, instruction set or precision.
func (o Options) Check() error {
	switch {
	case o.Walk != "" && !slices.Contains(Walks(), o.Walk):
		return fmt.Errorf("cpu: no walk %q: want one of %s", o.Walk, strings.Join(Walks(), ", "))
	case o.Set != "" && !slices.Contains(Sets(), o.Set):
		return fmt.Errorf("cpu: no instruction set %q on this processor: want one of %s", o.Set, strings.Join(Sets(), ", "))
	case o.Precision != "" && !slices.Contains(engine.Precisions(), o.Precision):
		return fmt.Errorf("cpu: unknown precision %q", o.Precision)
	}
	return nil
}

// chooser finds the walk of a block.
type chooser struct {
	walks  []walk
	core   core
	forced string // walk of all blocks that it suits; "": none
}

// chooser makes the chooser of options that have passed Check.
func (o Options) chooser() chooser {
	sets := lanes.Sets()
	at := max(slices.IndexFunc(sets, func(set lanes.Set) bool { return set.Name == o.Set }), 0)
	c := chooser{walks: walks(), core: core{sets[at], engine.Float64}, forced: o.Walk}
	if o.Precision == engine.Float32 {
		c.core.precision = engine.Float32
	}
	return c
}

// named returns the walk of that name.
func (c *chooser) named(name string) (*walk, bool) {
	at := slices.IndexFunc(c.walks, func(w walk) bool { return w.name == name })
	if at < 0 {
		return nil, false
	}
	return &c.walks[at], true
}

// choose finds the walk of a block, and the reason.
func (c *chooser) choose(b *preprocess.Block, on core) (*walk, string) {
	if w, ok := c.named(c.forced); ok && w.refuses(b, on) == "" {
		return w, "asked for"
	}
	for i := range c.walks {
		w := &c.walks[i]
		if w.refuses(b, on) != "" {
			continue
		}
		if w.pays == nil {
			return w, w.why
		}
		if pays, why := w.pays(b, on); pays {
			return w, why
		}
	}
	panic("cpu: no walk for a block of kind " + b.Kind().String()) // each kind has one that always pays: TestEveryKindHasAWalk
}

// of returns the core as it computes a block: blocks with flows need float64.
func (on core) of(b *preprocess.Block) core {
	if b.HasFlows() || b.Decay != nil || b.HasTrips() { // decay needs the range, and trips the digits
		on.precision = engine.Float64
	}
	return on
}

// numbers returns the precision of the numbers that the walk keeps.
func (w *walk) numbers(on core) engine.Precision {
	if w.narrow {
		return on.precision
	}
	return engine.Float64
}

// setOf returns the instruction set of the walk's kernels.
func (w *walk) setOf(on core) string {
	sets := lanes.Sets()
	from := slices.IndexFunc(sets, func(set lanes.Set) bool { return set.Name == on.set.Name })
	for _, set := range sets[from:] {
		if slices.Contains(w.sets, set.Name) {
			return set.Name
		}
	}
	return lanes.Portable().Name
}
