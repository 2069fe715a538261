//go:build opencl || device

package searches_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"bcstage/gpu/opencl"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// device returns any usable one, with work-groups of that size. With BCSTAGE_REQUIRE_OPENCL=1, having none
// is a failure.
func device(t testing.TB, group int) *searches.Searches {
	t.Helper()
	for _, selection := range []string{"all", "0"} {
		if d, err := opencl.Devices().Single(selection); err == nil {
			t.Log(d.Name())
			s := searches.New(narrow{d, group})
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
	for _, group := range []int{256, 64} {
		s := device(t, group)
		for name, g := range searches.Shapes(rand.New(rand.NewPCG(5, 6)), false) {
			searches.CheckAll(t, s, name, g, 0, uint32(g.Vertices()-3))
		}
		searches.CheckMany(t, s, false, 1, 45, 260)
	}
}

// narrow is a device with smaller work-groups.
type narrow struct {
	searches.Device
	group int
}

func (n narrow) Group() int { return n.group }

// Small enough for a simulator that checks every access: make oclgrind.
func TestTinyOnDevice(t *testing.T) {
	s := device(t, 8)
	for name, g := range searches.Shapes(rand.New(rand.NewPCG(7, 8)), true) {
		searches.CheckAll(t, s, name, g, 0)
	}
	searches.CheckMany(t, s, true, 40)
}

// Published graphs of some kinds; measure papers has all.
func TestPublishedOnDevice(t *testing.T) {
	s := device(t, 256)
	for _, name := range []string{"power.graph.gz", "ca-GrQc.txt.gz", "wiki-Vote.txt.gz"} {
		n, edges := testgraphs.Published(t, name)
		g := &testblocks.Of(n, edges, 64).Graph
		searches.WithLengths(rand.New(rand.NewPCG(9, 1)), g, 100)
		searches.CheckAll(t, s, name, g, 0, uint32(n/2))
	}
}
