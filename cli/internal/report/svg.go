package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"

	"bcstage/internal/expression"

	"gonum.org/v1/plot/vg/vgsvg"
)

// The colours of all pictures. A page replaces them where its reader prefers dark pages.
var (
	palette = [...]color.RGBA{
		{R: 0x2b, G: 0x6c, B: 0xb0, A: 0xff},
		{R: 0xdd, G: 0x6b, B: 0x20, A: 0xff},
		{R: 0x38, G: 0xa1, B: 0x69, A: 0xff},
		{R: 0x80, G: 0x5a, B: 0xd5, A: 0xff},
		{R: 0xb8, G: 0x32, B: 0x80, A: 0xff},
		{R: 0x71, G: 0x80, B: 0x96, A: 0xff},
	}
	heat = [...]color.RGBA{ // of a map, the highest scores first
		{R: 0x7f, G: 0x1d, B: 0x1d, A: 0xff},
		{R: 0xc2, G: 0x41, B: 0x0c, A: 0xff},
		{R: 0xe8, G: 0x8a, B: 0x3a, A: 0xff},
		{R: 0xd9, G: 0xb3, B: 0x82, A: 0xff},
		{R: 0xbc, G: 0xc6, B: 0xd2, A: 0xff},
	}
	rule      = color.RGBA{R: 0xe2, G: 0xe8, B: 0xf0, A: 0xff}
	dots      = color.NRGBA{R: 0x2b, G: 0x6c, B: 0xb0, A: 0xa0} // transparent
	highlight = color.RGBA{R: 0xb7, G: 0x41, B: 0x0e, A: 0xff}
)

// variables are the page's names of colours.
func variables() map[string]string {
	names := map[string]string{"#FFFFFF": "card", "#000000": "ink", hex(rule): "rule", hex(highlight): "mark", hex(dots): "c0"}
	for i, c := range palette {
		names[hex(c)] = fmt.Sprintf("c%d", i)
	}
	for i, c := range heat {
		names[hex(c)] = fmt.Sprintf("h%d", i)
	}
	return names
}

// hex is a colour in the library's form: without opacity, and rounded down.
func hex(c color.Color) string {
	r, g, b, a := c.RGBA()
	return fmt.Sprintf("#%02X%02X%02X", r*0xff/a, g*0xff/a, b*0xff/a)
}

var (
	// Text is escaped, so it cannot match one of these.
	styleAttribute = expression.Lazy(`style="[^"]*"`)
	colour         = expression.Lazy(`#[0-9A-F]{6}`)
)

// SVG is the picture as an element of a page, in the page's colours.
func (p Plot) SVG() (string, error) {
	canvas := vgsvg.New(width, p.height)
	p.draw.Draw(margins(canvas))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return "", err
	}
	_, svg, found := strings.Cut(text.String(), "<svg")
	end := strings.LastIndex(svg, "</g>")
	if !found || end < 0 {
		return "", fmt.Errorf("report: %s: no picture", p.Name)
	}
	names := variables()
	svg = styleAttribute().ReplaceAllStringFunc(svg[:end]+p.tooltips()+svg[end:], func(style string) string {
		style = colour().ReplaceAllStringFunc(style, func(value string) string {
			if name, ok := names[value]; ok {
				return "var(--" + name + "," + value + ")"
			}
			return value
		})
		// Arial and similar fonts have the widths for which the labels were placed.
		return strings.Replace(style, "font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif", 1)
	})
	return `<svg role="img" aria-label="` + html.EscapeString(p.Title) + `"` + svg, nil
}

// tooltips are the texts of marks under the pointer.
func (p Plot) tooltips() string {
	if p.marks == nil {
		return ""
	}
	var text strings.Builder
	for i, at := range p.marks.at {
		fmt.Fprintf(&text, "<circle cx=\"%.5g\" cy=\"%.5g\" r=\"6\"><title>%s</title></circle>\n", at.X.Points(), at.Y.Points(), html.EscapeString(p.marks.titles[i]))
	}
	return text.String()
}
