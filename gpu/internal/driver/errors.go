package driver

import "errors"

// Errors by class; test with errors.Is. Every error from a device is also an ErrDevice. The engine
// is then of no further use; others compute the batches that it took and did not hand on.
var (
	// ErrNotBuilt: the program has no OpenCL, for lack of the tag "opencl" on a system that needs
	// it, or because of the tag "nodevices".
	ErrNotBuilt = errors.New(`built without OpenCL: docs/devices.md says which builds have it`)
	// ErrNoDevice: there is no device, or the selection allows none.
	ErrNoDevice = errors.New("no usable OpenCL device")
	// ErrOptions: an option is outside its limits.
	ErrOptions = errors.New("invalid options")
	// ErrDevice: a call to a device failed; it may be lost.
	ErrDevice = errors.New("OpenCL device failed")
	// ErrMemory: the device has too little memory, even for the least work.
	ErrMemory = errors.New("out of device memory")
	// ErrBuild: the device's compiler refuses the kernels.
	ErrBuild = errors.New("kernels do not build")
)
