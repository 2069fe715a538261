//go:build unix

package report

import (
	"bytes"
	"image/png"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// sample is a report about n vertices with scores over many decades.
func sample(n int) Data {
	random := rand.New(rand.NewPCG(3, 4))
	d := Data{Title: `a<b>&"c".parquet`, Names: []string{"vertex"}, Version: "(devel)", Metadata: []tables.KeyValue{
		{Key: "normalisation", Value: "none: sum over unordered pairs"}, {Key: "m", Value: "1234567"}, {Key: "engine", Value: "cpu,gpu 0"}, {Key: "precision", Value: "float64"}}}
	scores, degrees, closeness := Column{Name: "betweenness_centrality"}, Column{Name: DegreeColumn, Whole: true}, Column{Name: "closeness_centrality"}
	for v := range n {
		degrees.Values = append(degrees.Values, float64(1+random.Int64N(1000)))
		scores.Values = append(scores.Values, math.Pow10(random.IntN(10))*float64(v%3))
		closeness.Values = append(closeness.Values, random.Float64())
	}
	d.Columns = []Column{scores, closeness, degrees}
	for row, name := range []string{"b", "</title></svg><script>alert(1)</script>", "c</script>"} {
		d.Top = append(d.Top, Vertex{Row: row, Rank: row + 1, ID: []string{name}})
	}
	d.Stats = &Stats{Stats: pipeline.Stats{
		Vertices: n, Edges: 20, EdgesRead: 23, Duplicates: 2, SelfLoops: 1, Folded: n / 3, LargestBlock: n / 2, Blocks: 4, Batches: 5,
		Engines:  []pipeline.EngineStat{{Name: "cpu", Batches: 2, Share: 0.4}, {Name: "gpu 0", Batches: 3, Share: 0.6}},
		Seconds:  pipeline.Seconds{Read: 1, Build: 0.5, Reduce: 0.25, Compute: 10, Restore: 0.001, Write: 0.1, Total: 725},
		Notes:    []string{"one thing to know"},
		Warnings: []string{"one thing to fear"},
	}, Run: &Run{
		Inputs: []string{"edges<1>.csv"}, Command: "bcstage 'edges<1>.csv'", Options: map[string]string{"lanes": "8"}, Began: "2026-03-04T05:06:07Z",
		Machine: Machine{Processor: "Abacus 9", Cores: 4, Memory: 8 << 30, OS: "Plan 9"},
	}}
	for i := range 40 { // the gpu starts at half-time, and does six tenths
		p := pipeline.TimelinePoint{Seconds: float64(i+1) / 4, Shares: []float64{float64(i+1) / 100, 0}}
		p.Shares[1] = 0.6 * max(float64(i-19)/20, 0)
		d.Stats.Timeline = append(d.Stats.Timeline, p)
	}
	return d
}

func written(t *testing.T, d Data) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The page has every part, results before costs, escapes users' names, refers to nothing outside
// it, and does not grow with the graph.
func TestWrite(t *testing.T) {
	page := written(t, sample(200_000))
	at := 0
	for _, want := range []string{"one thing to fear", "200 000", "1 234 567", "12m5s", "edges&lt;1&gt;.csv", "4 March 2026, 05:06 UTC", "Abacus 9, 4 cores, 8 GiB, Plan 9",
		"float64 on cpu, gpu 0", "Highest scores", "&lt;script&gt;", "Score distribution", "66\u00a0667 of 200\u00a0000 vertices",
		"Closeness centrality against betweenness", "<title>&lt;/title&gt;", "Degree against betweenness", "<details", "lanes=8", "one thing to know",
		"Vertices left by the reductions", "Time per stage", "Work by engine", "gpu 0", "Engines over time"} {
		next := strings.Index(page[at:], want)
		if next < 0 {
			t.Fatalf("no %q, or before what it should follow", want)
		}
		at += next
	}
	if got := strings.Count(page, "<script"); got != 1 {
		t.Errorf("%d scripts, want the page's own: an id is not escaped", got)
	}
	own := strings.Replace(page, pageScript, "", 1) // the script sets no addresses, but table.rows and the like
	for _, reference := range regexp.MustCompile(`(src|href|url|@import)\s*[=(]`).FindAllString(own, -1) {
		t.Errorf("a reference: %s", reference)
	}
	for _, reference := range regexp.MustCompile(`https?://[^"\s]*`).FindAllString(page, -1) {
		if !strings.HasPrefix(reference, "http://www.w3.org/") { // names of formats
			t.Errorf("an address: %s", reference)
		}
	}
	if len(page) > 4<<20 {
		t.Errorf("%d bytes", len(page))
	}
	if page != written(t, sample(200_000)) {
		t.Error("another page of the same")
	}
}

// A notebook shows several pages in one document: each styles only itself, and no two have an id in
// common.
func TestInsideAnother(t *testing.T) {
	page := written(t, sample(30))
	if ids := regexp.MustCompile(`\sid="[^"]*"`).FindAllString(page, -1); ids != nil {
		t.Errorf("ids: %q", ids)
	}
	style := regexp.MustCompile(`(?m)^\s*([^@{}\n]+) \{`)
	for _, rule := range style.FindAllStringSubmatch(pageStyle, -1) {
		for selector := range strings.SplitSeq(rule[1], ",") {
			if selector = strings.TrimSpace(selector); selector != ".bcstage-report" && !strings.HasPrefix(selector, ".bcstage-report ") && selector != "body:has(> .bcstage-report)" {
				t.Errorf("%q is of more than the page", selector)
			}
		}
	}
}

// A dark page replaces every colour of a picture.
func TestColours(t *testing.T) {
	d := chequered(20, true)
	d.Stats = sample(300).Stats
	maps, err := Plots(d)
	if err != nil {
		t.Fatal(err)
	}
	plots, err := Plots(sample(300))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(maps, plots...) {
		svg, err := p.SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, colour := range regexp.MustCompile(`(fill|stroke):#[0-9A-Fa-f]+`).FindAllString(svg, -1) {
			t.Fatalf("%s: %s is not the page's", p.Name, colour)
		}
		for _, name := range regexp.MustCompile(`var\(--(\w+)`).FindAllStringSubmatch(svg, -1) {
			if strings.Count(pageStyle, "--"+name[1]+":") != 2 {
				t.Fatalf("%s: %s has not a light value and a dark one", p.Name, name[1])
			}
		}
	}
}

// An estimate says so, and how accurate it is. Its intervals are drawn, and are not measures to
// draw against the scores.
func TestWriteOfEstimate(t *testing.T) {
	d := sample(300)
	if page := written(t, d); !strings.Contains(page, "Exact betweenness centrality of every vertex.") || strings.Contains(page, "Intervals") {
		t.Error("exact scores are shown as an estimate")
	}
	lower, upper := Column{Name: pipeline.LowerColumn}, Column{Name: pipeline.UpperColumn}
	for _, x := range d.Score().Values {
		lower.Values, upper.Values = append(lower.Values, x/2), append(upper.Values, 3*x)
	}
	d.Columns = append(d.Columns, lower, upper)
	d.Metadata = append(d.Metadata, tables.KeyValue{Key: "estimate", Value: "pairs"}, tables.KeyValue{Key: "eps", Value: "0.0129"}, tables.KeyValue{Key: "confidence", Value: "0.95"})
	page := written(t, d)
	for _, want := range []string{"Estimated betweenness centrality: every score lies between lower and upper, at most 0.013 of all pairs away, with probability 0.95", "Intervals of the highest scores", "<th>upper</th>", `class="table whole"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, wrong := range []string{"Exact", "Lower against", "Upper against"} {
		if strings.Contains(page, wrong) {
			t.Errorf("%q", wrong)
		}
	}
}

// The table counts ranks; an equal column is left out of it, another one is not.
func TestListed(t *testing.T) {
	d := Data{Top: []Vertex{{Row: 1, Rank: 1}, {Row: 0, Rank: 2}}, Columns: []Column{{Name: "betweenness_centrality", Values: []float64{3, 4}}, {Name: "rank", Values: []float64{2, 1}}}}
	if got := len(d.Listed()); got != 1 {
		t.Errorf("%d columns, want the scores alone", got)
	}
	d.Columns[1].Values = []float64{1, 1}
	if got := len(d.Listed()); got != 2 {
		t.Errorf("%d columns, want ties' ranks, too", got)
	}
}

// A number that neither the file nor the statistics have is not shown.
func TestFiguresThatNobodyTells(t *testing.T) {
	for _, edges := range []bool{false, true} {
		d := Data{OfEdges: edges, Columns: []Column{{Name: "betweenness_centrality", Values: []float64{1, 2, 3}}}}
		want := []Fact{{Name: d.all(), Value: "3"}, {Name: d.all() + " of score 0", Value: "0 %"}}
		if got := d.Figures(); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		d.Metadata = []tables.KeyValue{{Key: "n", Value: "3"}, {Key: "m", Value: "3"}}
		if got := d.Figures(); len(got) != 3 || got[0] != (Fact{Name: "vertices", Value: "3"}) || got[1] != (Fact{Name: "edges", Value: "3"}) {
			t.Errorf("%v, want vertices and edges", got)
		}
	}
}

// Tables with little in them.
func TestWriteOfLittle(t *testing.T) {
	empty := written(t, Data{Title: "empty", Names: []string{"vertex"}, Columns: []Column{{Name: "betweenness_centrality"}}})
	for _, want := range []string{"The graph has no vertices.", "convention not recorded"} {
		if !strings.Contains(empty, want) {
			t.Errorf("no %q", want)
		}
	}
	one := written(t, Data{Title: "one", Names: []string{"vertex"}, Top: []Vertex{{Rank: 1, ID: []string{"alone"}}}, Columns: []Column{{Name: "betweenness_centrality", Values: []float64{0}}}})
	for _, want := range []string{">alone</td>", `<td data-v="0">0</td>`, "100 %"} {
		if !strings.Contains(one, want) {
			t.Errorf("no %q", want)
		}
	}
}

// Unknown parts are left out, with a line that says so.
func TestWriteLeavesOut(t *testing.T) {
	d := sample(9)
	d.Columns, d.Stats = d.Columns[:1], nil
	page := written(t, d)
	for _, want := range []string{"Without --stats", "Without --edges", "Score distribution"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, unknown := range []string{"Time per stage", "Cost of the run", "Machine"} {
		if strings.Contains(page, unknown) {
			t.Errorf("%s out of nothing", unknown)
		}
	}
}

// The areas of the engines over time are their work.
func TestTimeline(t *testing.T) {
	points := sample(10).Stats.Timeline
	for _, test := range []struct{ seconds, cpu, gpu float64 }{{0, 0, 0}, {0.125, 0.005, 0}, {5, 0.2, 0}, {7.5, 0.3, 0.3}, {10, 0.4, 0.6}, {11, 0.4, 0.6}} {
		cpu, gpu := finished(points, 0, test.seconds), finished(points, 1, test.seconds)
		if math.Abs(cpu-test.cpu) > 1e-12 || math.Abs(gpu-test.gpu) > 1e-12 {
			t.Errorf("after %v s: %v and %v, want %v and %v", test.seconds, cpu, gpu, test.cpu, test.gpu)
		}
	}
	if got := finished(points, 2, 10); got != 0 {
		t.Errorf("an engine that is not there did %v", got)
	}
}

// Graphs that have little to draw.
func TestPlotsOfLittle(t *testing.T) {
	for _, scores := range [][]float64{nil, {0}, {0, 0}, {5}, {5, 5, 0}, {1e-300, 1e300}, {5e-324, 1}, {1, math.MaxFloat64}, {math.MaxFloat64}} {
		degrees := Column{Name: DegreeColumn, Whole: true}
		for range scores {
			degrees.Values = append(degrees.Values, 2)
		}
		d := Data{Columns: []Column{{Name: "betweenness_centrality", Values: scores}, degrees}, Stats: &Stats{Stats: pipeline.Stats{Vertices: len(scores), Edges: 1,
			Engines: []pipeline.EngineStat{{Name: "cpu", Share: 1}}, Timeline: []pipeline.TimelinePoint{{Seconds: 1e-6, Shares: []float64{1}}}}}}
		for v := range scores {
			d.Top = append(d.Top, Vertex{Row: v, ID: []string{"v"}})
		}
		plots, err := Plots(d)
		if err != nil {
			t.Fatalf("%v: %v", scores, err)
		}
		for _, p := range plots {
			svg, err := p.SVG()
			if err != nil || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%v: %s: %v", scores, p.Name, err)
			}
			var out bytes.Buffer
			if err := p.PNG(&out); err != nil {
				t.Fatal(err)
			}
			if _, err := png.Decode(&out); err != nil {
				t.Errorf("%v: %s: %v", scores, p.Name, err)
			}
		}
	}
}

// Ticks of a logarithmic axis have labels, two or more of them even in a narrow range, and far
// enough from each other.
func TestDecades(t *testing.T) {
	for _, test := range []struct {
		lowest, highest float64
		want            string
	}{
		{0.25, 0.73, "0.3 0.5 0.7"}, {1.04, 1.5, "1.1 1.3 1.5"}, {0.12, 0.9, "0.2 0.5"}, {0.0011, 0.09, "0.002 0.005 0.01 0.02 0.05"},
		{40, 300, "50 100 200"}, {900, 9000, "1 000 2 000 5 000"}, {1, 1e4, "1 10 100 1 000 10 000"}, {2e7, 9e8, "2e+07 5e+07 1e8 2e+08 5e+08"},
	} {
		var labels []string
		at := math.Inf(-1)
		for _, tick := range decades(test.lowest, test.highest) {
			if tick.Label == "" {
				continue
			}
			place := math.Log(tick.Value/test.lowest) / math.Log(test.highest/test.lowest)
			if place < 0 || place > 1 || place-at < 0.05 {
				t.Errorf("%v to %v: %s at %.2f, after a label at %.2f", test.lowest, test.highest, tick.Label, place, at)
			}
			at = place
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%v to %v: %q, want %q", test.lowest, test.highest, got, test.want)
		}
	}
}

// Every measure of a table is drawn against the first, whole numbers, too, but not numbers of
// components or places. The convention of betweenness is stated for betweenness only.
func TestWriteOfMeasures(t *testing.T) {
	column := func(name string, whole bool) Column {
		return Column{Name: name, Whole: whole, Values: []float64{1, 2, 3}}
	}
	d := Data{Names: []string{"vertex"}, Top: []Vertex{{Row: 2, Rank: 1, ID: []string{"top"}}}, Metadata: []tables.KeyValue{{Key: "fingerprint", Value: "a"}},
		Columns: []Column{column("closeness_in_centrality", false), column("harmonic_out_centrality", false), column("eccentricity_out", true),
			column("farness_in", true), column("degree_in", true), column("component", true), column("reach_in", true), column("rank", true), column("year", true)}}
	page := written(t, d)
	for _, want := range []string{"Harmonic out centrality against closeness in", "Eccentricity out against closeness in", "Farness in against closeness in",
		"Degree in against closeness in", "<p>Exact closeness in centrality of every vertex.</p>", "<title>top\nrank 1\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, wrong := range []string{"Component against", "Reach in against", "Rank against", "Year against", "convention", "Without --edges"} {
		if strings.Contains(page, wrong) {
			t.Errorf("%q", wrong)
		}
	}
	d.Columns[1], d.Metadata = column("betweenness_centrality", false), append(d.Metadata, tables.KeyValue{Key: "normalisation", Value: "none: sum over ordered pairs"})
	if page := written(t, d); !strings.Contains(page, "of every vertex. Betweenness: sum over ordered pairs.</p>") || !strings.Contains(page, "Betweenness centrality against closeness in") {
		t.Error("betweenness after another measure is not said to be a sum")
	}
}
