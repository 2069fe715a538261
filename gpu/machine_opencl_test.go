//go:build opencl || device

package gpu_test

import (
	"bcstage/gpu"
	"bcstage/gpu/opencl"
)

func init() { gpu.Machine = opencl.Platform{} }
