package gpu

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
)

// Options of Starter.Start. The zero value asks for the defaults.
type Options struct {
	Precision engine.Precision // "": Float64
	Strategy  Strategy         // one of Strategies(); "": Auto

	// Searches lists the kinds of search that blocks may need; nil: measures.Paths.
	// Kernels for others are not built, and their blocks declined.
	Searches []measures.Search

	// Lanes is the number of sources that share a row: 32 or 64. 0: 64, and 32
	// where memory is short or the device has no 64-bit atomics.
	Lanes int
	// Packs is the largest number of packs that are searched at once. 0: as many as
	// fill the device and fit its memory.
	Packs int
	// WorkGroup is the number of work-items of a work-group: a multiple of 32 up to
	// 1024. 0: 256, or fewer where a strategy is faster with fewer or the device
	// allows no more.
	WorkGroup int
	// Mdeg is the degree above which a whole work-group shares one vertex in strategy
	// Levels. 0: from the degree histogram, and not below the work-items of a
	// work-group; none if all vertices of a block have few edges.
	Mdeg int
	// MinBlock is the least number of vertices of a block for a device; 0: 512.
	MinBlock int
	// Streams is the number of waves in flight: 1 to 8. 0: 2.
	Streams int
	// Memory is the largest device memory to use, in bytes. 0: nine tenths.
	Memory int64
	// Threads is the number of goroutines that survey a block. 0: GOMAXPROCS.
	Threads int
	// Portable leaves out abilities of only some vendors' devices.
	Portable bool
}

// methods lists the methods that may search blocks.
func (o Options) methods() (list []methods.Candidate) {
	if slices.Contains(o.Searches, measures.Paths) {
		list = append(list, methods.Allowed(o.Strategy)...)
	}
	if slices.Contains(o.Searches, measures.Distances) {
		list = append(list, methods.Named(methods.Bitlanes))
	}
	return list
}

// flows says whether blocks searched by a method may have Flows. In blocks with
// chains, edges are vertices.
func (o Options) flows(m methods.Candidate) bool {
	return slices.Contains(o.Searches, measures.Flows) && slices.Contains(methods.Counting(), m)
}

// check returns the options with defaults filled in, or ErrOptions. Memory,
// WorkGroup and Lanes depend on the device and stay 0.
func (o Options) check() (Options, error) {
	o.Precision = cmp.Or(o.Precision, engine.Float64)
	o.Strategy = cmp.Or(o.Strategy, methods.Auto)
	if len(o.Searches) == 0 {
		o.Searches = []measures.Search{measures.Paths}
	}
	o.MinBlock = cmp.Or(o.MinBlock, 512)
	o.Streams = cmp.Or(o.Streams, 2)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	var what string
	switch {
	case !slices.Contains(engine.Precisions(), o.Precision):
		what = fmt.Sprintf("unknown precision %q", o.Precision)
	case !slices.Contains(methods.Strategies(), o.Strategy):
		what = fmt.Sprintf("strategy %q: want one of %v", o.Strategy, methods.Strategies())
	case o.Lanes != 0 && o.Lanes != 32 && o.Lanes != 64:
		what = fmt.Sprintf("%d lanes: want 32 or 64", o.Lanes)
	case o.Packs < 0:
		what = fmt.Sprintf("%d packs: want 0 or more", o.Packs)
	case o.WorkGroup < 0 || o.WorkGroup > 1024 || o.WorkGroup%driver.Team != 0:
		what = fmt.Sprintf("work-groups of %d: want a multiple of 32 up to 1024", o.WorkGroup)
	case o.Mdeg < 0:
		what = fmt.Sprintf("mdeg %d: want 0 or more", o.Mdeg)
	case o.MinBlock < 0:
		what = fmt.Sprintf("blocks of %d vertices: want 0 or more", o.MinBlock)
	case o.Streams < 1 || o.Streams > 8:
		what = fmt.Sprintf("%d streams: want 1 to 8", o.Streams)
	case o.Threads < 0:
		what = fmt.Sprintf("%d threads: want 0 or more", o.Threads)
	case o.Memory < 0:
		what = fmt.Sprintf("%d bytes of memory: want 0 or more", o.Memory)
	default:
		return o, nil
	}
	return o, fmt.Errorf("gpu: %w: %s", driver.ErrOptions, what)
}
