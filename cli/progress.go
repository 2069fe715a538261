package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v2"
	"golang.org/x/term"

	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
)

// progress shows a running command on stderr: one line that is drawn again and again at a terminal,
// a line now and then in a file, or JSON objects.
type progress struct {
	console *console
	kind    progressKind

	mu    sync.Mutex
	shown time.Time // time of the last line in a file
	drawn int       // lines drawn at a terminal since it was last cleared
	ended bool

	planned bool // the plan of an estimate has been shown
}

type progressKind int

const (
	progressNone progressKind = iota
	progressLine
	progressPlain // also JSON
)

// Time between two drawings of the line, and between two lines in a file within a stage; the end of
// a stage always has a line.
const (
	progressInterval = 100 * time.Millisecond
	plainInterval    = 3 * time.Second
)

// progress makes the display of a run, to which its options then report.
func (p *process) progress(c *urfave.Context, opts *pipeline.Options) *progress {
	terminal := isTerminal(p.console.stream)
	when := c.String("progress")
	kind := progressNone
	switch {
	case p.console.quiet || when == "never" || when == "auto" && !terminal:
	case terminal && p.console.log == nil && os.Getenv("TERM") != "dumb":
		kind = progressLine
	default:
		kind = progressPlain
	}
	display := &progress{console: p.console, kind: kind, shown: time.Now()}
	opts.Progress, opts.ProgressInterval = display.show, progressInterval
	return display
}

// wanted reports whether progress is shown.
func (p *progress) wanted() bool { return p.kind != progressNone }

// show is called with every report of the pipeline.
func (p *progress) show(report pipeline.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	if report.Plan != "" && !p.planned && p.kind != progressNone {
		p.planned = true
		p.clear()
		p.console.note(report.Plan)
	}
	switch p.kind {
	case progressLine:
		if report.Elapsed < progressInterval {
			return // so short a run would only flicker
		}
		p.draw(report)
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

// draw draws the line: "  25% [====>.....]  compute  12/75 batches ...", or a spinner while the end
// is unknown. The bar is the share of the cost, not of batches, whose costs differ by orders of
// magnitude.
func (p *progress) draw(report pipeline.Progress) {
	width, _, err := term.GetSize(int(p.console.stream.(*os.File).Fd()))
	if err != nil || width < 2*barWidth {
		width = 80
	}
	const spinner = `|/-\`
	bar := spinner[p.drawn%len(spinner):][:1]
	if report.Stage == "compute" {
		bar = strings.Repeat("=", int(report.Share*barWidth)) + ">" + strings.Repeat(".", barWidth)
		bar = fmt.Sprintf("%4.0f%% [%s]", 100*report.Share, bar[:barWidth])
	}
	p.drawn++
	fmt.Fprintf(p.console.out, "\r%s  %s\x1b[0K", bar, limit(describeProgress(report, true), width-barWidth-12))
}

const barWidth = 20

// clear removes the line.
func (p *progress) clear() {
	if p.drawn > 0 {
		fmt.Fprint(p.console.out, "\x1b[2K\r")
	}
	p.drawn = 0
}

// end removes the line; nothing is shown afterwards.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.ended = true
}

// describeProgress formats a report as a line of text, without the parts that a bar shows.
func describeProgress(r pipeline.Progress, bar bool) string {
	parts := []string{fmt.Sprintf("%-8s", r.Stage)}
	switch {
	case r.Stage != "compute":
		parts = append(parts, figures.Grouped(r.Edges)+" edges")
		if s := r.Elapsed.Seconds(); r.Stage == "read" && s > 0 {
			parts = append(parts, fmt.Sprintf("%.1f M/s", float64(r.Edges)/s/1e6))
		}
	default:
		if !bar {
			parts = append(parts, fmt.Sprintf("%3.0f%%", 100*r.Share))
		}
		parts = append(parts, fmt.Sprintf("%d/%d batches", r.Done, r.Total))
		if r.GTEPS > 0 {
			parts = append(parts, fmt.Sprintf("%.3g GTEPS", r.GTEPS))
		}
		if r.Estimate != nil {
			parts = append(parts, describeEstimate(*r.Estimate))
		} else if r.Left > 0 {
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
