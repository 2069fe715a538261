// Package kernels holds the text of the kernels of package gpu.
package kernels

import "embed"

//go:embed *.cl
var texts embed.FS

// Text is the files of some names, without their ending, one after the other.
func Text(names ...string) (text string) {
	for _, name := range names {
		file, err := texts.ReadFile(name + ".cl")
		if err != nil {
			panic(err) // a mistake in the program
		}
		text += string(file)
	}
	return text
}
