// Package kernels holds the text of the kernels of package gpu.
package kernels

import "embed"

//go:embed *.cl
var texts embed.FS

// Text concatenates the files of these names, which lack the ending .cl.
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
