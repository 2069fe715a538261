//go:build opencl

package searches_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"bcstage/gpu"
	"bcstage/gpu/searches"
)

// device is any usable one. With BCSTAGE_REQUIRE_OPENCL=1 none is a failure.
func device(t testing.TB) *searches.Searches {
	t.Helper()
	for _, selection := range []string{"all", "0"} {
		if d, err := gpu.OpenSearches(selection); err == nil {
			s := searches.New(d)
			t.Cleanup(func() {
				s.Release()
				d.Close()
			})
			return s
		} else if selection == "0" && os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
			t.Fatal(err)
		}
	}
	t.Skip("no device; BCSTAGE_REQUIRE_OPENCL=1 makes this a failure")
	return nil
}

func TestShapesOnDevice(t *testing.T) {
	s := device(t)
	for name, g := range searches.Shapes(rand.New(rand.NewPCG(5, 6)), false) {
		searches.CheckAll(t, s, name, g, 0, uint32(g.Vertices()-3))
	}
}

// Small enough for a simulator that checks every access: make oclgrind.
func TestTinyOnDevice(t *testing.T) {
	s := device(t)
	for name, g := range searches.Shapes(rand.New(rand.NewPCG(7, 8)), true) {
		searches.CheckAll(t, s, name, g, 0)
	}
}
