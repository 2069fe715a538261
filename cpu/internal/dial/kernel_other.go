//go:build !amd64 || purego

package dial

func kernelOf(string) kernel { return look }
