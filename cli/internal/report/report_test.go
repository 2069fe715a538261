package report

import (
	"bytes"
	"cmp"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"bcstage/pipeline"
)

// sample is a report about n vertices with scores over many decades.
func sample(n int) Data {
	random := rand.New(rand.NewPCG(3, 4))
	d := Data{Title: `a<b>&"c".parquet`, Convention: "sum over unordered pairs", Version: "(devel)"}
	for v := range n {
		d.Degrees = append(d.Degrees, 1+random.Int64N(1000))
		d.Scores = append(d.Scores, math.Pow10(random.IntN(10))*float64(v%3))
	}
	d.Top = []Vertex{{ID: []string{"<script>alert(1)</script>"}, Score: "7.00", Share: 1, Degree: 3}, {ID: []string{"b"}, Score: "3.50", Share: 0.5}}
	d.Stats = &pipeline.Stats{
		Vertices: n, Edges: 20, EdgesRead: 23, Duplicates: 2, SelfLoops: 1, Folded: n / 3, LargestBlock: n / 2, Blocks: 4, Batches: 5,
		Engines: []pipeline.EngineStat{{Name: "cpu", Batches: 2, Share: 0.4}, {Name: "gpu 0", Batches: 3, Share: 0.6}},
		Seconds: pipeline.Seconds{Read: 1, Build: 0.5, Reduce: 0.25, Compute: 10, Restore: 0.001, Write: 0.1, Total: 12},
		Notes:   []string{"one thing to know"},
	}
	for i := range 40 { // the gpu comes at half-time, and does six tenths
		p := pipeline.TimelinePoint{Seconds: float64(i+1) / 4, Shares: []float64{float64(i+1) / 100, 0}}
		p.Shares[1] = 0.6 * max(float64(i-19)/20, 0)
		d.Stats.Timeline = append(d.Stats.Timeline, p)
	}
	return d
}

// The page holds every part, escapes what users named, refers to nothing
// outside it, and does not grow with the graph.
func TestWrite(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, sample(200_000)); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{"Score distribution", "Degree against betweenness", "What the reductions left", "Time per stage", "Who computed", "Engines over time",
		"&lt;script&gt;", "one thing to know", "gpu 0", "66667 of 200000 vertices"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(page, "<script") {
		t.Error("an id is not escaped")
	}
	for _, reference := range regexp.MustCompile(`(src|href|url)\s*[=(]`).FindAllString(page, -1) {
		t.Errorf("a reference: %s", reference)
	}
	if out.Len() > 3<<20 {
		t.Errorf("%d bytes", out.Len())
	}
}

// What is not known is left out, with a line that says so.
func TestWriteLeavesOut(t *testing.T) {
	d := sample(9)
	d.Degrees, d.Stats = nil, nil
	var out bytes.Buffer
	if err := Write(&out, d); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{"no --stats was given", "no --edges were given", "Score distribution"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(page, "Time per stage") {
		t.Error("stages out of nothing")
	}
}

// The areas of the engines over time are what they did.
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
	for _, scores := range [][]float64{nil, {0}, {0, 0}, {5}, {5, 5, 0}, {1e-300, 1e300}} {
		d := Data{Scores: scores, Degrees: make([]int64, len(scores)), Stats: &pipeline.Stats{Vertices: len(scores), Edges: 1,
			Engines: []pipeline.EngineStat{{Name: "cpu", Share: 1}}, Timeline: []pipeline.TimelinePoint{{Seconds: 1e-6, Shares: []float64{1}}}}}
		for v := range scores {
			d.Degrees[v] = 2
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

// A browser shows the page: its text is there, and so are the plots' marks.
// BCSTAGE_SCREENSHOT names a PNG to keep.
func TestBrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("BCSTAGE_REQUIRE_BROWSER") == "1" {
			t.Fatal(err)
		}
		t.Skip("no chromium to look at the page with (apt: chromium)")
	}
	folder := t.TempDir()
	page, shot := filepath.Join(folder, "report.html"), cmp.Or(os.Getenv("BCSTAGE_SCREENSHOT"), filepath.Join(folder, "report.png"))
	var out bytes.Buffer
	if err := Write(&out, sample(2000)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	headless := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--disable-dev-shm-usage", // which is small in many containers
		"--user-data-dir="+folder, "--window-size=1280,1400", "--screenshot="+shot, "file://"+page)
	headless.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if text, err := headless.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// Helpers that it leaves would write to the folder while that is removed.
	syscall.Kill(-headless.Process.Pid, syscall.SIGKILL)
	file, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if picture.Bounds().Dx() != 1280 {
		t.Errorf("a picture of %v", picture.Bounds())
	}
	// Dots and bars on both halves of the page, in the one colour they have.
	blue := [2]int{}
	for y := range picture.Bounds().Dy() {
		for x := range 1280 {
			if r, g, b, _ := picture.At(x, y).RGBA(); r>>8 == 0x2b && g>>8 == 0x6c && b>>8 == 0xb0 {
				blue[x/640]++
			}
		}
	}
	if blue[0] < 1000 || blue[1] < 1000 {
		t.Errorf("%v pixels of bars and dots left and right, want 1000 or more", blue)
	}
}
