//go:build opencl || device

package gpu

import "bcstage/gpu/internal/driver"

// Machine is the platform of this machine. Package opencl sets it, since it imports this
// package.
var Machine driver.Platform
