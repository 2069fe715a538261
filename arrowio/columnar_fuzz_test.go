package arrowio

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio/internal/ipccheck"
	"bcstage/arrowio/internal/parquetfile"
)

func fuzzColumnar(f *testing.F, seed func(name string, data []byte) bool, magic string) {
	for name, data := range hazardInputs(f) {
		if seed(name, data) {
			f.Add(data)
		}
	}
	files, _ := filepath.Glob(filepath.Join(fixtureFolder, "*.*"))
	more, _ := filepath.Glob(filepath.Join(sparkFolder, "*.*"))
	for _, file := range append(files, more...) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if seed(filepath.Base(file), data) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 || !bytes.HasPrefix(data, []byte(magic)) {
			return
		}
		survive(t, "fuzzed", data)
	})
}

func FuzzStream(f *testing.F) {
	marker := []byte(ipccheck.EndOfStream[:4]) // continuation
	fuzzColumnar(f, func(_ string, data []byte) bool { return bytes.HasPrefix(data, marker) }, string(marker))
}

func FuzzFile(f *testing.F) {
	fuzzColumnar(f, func(_ string, data []byte) bool { return bytes.HasPrefix(data, []byte(ipccheck.Magic)) }, ipccheck.Magic)
}

func FuzzParquet(f *testing.F) {
	fuzzColumnar(f, func(name string, _ []byte) bool { return strings.HasSuffix(name, ".parquet") }, parquetfile.Magic)
}
