//go:build purego || !amd64

package meshes

func kernelSets() []kernels { return []kernels{portable()} }

func drawnSets() []kernels { return []kernels{portableDrawn()} }
