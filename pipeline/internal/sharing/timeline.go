package sharing

import "slices"

// TimelinePoint is the work that the engines had finished at a moment of the compute stage.
type TimelinePoint struct {
	Seconds float64   `json:"seconds"` // since the stage began
	Shares  []float64 `json:"shares"`  // of the estimated cost, by engine as in Stats.Engines
}

// timelinePoints is the largest number of points, however long the run.
const timelinePoints = 64

// timeline keeps points at even distances. When it is full, it drops every second point and doubles
// the distance.
type timeline struct {
	distance float64 // least seconds between two points
	points   []TimelinePoint
	end      float64 // seconds until the last add
}

// add adds a point with the costs that clients have finished, seconds after the beginning.
func (t *timeline) add(seconds float64, clients []*Client) {
	t.end = seconds
	if n := len(t.points); n > 0 && seconds < t.points[n-1].Seconds+t.distance {
		return
	}
	if len(t.points) == timelinePoints {
		for i := range timelinePoints / 2 {
			t.points[i] = t.points[2*i+1]
		}
		t.points = t.points[:timelinePoints/2]
		t.distance = seconds / (timelinePoints / 2)
	}
	t.points = append(t.points, pointOf(seconds, clients))
}

func pointOf(seconds float64, clients []*Client) TimelinePoint {
	p := TimelinePoint{Seconds: seconds}
	for _, c := range clients {
		p.Shares = append(p.Shares, c.cost)
	}
	return p
}

// describe returns the points, and the end, as shares of a total cost.
func (t *timeline) describe(clients []*Client, total float64) []TimelinePoint {
	if total == 0 {
		return nil
	}
	points := t.points
	if n := len(points); n > 0 && points[n-1].Seconds < t.end {
		points = append(slices.Clip(points), pointOf(t.end, clients))
	}
	described := make([]TimelinePoint, len(points))
	for i, p := range points {
		described[i] = TimelinePoint{p.Seconds, make([]float64, len(clients))} // later points may have more clients
		for engine, cost := range p.Shares {
			described[i].Shares[engine] = cost / total
		}
	}
	return described
}
