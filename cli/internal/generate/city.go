package generate

import (
	"iter"
	"math"
	"math/rand/v2"

	"bcstage/arrowio/tables"
)

// road is a grid of about 0.4 N junctions. A fourth of the streets, drawn, is missing; the others
// have bends, one on average and geometrically distributed. The mean degree is that of the USA road
// networks of the 9th DIMACS challenge, 2.4, and paths between junctions are of unequal length.
// Junctions come first, then bends, street by street; N is met on average.
func road(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		for s := range roads(p) {
			for i := range s.bends + 1 {
				if !yield(s.vertex(i), s.vertex(i+1)) {
					return
				}
			}
		}
	}
}

// street is a street between two junctions.
type street struct {
	number       uint64 // of the streets of the full grid
	ends         [2]uint64
	first, bends uint64 // its bends are vertices of successive numbers
}

// vertex is the i-th vertex from the first end on.
func (s street) vertex(i uint64) uint64 {
	switch i {
	case 0:
		return s.ends[0]
	case s.bends + 1:
		return s.ends[1]
	}
	return s.first + i - 1
}

// side is the number of junctions in a row of the grid.
func side(p Parameters) uint64 { return max(uint64(math.Sqrt(0.4*float64(p.N))), 1) }

// roads are the streets that exist.
func roads(p Parameters) iter.Seq[street] {
	return func(yield func(street) bool) {
		random := rand.New(rand.NewPCG(p.Seed, 0))
		s := street{first: side(p) * side(p)}
		for u, v := range grid(Parameters{Rows: int(side(p)), Cols: int(side(p))}) {
			s.number++
			if random.Uint32()&3 == 0 {
				continue
			}
			s.ends, s.bends = [2]uint64{u, v}, 0
			for random.Uint32()&1 == 1 && s.first+s.bends < maxVertices {
				s.bends++
			}
			if !yield(s) {
				return
			}
			s.first += s.bends
		}
	}
}

// City is a network of streets as tables. Lengths and places are in whole metres.
type City struct {
	Streets  tables.Rows // src, dst, length; oneway: 1 from src to dst, -1 from dst to src, 0 both ways
	Vertices tables.Rows // vertex, x, y, population: of every junction and bend
	Trips    tables.Rows // origin, destination, trips: up to four rows for each inhabited vertex
}

// City returns the tables of the kind "road", for parameters that Edges accepts; false: the kind has
// none. The edges are those of Edges. Junctions lie 100 metres apart, and up to 30 metres beside their
// place; bends lie up to 10 metres beside the line between the junctions. Each eighth street is
// one-way, and each fourth vertex inhabited, by up to 100 people.
func (k Kind) City(p Parameters) (_ City, ok bool) {
	c := plan{p, side(p)}
	return City{
		Streets: tables.Rows{Ends: [2]string{"src", "dst"}, Values: []string{"length", "oneway"}, Each: func(yield func([]int64) bool) {
			for s := range roads(p) {
				from := c.place(s, 0)
				for i := range s.bends + 1 {
					to := c.place(s, i+1)
					if !yield([]int64{int64(s.vertex(i)), int64(s.vertex(i + 1)), distance(from, to), c.way(s)}) {
						return
					}
					from = to
				}
			}
		}},
		Vertices: tables.Rows{Values: []string{"x", "y", "population"}, Each: func(yield func([]int64) bool) {
			row := func(v uint64, at [2]int64) bool { return yield([]int64{int64(v), at[0], at[1], c.population(v)}) }
			for v := range c.side * c.side {
				if !row(v, c.junction(v)) {
					return
				}
			}
			for s := range roads(p) {
				for i := range s.bends {
					if !row(s.vertex(i+1), c.place(s, i+1)) {
						return
					}
				}
			}
		}},
		Trips: tables.Rows{Ends: [2]string{"origin", "destination"}, Values: []string{"trips"}, Each: c.trips},
	}, k.Name == "road"
}

// plan draws the places and people of a city, each by itself, from hashes.
type plan struct {
	Parameters
	side uint64
}

// What is drawn.
const (
	ofX = iota
	ofY
	ofWay
	ofPeople
	ofTrips
)

func (c plan) draw(what, number uint64) uint64 { return hash(hash(c.Seed^hash(what)) ^ number) }

// beside is a number from -most to most.
func (c plan) beside(what, vertex, most uint64) int64 {
	return int64(c.draw(what, vertex)%(2*most+1)) - int64(most)
}

func (c plan) junction(v uint64) [2]int64 {
	return [2]int64{int64(v%c.side*100) + c.beside(ofX, v, 30), int64(v/c.side*100) + c.beside(ofY, v, 30)}
}

// place is where the i-th vertex of a street lies.
func (c plan) place(s street, i uint64) (at [2]int64) {
	v := s.vertex(i)
	if i == 0 || i == s.bends+1 {
		return c.junction(v)
	}
	from, to, parts := c.junction(s.ends[0]), c.junction(s.ends[1]), int64(s.bends+1)
	for axis := range at {
		at[axis] = (from[axis]*(parts-int64(i))+to[axis]*int64(i))/parts + c.beside(uint64(ofX+axis), v, 10)
	}
	return at
}

// distance is at least 1 metre. A square root is rounded correctly on every processor.
func distance(a, b [2]int64) int64 {
	x, y := a[0]-b[0], a[1]-b[1]
	return max(int64(math.Round(math.Sqrt(float64(x*x+y*y)))), 1)
}

func (c plan) way(s street) int64 {
	switch c.draw(ofWay, s.number) % 16 {
	case 0:
		return 1
	case 1:
		return -1
	}
	return 0
}

func (c plan) population(v uint64) int64 {
	if r := c.draw(ofPeople, v); r%4 == 0 {
		return int64(1 + r/4%100)
	}
	return 0
}

// trips are from every inhabited vertex to up to four others, drawn from the inhabited ones.
func (c plan) trips(yield func([]int64) bool) {
	vertices := c.side * c.side
	for s := range roads(c.Parameters) {
		vertices += s.bends
	}
	for origin := range vertices {
		if c.population(origin) == 0 {
			continue
		}
		found := 0
		for try := range uint64(64) {
			r := c.draw(ofTrips, origin*64+try)
			to := r / 16 % vertices
			if to == origin || c.population(to) == 0 {
				continue
			}
			if !yield([]int64{int64(origin), int64(to), int64(1 + r%16)}) {
				return
			}
			if found++; found == 4 {
				break
			}
		}
	}
}
