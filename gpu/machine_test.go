//go:build opencl || device

package gpu

// Machine is the platform of this machine, which package opencl has: it imports this one.
var Machine Platform
