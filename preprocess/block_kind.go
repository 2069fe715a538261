package preprocess

import "bcstage/internal/engine"

// Kind returns the kind of a block. It is derived from the fields of the block's layout, so it cannot contradict them.
func (b *Block) Kind() engine.Kind {
	along := engine.KindHops // a kind with lengths follows the same without
	if b.HasLengths() {
		along = engine.KindLengths
	}
	switch {
	case b.Roads != nil:
		return engine.KindChainReach
	case b.Distances:
		return engine.KindReach + along
	case b.Chains != nil:
		return engine.KindChains + along
	}
	return along
}

// HasDraws reports whether the block's sources are drawn.
func (p *Paths) HasDraws() bool { return p.Draws != nil }

// drawn reports whether the block's sources are drawn, whoever weighs them.
func (p *Paths) drawn() bool { return p.Draws != nil || p.Times != nil }

// Weighs reports whether a mass counts by its distance from the source, or sources are drawn: both use the same
// kernels.
func (p *Paths) Weighs() bool { return p.Draws != nil || p.Decay != nil }

// HasFlows reports whether a search sums the flows of edges.
func (p *Paths) HasFlows() bool { return p.Flows != nil }

// FindsOwn reports whether a search for distances finds the source's own numbers instead of contributions to those of
// others.
func (r *Reaches) FindsOwn() bool { return r.Own || r.Roads != nil }
