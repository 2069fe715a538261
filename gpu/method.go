package gpu

import (
	"context"
	"fmt"
)

// Strategy is how a device searches a block: Auto, or one of the methods by name.
type Strategy string

// Auto chooses a method for each block: see engine.Choice.Reason.
const Auto Strategy = "auto"

// method is one way to search the blocks of a plan. A method is one Go file, one
// file of kernels or two, and a line in methods; all other code is the same for all
// methods. A method has no state: what a wave keeps is in the wave's stream.
type method interface {
	// name is what options and choices call it.
	name() Strategy
	// source is the text of the method's kernels. Those of common.cl and sums.cl
	// stand before it.
	source() string
	// suits says whether this is the method for a block, and why. A method that is
	// never chosen, only asked for, says false.
	suits(found survey) (bool, string)
	// fit fills in what the method decides about the shape of its waves. The
	// error says why the method cannot search the block.
	fit(s shape, found survey) (shape, error)
	// buffers are the sizes, in bytes, of what a wave keeps on the device beside
	// what every wave has (see shape.sizes), by the names that kernels use.
	buffers(s shape) map[string]int64
	// search runs both passes over the stream's wave, and leaves its rows and
	// parts folded into sums: see kernels/sums.cl.
	search(ctx context.Context, s *stream) error
}

// methods are asked in this order whether they suit a block whose paths are counted
// from edge to edge.
func methods() []method { return []method{levels{}, solo{}, ragged{}, frontier{}} }

// Strategies are all that Options.Strategy can be: Auto, and the names of methods. They stand here
// again, so that who checks a name does not link what searches.
func Strategies() []Strategy { return []Strategy{Auto, Levels, Solo, Ragged, Frontier} }

// allowed are the methods that a strategy leaves to choose from; none if there
// is no such strategy.
func (s Strategy) allowed() []method {
	if s == Auto {
		return methods()
	}
	for _, m := range methods() {
		if m.name() == s {
			return []method{m}
		}
	}
	return nil
}

// choose picks the method for a block, and says why: one that is the only one for it,
// and the first one where none suits.
func (s Strategy) choose(found survey) (method, string) {
	for _, only := range []method{bitlanes{}, chains{}, lengths{}} {
		if suits, reason := only.suits(found); suits {
			return only, reason
		}
	}
	list := s.allowed()
	switch {
	case s == Solo && found.vertices > soloVertices:
		return frontier{}, fmt.Sprintf("asked for %s, which searches blocks of %d vertices at most", s, soloVertices)
	case s == Solo && !(solo{}).able(found) || s == Ragged && !found.plain:
		return frontier{}, fmt.Sprintf("asked for %s, which the question does not allow", s)
	}
	if s != Auto {
		return list[0], "asked for"
	}
	for _, m := range list {
		if suits, reason := m.suits(found); suits {
			return m, reason
		}
	}
	return list[0], "no other suits"
}
