package gpu

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
)

// Strategy is how a device searches a block: Auto, or a method by its name.
type Strategy = wave.Strategy

// Strategies lists the values of Options.Strategy, "auto" first.
func Strategies() []Strategy { return methods.Strategies() }

// Errors by class; test with errors.Is. Every error from a device is also an ErrDevice. The engine
// is then of no further use; others compute the batches that it took and did not hand on.
var (
	// ErrNotBuilt: the program has no OpenCL, for lack of the tag "opencl" on a system that needs
	// it, or because of the tag "nodevices".
	ErrNotBuilt = driver.ErrNotBuilt
	// ErrNoDevice: there is no device, or the selection allows none.
	ErrNoDevice = driver.ErrNoDevice
	// ErrOptions: an option is outside its limits.
	ErrOptions = driver.ErrOptions
	// ErrDevice: a call to a device failed; it may be lost.
	ErrDevice = driver.ErrDevice
	// ErrMemory: the device has too little memory, even for the least work.
	ErrMemory = driver.ErrMemory
)
