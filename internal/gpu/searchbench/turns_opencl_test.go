//go:build opencl || device

package searchbench

import (
	"fmt"
	"os"
	"testing"

	"bcstage/gpu"
	"bcstage/gpu/opencl"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// scarce is a device with little memory.
type scarce struct {
	searches.Device
	most, held, highest int
	taken               map[searches.Buffer]int
}

func (s *scarce) Allocate(bytes int) (searches.Buffer, error) {
	if s.held+bytes > s.most {
		return nil, fmt.Errorf("%d bytes: %w", bytes, gpu.ErrMemory)
	}
	b, err := s.Device.Allocate(bytes)
	if err == nil {
		s.held += bytes
		s.taken[b] = bytes
		s.highest = max(s.highest, s.held)
	}
	return b, err
}

func (s *scarce) Free(b searches.Buffer) {
	s.held -= s.taken[b]
	delete(s.taken, b)
	s.Device.Free(b)
}

// Strategies that do not fit in memory together are measured all the same. One that does not fit
// alone says so. Every other strategy has a time for every source.
func TestContestInLittleMemory(t *testing.T) {
	device, err := opencl.Devices().Single("0")
	if err != nil {
		if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer device.Close()
	g := &testblocks.Of(900, testgraphs.Grid(30, 30), 64).Graph
	measure := func(most int) (*scarce, *contest) {
		d := &scarce{Device: device, most: most, taken: map[searches.Buffer]int{}}
		on := searches.New(d)
		on.Keep(g)
		c := &contest{graph: g, workers: 1, sources: []uint32{0, 5, 77}, on: on}
		if err := c.expect(t.Context(), searches.BFS); err != nil {
			t.Fatal(err)
		}
		for _, name := range searches.Solving(searches.BFS) {
			c.list = append(c.list, &contender{figures: Figures{Problem: searches.BFS, Strategy: name, Chosen: name}})
		}
		if err := c.measure(t.Context()); err != nil {
			t.Fatal(err)
		}
		on.Release()
		if d.held != 0 {
			t.Errorf("%d bytes held at the end", d.held)
		}
		return d, c
	}
	ample, c := measure(1 << 40)
	largest := int64(0)
	for _, s := range c.list {
		largest = max(largest, s.figures.Bytes)
	}
	if int64(ample.highest) <= 2*largest {
		t.Fatalf("%d bytes at most, the largest alone takes %d: nothing to run short of", ample.highest, largest)
	}
	for _, most := range []int64{largest, largest - 4} {
		d, c := measure(int(most))
		if int64(d.highest) > most {
			t.Errorf("%d bytes held of %d", d.highest, most)
		}
		failed := 0
		for _, s := range c.list {
			switch f := s.figures; {
			case f.Err != nil:
				failed++
			case len(f.Seconds) != 3 || len(f.TEPS) != 3 || len(f.Rounds) != 3 || f.Seconds[0] <= 0:
				t.Errorf("%s: %+v", f.Strategy, f)
			}
		}
		if (failed > 0) != (most < largest) || failed == len(c.list) {
			t.Errorf("%d bytes: %d of %d strategies failed", most, failed, len(c.list))
		}
	}
}
