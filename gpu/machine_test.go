//go:build opencl || device

package gpu

// Machine is the platform of this machine. Package opencl sets it, since it imports this
// package.
var Machine Platform
