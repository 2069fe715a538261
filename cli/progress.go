package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v2"
	"golang.org/x/term"

	"bcstage/pipeline"
)

// progress shows a run under way on stderr: one line that is drawn over and
// over at a terminal, a line now and then in a file, or JSON objects.
//
// Fifty lines of our own: a progress-bar library was measured at 0.6 MB of
// binary, and its counts, rates and ETA would all have to be turned off, since
// the pipeline weighs batches by cost and a library counts them.
type progress struct {
	console *console
	kind    progressKind

	mu    sync.Mutex
	shown time.Time // last, in a file
	drawn bool      // the line at the terminal is not empty
	ended bool
}

type progressKind int

const (
	progressNone progressKind = iota
	progressLine
	progressPlain // also JSON
)

// Time between two drawings of the line, and between two lines in a file
// within a stage; the end of a stage always has one.
const (
	progressInterval = 100 * time.Millisecond
	plainInterval    = 3 * time.Second
)

func (p *process) progress(c *urfave.Context) *progress {
	terminal := isTerminal(p.console.out)
	when := chosen(c, "progress")
	kind := progressNone
	switch {
	case p.console.quiet || when == "never" || when == "auto" && !terminal:
	case terminal && p.console.log == nil && os.Getenv("TERM") != "dumb":
		kind = progressLine
	default:
		kind = progressPlain
	}
	return &progress{console: p.console, kind: kind, shown: time.Now()}
}

// wanted tells whether someone watches.
func (p *progress) wanted() bool { return p.kind != progressNone }

// show is called with every report of the pipeline.
func (p *progress) show(report pipeline.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	switch p.kind {
	case progressLine:
		if report.Elapsed < progressInterval {
			return // a run so short would only flicker
		}
		width, _, err := term.GetSize(int(p.console.out.(*os.File).Fd()))
		if err != nil || width < 20 {
			width = 80
		}
		fmt.Fprint(p.console.out, "\r\x1b[K", limit(describeProgress(report, true), width-1))
		p.drawn = true
	case progressPlain:
		if !report.Ended && time.Since(p.shown) < plainInterval {
			return
		}
		p.shown = time.Now()
		if p.console.log == nil {
			p.console.note(describeProgress(report, false))
			return
		}
		shares := map[string]float64{}
		for _, engine := range report.Engines {
			shares[engine.Name] = engine.Share
		}
		p.console.note("progress", "stage", report.Stage, "edges_read", report.Edges, "batches_done", report.Done,
			"batches", report.Total, "share", report.Share, "gteps", report.GTEPS, "engine_shares", shares,
			"elapsed_seconds", report.Elapsed.Seconds(), "left_seconds", report.Left.Seconds())
	}
}

// end takes the line away; nothing is shown after that.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.console.out, "\r\x1b[K")
	}
	p.drawn, p.ended = false, true
}

// describeProgress is one report as a line of text.
func describeProgress(r pipeline.Progress, bar bool) string {
	parts := []string{fmt.Sprintf("%-8s", r.Stage)}
	switch {
	case r.Stage != "compute":
		parts = append(parts, grouped(r.Edges)+" edges")
		if s := r.Elapsed.Seconds(); r.Stage == "read" && s > 0 {
			parts = append(parts, fmt.Sprintf("%.1f M/s", float64(r.Edges)/s/1e6))
		}
	default:
		parts = append(parts, fmt.Sprintf("%3.0f%%", 100*r.Share))
		if bar {
			const width = 20
			full := int(width * min(max(r.Share, 0), 1))
			parts = append(parts, "["+strings.Repeat("=", full)+strings.Repeat(" ", width-full)+"]")
		}
		parts = append(parts, fmt.Sprintf("%d/%d batches", r.Done, r.Total))
		if r.GTEPS > 0 {
			parts = append(parts, fmt.Sprintf("%.3g GTEPS", r.GTEPS))
		}
		if r.Left > 0 {
			parts = append(parts, "ETA "+max(r.Left.Round(time.Second), time.Second).String())
		}
		if len(r.Engines) > 1 && r.Share > 0 {
			for _, engine := range r.Engines {
				parts = append(parts, fmt.Sprintf("%s %.0f%%", engine.Name, 100*engine.Share/r.Share))
			}
		}
	}
	return strings.Join(parts, "  ")
}

// limit cuts a line to a width in characters.
func limit(line string, width int) string {
	if runes := []rune(line); len(runes) > width {
		return string(runes[:width])
	}
	return line
}
