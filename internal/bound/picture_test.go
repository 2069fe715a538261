package bound

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/testgraphs"
)

var update = flag.Bool("update", false, "write the picture of docs/estimates.md again")

// The picture in the documentation shows this package's intervals: three vertices
// of a street network of 2 000, during one run to its end.
func TestPicture(t *testing.T) {
	const name = "../../docs/estimates.svg"
	p := sources("streets", testgraphs.CutGrid(rand.New(rand.NewPCG(9, 9)), 2000, 0.6), nil)
	ranked := make([]int, len(p.truth))
	for v := range ranked {
		ranked[v] = v
	}
	slices.SortFunc(ranked, func(a, b int) int {
		if p.truth[a] > p.truth[b] {
			return -1
		}
		return 1
	})
	d := drawing{most: 2 * p.truth[ranked[0]], draws: float64(p.members)}
	var runs [3][]moment
	run(t, p, p.options(0.05), 1, func(b *Bound, c Columns, s *Stage) {
		for i, v := range []int{ranked[0], ranked[60], ranked[400]} {
			searched := float64(p.members) * (1 - s.Left) // an original is its own source here
			runs[i] = append(runs[i], moment{searched, c.Lower[v], c.Estimate[v], c.Upper[v]})
			d.truth[i] = p.truth[v]
		}
	})
	picture := d.picture(runs)
	if *update {
		if err := os.WriteFile(name, []byte(picture), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != picture {
		t.Error("docs/estimates.svg is not what this package does; go test -run Picture -update ./pipeline/bound writes it again")
	}
}

type moment struct{ draws, lower, estimate, upper float64 }

type drawing struct {
	most, draws float64
	truth       [3]float64
}

const (
	left, top, width, height = 70.0, 20.0, 620.0, 300.0
)

func (d *drawing) x(draws float64) float64 {
	return left + width*math.Log2(draws/50)/math.Log2(d.draws/50)
}
func (d *drawing) y(score float64) float64 { return top + height*(1-min(score/d.most, 1)) }

func (d *drawing) picture(runs [3][]moment) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 380" font-family="sans-serif" font-size="13" fill="#333">
<title>Intervals of three vertices of a street network of %.0f, while sources are searched</title>
<rect width="760" height="380" fill="#fff"/>
`, d.draws)
	for score := 0.0; score < d.most; score += 0.1 {
		fmt.Fprintf(&s, `<path d="M%.1f %.1fH%.1f" stroke="#ddd"/><text x="%.1f" y="%.1f" text-anchor="end">%.1f</text>
`, left, d.y(score), left+width, left-8, d.y(score)+4, score)
	}
	for draws := 64.0; draws < d.draws; draws *= 2 {
		fmt.Fprintf(&s, `<path d="M%.1f %.1fv5" stroke="#999"/><text x="%.1f" y="%.1f" text-anchor="middle">%.0f</text>
`, d.x(draws), top+height, d.x(draws), top+height+19, draws)
	}
	fmt.Fprintf(&s, `<text x="%.1f" y="%.1f" text-anchor="middle">sources searched, of %.0f</text>
<text transform="translate(18 %.1f) rotate(-90)" text-anchor="middle">share of all pairs</text>
`, left+width/2, top+height+44, d.draws, top+height/2)
	for i, color := range []string{"#c0392b", "#2471a3", "#1e8449"} {
		var band, line strings.Builder
		for j, m := range runs[i] {
			fmt.Fprintf(&band, "%c%.1f %.1f", "ML"[min(j, 1)], d.x(m.draws), d.y(m.upper))
			fmt.Fprintf(&line, "%c%.1f %.1f", "ML"[min(j, 1)], d.x(m.draws), d.y(m.estimate))
		}
		for _, m := range slices.Backward(runs[i]) {
			fmt.Fprintf(&band, "L%.1f %.1f", d.x(m.draws), d.y(m.lower))
		}
		fmt.Fprintf(&s, `<path d="%sZ" fill="%s" fill-opacity="0.22"/>
<path d="%s" fill="none" stroke="%s" stroke-width="1.8"/>
<path d="M%.1f %.1fH%.1f" stroke="%s" stroke-dasharray="4 4"/>
`, band.String(), color, line.String(), color, left, d.y(d.truth[i]), left+width, color)
	}
	s.WriteString("</svg>\n")
	return s.String()
}
