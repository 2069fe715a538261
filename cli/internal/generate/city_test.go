package generate

import (
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"testing"

	"bcstage/arrowio/tables"
)

func cityOf(t *testing.T, n int) (Kind, Parameters, City) {
	t.Helper()
	k, err := Find("road")
	if err != nil {
		t.Fatal(err)
	}
	p := Parameters{N: n, Seed: 3}
	city, ok := k.City(p)
	if !ok {
		t.Fatal("road has no city")
	}
	return k, p, city
}

func listed(rows tables.Rows) (all [][]int64) {
	for row := range rows.Each {
		all = append(all, slices.Clone(row))
	}
	return all
}

// Streets are the edges of road, as long as the way between the places of their ends. A part of them
// is one-way, in both directions.
func TestCityStreets(t *testing.T) {
	k, p, city := cityOf(t, 20_000)
	edges, err := k.Edges(p)
	if err != nil {
		t.Fatal(err)
	}
	places := listed(city.Vertices)
	for v, row := range places {
		if len(row) != 4 || row[0] != int64(v) {
			t.Fatalf("row %d: %v", v, row)
		}
	}
	streets, i, ways := listed(city.Streets), 0, map[int64]int{}
	for u, v := range edges {
		s := streets[i]
		a, b := places[u], places[v]
		metres := math.Hypot(float64(a[1]-b[1]), float64(a[2]-b[2]))
		if s[0] != int64(u) || s[1] != int64(v) || s[2] < 1 || s[2] != max(int64(math.Round(metres)), 1) || s[2] > 250 {
			t.Fatalf("street %d from %v to %v: %v, %f metres apart", i, a, b, s, metres)
		}
		ways[s[3]]++
		i++
	}
	if i != len(streets) || len(ways) != 3 || 10*ways[1] < len(streets)/2 || 10*ways[-1] < len(streets)/2 || 10*ways[0] < 8*len(streets) {
		t.Errorf("%d edges, %d streets, %v one-way", i, len(streets), ways)
	}
	at := uint64(0)
	for s := range roads(p) {
		for _, part := range streets[at : at+s.bends+1] {
			if part[3] != streets[at][3] {
				t.Errorf("street %d runs in several directions", s.number)
			}
		}
		at += s.bends + 1
	}
}

// Trips join inhabited vertices, up to four from each.
func TestCityTrips(t *testing.T) {
	for _, n := range []int{1, 10, 20_000} {
		_, _, city := cityOf(t, n)
		places := listed(city.Vertices)
		inhabited, from := 0, map[int64]int{}
		for _, row := range places {
			if row[3] > 0 {
				inhabited++
			}
		}
		trips := listed(city.Trips)
		for _, row := range trips {
			if from[row[0]]++; row[0] == row[1] || places[row[0]][3] == 0 || places[row[1]][3] == 0 || row[2] < 1 || from[row[0]] > 4 {
				t.Fatalf("trips %v, from %v to %v, number %d", row, places[row[0]], places[row[1]], from[row[0]])
			}
		}
		if n > 1000 && (len(trips) != 4*inhabited || 5*inhabited < len(places) || 3*inhabited > len(places)) {
			t.Errorf("%d vertices, %d inhabited, %d rows of trips", len(places), inhabited, len(trips))
		}
	}
}

// A change here is a change of data set; see TestStable.
func TestCityStable(t *testing.T) {
	_, _, city := cityOf(t, 500)
	for pass := range 2 {
		hash := fnv.New64a()
		for _, rows := range []tables.Rows{city.Streets, city.Vertices, city.Trips} {
			for row := range rows.Each {
				for _, value := range row {
					hash.Write(strconv.AppendInt([]byte{' '}, value, 10))
				}
			}
		}
		if hash.Sum64() != 0xc015f197107ad543 {
			t.Errorf("pass %d: %#x", pass, hash.Sum64())
		}
	}
}

// A loop over rows that ends early ends them.
func TestCityStopsEarly(t *testing.T) {
	_, _, city := cityOf(t, 500)
	for _, rows := range []tables.Rows{city.Streets, city.Vertices, city.Trips} {
		for most := 1; most < 300; most++ {
			seen := 0
			for range rows.Each {
				if seen++; seen == most {
					break
				}
			}
			if seen != most {
				t.Errorf("%d rows of %v", seen, rows.Values)
			}
		}
	}
}
