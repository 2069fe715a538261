package gpu

import (
	"context"
	"errors"
	"math"
	"math/bits"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
)

// Results of blocks searched for distances are whole numbers, which stay on the device.
// Wave after wave adds to them, and one result has all batches that were taken together.

// shares is how many takings a device's part of such a block is cut into, if each fills
// the device. They are few, so that the host reads and adds up little, but enough for
// other devices to get a part.
const shares = 16

// smallShare is how many times the packs of a small block fit a device.
const smallShare = 8

// share is how many packs one of several streams takes together, of `wanted` for each
// device, where `full` fill the device. Each stream takes about equally many, in whole
// batches of `batch` packs. One stream takes all of a small block, since a second has
// buffers and launches of its own. Columns of facebook_combined beside betweenness take an
// H200 4.6 ms with one, and 5.3 with two.
func share(wanted, full, streams int, batch float64) int {
	if wanted*smallShare <= full {
		streams = 1
	}
	rounds := (wanted + full*streams - 1) / (full * streams)
	packs := max((wanted+shares-1)/shares, (wanted+rounds*streams-1)/(rounds*streams), 1)
	return int(math.Ceil(math.Ceil(float64(packs)/batch) * batch))
}

// summed hands on the results of compute for batches of one block: one result for
// batches that follow each other, unless they are handed on apart.
func (s *stream) summed(ctx context.Context, t *task, compute func(context.Context, *task, wave.Shape, []engine.Batch) (engine.Result, error), batches []engine.Batch, apart bool, done func(engine.Result) error) error {
	for len(batches) > 0 {
		shape := t.now()
		most := max(t.takes, shape.Packs) * shape.Lanes()
		count, sources := 1, batches[0].Count
		for !apart && count < len(batches) && seating.Follows(batches[count-1], batches[count]) && sources+batches[count].Count <= most {
			sources += batches[count].Count
			count++
		}
		result, err := compute(ctx, t, shape, batches[:count])
		if errors.Is(err, driver.ErrMemory) && t.fewerPacks(shape) {
			s.Drop()
			continue
		}
		if err != nil {
			return err
		}
		if err := done(result); err != nil {
			return err
		}
		batches = batches[count:]
	}
	return nil
}

// distances computes the result of batches that follow each other.
func (s *stream) distances(ctx context.Context, t *task, shape wave.Shape, batches []engine.Batch) (engine.Result, error) {
	if err := s.total(ctx, t, shape, batches); err != nil {
		return engine.Result{}, err
	}
	return s.found(t, batches)
}

// total leaves on the device the sums over all sources of the batches.
func (s *stream) total(ctx context.Context, t *task, shape wave.Shape, batches []engine.Batch) error {
	first, end := batches[0], seating.Last(batches)
	sources := t.block.Sources[first.First : end.First+end.Count]
	s.Shape = shape
	if err := s.ReserveAll(shape.Sizes()); err != nil {
		return err
	}
	makeRoom(s, &s.totals, methods.Sums*shape.Vertices)
	makeRoom(s, &s.distant, shape.Vertices)
	for name, words := range map[string]int{"Counts": shape.Vertices, "Totals": 2 * methods.Sums * shape.Vertices} {
		if err := s.Launch(wave.Fill{Words: uint32(words), Out: s.Memory[name]}, s.Flat(words), 1); err != nil {
			return err
		}
	}
	for len(sources) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		count := min(len(sources), shape.Packs*shape.Lanes())
		s.Seating.Line(sources[:count], shape.Lanes())
		s.Shape.Packs = s.Seating.Packs
		if err := s.Write("Source", driver.Bytes(s.Seating.Source)); err != nil {
			return err
		}
		if err := s.Write("Used", driver.Bytes(s.Seating.Counts)); err != nil {
			return err
		}
		if err := shape.Method.Search(ctx, &s.Wave); err != nil {
			return err
		}
		sources = sources[count:]
	}
	return nil
}

// found reads the sums that total has left.
func (s *stream) found(t *task, batches []engine.Batch) (engine.Result, error) {
	n := s.Shape.Vertices
	s.room.Wait()
	sums := s.totals[:methods.Sums*n]
	if err := s.Read("Totals", driver.Bytes(sums)); err != nil {
		return engine.Result{}, err
	}
	s.distant = s.distant[:n]
	got := uint64(0)
	for v := range s.distant {
		s.distant[v] = foundOf(sums[v:], n)
		got += sums[v]
	}
	want := got // in a directed graph nothing else tells the reach
	if reach := t.block.Reach; reach != nil {
		want = 0
		for _, b := range batches {
			for _, source := range t.block.Sources[b.First : b.First+b.Count] {
				want += uint64(reach[source])
			}
		}
	}
	return engine.Result{
		Batch: batches[0], More: len(batches) - 1, Found: s.distant,
		Got: []float64{float64(got)}, Want: []float64{float64(want)}, Together: true,
	}, nil
}

// foundOf decodes a vertex's totals, which lie `apart` numbers apart.
func foundOf(sums []uint64, apart int) engine.Found {
	low, high := sums[2*apart], sums[3*apart] // of inverses, the high half in units of 2^32
	low, carry := bits.Add64(low, high<<32, 0)
	return engine.Found{
		Reach: sums[0], Farness: sums[apart], Eccentricity: sums[4*apart],
		Harmonic: low, HarmonicHigh: high>>32 + carry,
	}
}
