//go:build purego || !amd64

package meshes

func kernelSets[T float32 | float64]() []kernels[T] { return []kernels[T]{portable[T]()} }

func drawnSets() []kernels[float64] { return []kernels[float64]{portableDrawn()} }
