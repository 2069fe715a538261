package gpu

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
)

// Device is what a driver says about one device.
type Device = driver.Device

// KindCPU is the Kind of a Device that is a CPU.
const KindCPU = driver.KindCPU

// Strategy is how a device searches a block: Auto, or a method by its name.
type Strategy = wave.Strategy

// Strategies are all that Options.Strategy can be, "auto" first.
func Strategies() []Strategy { return methods.Strategies() }

// Errors by class; test with errors.Is. Every error that comes from a device is
// also an ErrDevice: the engine is of no further use, and the batches that it
// took and did not hand on are for others.
var (
	// ErrNotBuilt: the program was built for a system where package opencl has no OpenCL without
	// the tag "opencl", or with the tag "nodevices".
	ErrNotBuilt = driver.ErrNotBuilt
	// ErrNoDevice: no device is there, or none that the selection allows.
	ErrNoDevice = driver.ErrNoDevice
	// ErrOptions: an option is out of its limits.
	ErrOptions = driver.ErrOptions
	// ErrDevice: a call to a device failed; it may be lost.
	ErrDevice = driver.ErrDevice
	// ErrMemory: the device has too little memory, even for the least work.
	ErrMemory = driver.ErrMemory
)
