package driver

import "errors"

// Errors by class; test with errors.Is. Every error that comes from a device is
// also an ErrDevice: the engine is of no further use, and the batches that it
// took and did not hand on are for others.
var (
	// ErrNotBuilt: the program was built for a system where package opencl has no OpenCL without
	// the tag "opencl", or with the tag "nodevices".
	ErrNotBuilt = errors.New(`built without OpenCL: docs/devices.md says which builds have it`)
	// ErrNoDevice: no device is there, or none that the selection allows.
	ErrNoDevice = errors.New("no usable OpenCL device")
	// ErrOptions: an option is out of its limits.
	ErrOptions = errors.New("invalid options")
	// ErrDevice: a call to a device failed; it may be lost.
	ErrDevice = errors.New("OpenCL device failed")
	// ErrMemory: the device has too little memory, even for the least work.
	ErrMemory = errors.New("out of device memory")
	// ErrBuild: the device's compiler refuses the kernels.
	ErrBuild = errors.New("kernels do not build")
)
