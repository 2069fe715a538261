package pipeline

import (
	"errors"
	"fmt"

	"bcstage/internal/budget"
	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/ledger"
)

// ErrOptions says that an option has a value outside its documented range, or that two contradict
// each other.
var ErrOptions = errors.New("invalid options")

var (
	errNoSink    = fmt.Errorf("%w: no sink", ErrOptions)
	errNoEdges   = fmt.Errorf("%w: no edges: set Input.Source, or Input.Read (such as arrowio.Read) with Input.Files", ErrOptions)
	errNoStarter = fmt.Errorf("%w: devices are asked for, but Compute.Devices is not set: opencl.Devices() starts them", ErrOptions)
)

// ErrMemory says that the graph, or a table read beside it, needs more memory than Options.Memory.
var ErrMemory = budget.ErrMemory

// ErrTooLarge says that the graph has more than 2 147 483 647 vertices.
var ErrTooLarge = csr.ErrTooLarge

// ErrPaths says that the shortest paths of a pair are too many for float64: see Distances.
var ErrPaths = searches.ErrPaths

// ErrSelfCheck says that a batch missed its self-check on every engine: the
// scores cannot be trusted, so there are none.
var ErrSelfCheck = ledger.ErrSelfCheck

// ErrPartial says that partial results do not belong together: another graph
// or other options, batches counted twice, or batches missing.
var ErrPartial = ledger.ErrPartial

// ErrVerify says that an engine and the textbook algorithm differ by more than
// rounding: the scores cannot be trusted, so there are none.
var ErrVerify = errors.New("verification failed")
