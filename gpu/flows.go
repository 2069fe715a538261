package gpu

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/seating"
	"bcstage/internal/engine"
)

// flowsOf delivers the flows over edges of packs first..end-1, and both sides of their check.
func (s *stream) flowsOf(first, end int, r *engine.Result) error {
	shape := s.Shape
	if shape.Edges == 0 {
		return nil
	}
	if err := s.SumFlows(first, end); err != nil {
		return err
	}
	s.room.Wait()
	s.flows = s.flows[:shape.Edges]
	if err := s.Read("Flows", driver.Bytes(s.flows)); err != nil {
		return err
	}
	r.Flows, r.FlowGot = s.flows, sumOf(s.flows)
	r.FlowWant = s.flowsWanted(first, end)
	return nil
}

// flowsWanted is the expected sum of the flows of packs first..end-1: for each pair of a source and a target, its
// masses times its distance. A distance is one more than the number of vertices between the ends.
func (s *stream) flowsWanted(first, end int) (sum float64) {
	shape, b, all := s.Shape, s.Block, len(s.Seating.Source)
	if shape.Together { // sums are not kept by source; but those of D by mass are scores
		for v, score := range s.scores {
			if b.Multiplicity != nil {
				score *= b.Multiplicity[v]
			}
			sum += score
		}
	}
	targets := total(b.To)
	for lane := first * shape.Lanes(); lane < end*shape.Lanes(); lane++ {
		reached := 0.0
		switch source := s.Seating.Source[lane]; {
		case shape.Arrives():
			reached = s.arrived[all+lane]
		case source != seating.NoLane:
			reached = targets - b.To[source]
		}
		if !shape.Together {
			reached += s.sums[all+lane]
		}
		sum += s.Seating.Mass[lane] * reached
	}
	return sum
}

// sumOf adds up on all cores, in parts that do not depend on their number.
func sumOf(list []float64) (sum float64) {
	sums := make([]float64, (len(list)+resident.Grain-1)/resident.Grain)
	resident.OnAllCores(len(list), func(first, end int) {
		var parts [4]float64 // independent sums
		for i, x := range list[first:end] {
			parts[i%4] += x
		}
		sums[first/resident.Grain] = (parts[0] + parts[1]) + (parts[2] + parts[3])
	})
	for _, x := range sums {
		sum += x
	}
	return sum
}
