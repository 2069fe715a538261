//go:build unix

package report

import (
	"cmp"
	"context"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// browse opens a document with a browser, and returns the output. A browser that does not start, or
// hangs, as on a busy machine, is started again.
func browse(t *testing.T, page string, args ...string) string {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("BCSTAGE_REQUIRE_BROWSER") == "1" {
			t.Fatal(err)
		}
		t.Skip("no chromium to look at the page with (apt: chromium)")
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	for tries := 3; ; tries-- {
		text, err := headless(t, browser, append(args, "file://"+file)...)
		if err == nil {
			return text
		}
		if tries == 1 {
			t.Fatal(err)
		}
	}
}

// headless starts a browser of its own, without a window, and returns its output.
func headless(t *testing.T, browser string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, browser, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-dev-shm-usage", // /dev/shm is small in many containers
		"--user-data-dir=" + ownFolder(t)}, args...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	var text, complaints strings.Builder
	command.Stdout, command.Stderr = &text, &complaints
	if err := command.Run(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, &complaints)
	}
	command.Cancel() // ends its leftover helpers
	return text.String(), nil
}

// ownFolder returns a folder that is removed in the end, even if helpers of a browser write to it
// until they are killed: t.TempDir would fail the test.
func ownFolder(t *testing.T) string {
	folder, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for tries := 100; os.RemoveAll(folder) != nil && tries > 0; tries-- {
			time.Sleep(100 * time.Millisecond)
		}
	})
	return folder
}

// A click on a column's name sorts by its values, a second one in reverse. Copied rows have that
// order, and exact numbers. Several pages in one document work separately, and define no global
// name.
func TestScript(t *testing.T) {
	d := sample(30)
	d.Top = nil
	for row, name := range []string{"v10", "v9", "<b>"} {
		d.Top = append(d.Top, Vertex{Row: row, Rank: row + 1, ID: []string{name}})
	}
	d.Columns = []Column{{Name: "betweenness_centrality", Values: []float64{20000, 9000.25, 9000.125}}, {Name: DegreeColumn, Values: []float64{5, 1000, 30}, Whole: true}}
	page := written(t, d)
	inner := page[strings.Index(page, `<div class="bcstage-report">`):strings.LastIndex(page, "</body>")]
	probe := `<pre id="found"></pre><script>
const lines = [], report = document.querySelectorAll(".bcstage-report")[1];
const order = page => [...page.querySelectorAll("tbody td.id")].map(cell => cell.textContent).join(" ");
for (const [column, times] of [[1, 1], [1, 1], [2, 1], [3, 1], [3, 1], [0, 1]]) {
  report.querySelectorAll("th button")[column].click();
  lines.push(order(report) + " | " + report.querySelector("th[aria-sort]").getAttribute("aria-sort"));
}
lines.push("other: " + order(document.querySelector(".bcstage-report")));
document.execCommand = () => { lines.push("copied: " + JSON.stringify(document.activeElement.value)); return true; };
Object.defineProperty(navigator, "clipboard", { value: { writeText: () => { throw new Error("no right"); } } });
report.querySelectorAll("th button")[3].click();
report.querySelector(".copy").click();
lines.push("leaks: " + ["value", "compare", "sort", "tabbed", "copy"].filter(name => typeof window[name] !== "undefined").join());
Promise.resolve().then(() => document.querySelector("#found").textContent = lines.join("\n"));
</script>`
	dom := browse(t, "<!DOCTYPE html><body>"+inner+inner+probe+"</body>", "--dump-dom")
	found := regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`).FindStringSubmatch(dom)
	if found == nil {
		t.Fatalf("the script did not end:\n%.2000s", dom)
	}
	want := `&lt;b&gt; v9 v10 | ascending
v10 v9 &lt;b&gt; | descending
v10 v9 &lt;b&gt; | descending
v9 &lt;b&gt; v10 | descending
v10 &lt;b&gt; v9 | ascending
v10 v9 &lt;b&gt; | ascending
other: v10 v9 &lt;b&gt;
copied: "rank\tvertex\tbetweenness centrality\tdegree\n2\tv9\t9000.25\t1000\n3\t&lt;b&gt;\t9000.125\t30\n1\tv10\t20000\t5\n"
leaks: `
	if found[1] != want {
		t.Errorf("got\n%s\nwant\n%s", found[1], want)
	}
}

// A browser shows the page: its background, and bars and dots on both halves, light or dark as its
// reader prefers. BCSTAGE_SCREENSHOT names a PNG for the light one.
func TestBrowser(t *testing.T) {
	page := strings.ReplaceAll(written(t, sample(2000)), "<details", "<details open")
	for _, look := range []struct {
		name, setting string
		back, bar     [3]uint32
	}{
		{"light", "1", [3]uint32{0xf7, 0xf8, 0xfa}, [3]uint32{0x2b, 0x6c, 0xb0}},
		{"dark", "0", [3]uint32{0x14, 0x18, 0x1f}, [3]uint32{0x63, 0xa4, 0xe8}},
	} {
		shot := filepath.Join(t.TempDir(), "report.png")
		if look.name == "light" {
			shot = cmp.Or(os.Getenv("BCSTAGE_SCREENSHOT"), shot)
		}
		browse(t, page, "--window-size=1280,3000", "--blink-settings=preferredColorScheme="+look.setting, "--screenshot="+shot)
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
			t.Errorf("%s: a picture of %v", look.name, picture.Bounds())
		}
		at := func(x, y int) [3]uint32 {
			r, g, b, _ := picture.At(x, y).RGBA()
			return [3]uint32{r >> 8, g >> 8, b >> 8}
		}
		if got := at(1, 1); got != look.back {
			t.Errorf("%s: a background of %x, want %x", look.name, got, look.back)
		}
		bars := [2]int{}
		for y := range picture.Bounds().Dy() {
			for x := range 1280 {
				if at(x, y) == look.bar {
					bars[x/640]++
				}
			}
		}
		if bars[0] < 1000 || bars[1] < 1000 {
			t.Errorf("%s: %v pixels of bars left and right, want 1000 or more", look.name, bars)
		}
	}
}
