package canvas

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// DPI is the resolution of PNG files: two pixels for each CSS pixel, for high-resolution screens.
// Display PNG files at half their pixel size.
const DPI = 192

// Drawing is anything that this package can encode: a [*Figure], or a single panel of
// gonum.org/v1/plot.
type Drawing interface {
	Draw(c draw.Canvas)
}

// SVG writes d to w as an SVG of the given size. If alt is not empty, the SVG has the title alt,
// which screen readers read aloud. In the SVG, text remains text, and is shown in a font of the
// page or the machine.
func SVG(w io.Writer, d Drawing, width, height vg.Length, alt string) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	c := vgsvg.NewWith(vgsvg.UseWH(width, height))
	d.Draw(draw.New(svgCanvas{c}))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	out := measured(b.Bytes())
	if i := bytes.Index(out, []byte("<svg")); alt != "" && i >= 0 {
		if j := bytes.IndexByte(out[i:], '>'); j >= 0 {
			at := i + j + 1
			out = append(
				out[:at:at],
				append([]byte("\n<title>"+html.EscapeString(alt)+"</title>"), out[at:]...)...)
		}
	}
	_, err := w.Write(printable(out))
	return err
}

// printable replaces characters that XML does not allow: control characters, and bytes that are not
// valid UTF-8 (bytes.Map replaces these bytes). Because of printable, names with arbitrary bytes
// give a valid figure.
func printable(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, text)
}

// largest is the maximum side length of a figure: 2 m, or 15,000 pixels.
const largest = 200 * vg.Centimeter

func checkSize(width, height vg.Length) error {
	if !(width > 0 && height > 0 && width <= largest && height <= largest) {
		return fmt.Errorf(
			"fig: the figure is %.4g x %.4g points; expected sizes above 0 and at most %.0f",
			float64(width), float64(height), float64(largest))
	}
	return nil
}

// PNG writes f to w as a PNG image at 192 dots per inch.
func (f *Figure) PNG(w io.Writer) error { return PNG(w, f, f.Width, f.Height) }

// SVG writes f to w as an SVG image.
func (f *Figure) SVG(w io.Writer) error { return SVG(w, f, f.Width, f.Height, f.Alt()) }

// PDF writes f to w as a PDF page.
func (f *Figure) PDF(w io.Writer) error { return PDF(w, f, f.Width, f.Height) }

// WriteFile writes f to a file whose extension selects the format: .png, .svg or .pdf.
func (f *Figure) WriteFile(path string) error {
	formats := map[string]func(io.Writer) error{".png": f.PNG, ".svg": f.SVG, ".pdf": f.PDF}
	encode := formats[strings.ToLower(filepath.Ext(path))]
	if encode == nil {
		return fmt.Errorf("fig: %s: unknown file extension %q; expected .png, .svg or .pdf", path, filepath.Ext(path))
	}
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// svgCanvas writes text as SVG text, not as outlines, so that people can select, search and listen
// to the text. Afterwards, the function measured fixes the width of each text to the width of its
// outlines, whatever font is used.
type svgCanvas struct{ *vgsvg.Canvas }

// below returns the canvas inside a draw.Canvas, without its cropping.
func below(c vg.Canvas) vg.Canvas {
	for {
		switch in := c.(type) {
		case draw.Canvas:
			c = in.Canvas
		case *draw.Canvas:
			c = in.Canvas
		default:
			return c
		}
	}
}

// write writes a line of text whose base line starts at pt.
func (c svgCanvas) write(s string, sty text.Style, pt vg.Point) {
	c.FillString(font.Face{Font: sty.Font, Face: faceOf(sty.Font).font}, pt, s)
}

// written matches a line of text in the SVG output of vgsvg.
var written = regexp.MustCompile(`<text (x="[^"]*" y="[^"]*" transform="scale\(1, -1\)")\s+` +
	`style="font-family:[^;]*;[^"]*font-weight:(\w+);[^"]*font-size:([0-9.e+-]+)px([^"]*)">([^<]*)</text>`)

// measured adds the attribute textLength to each line of text, so that text in another font is not
// cut and does not overlap.
func measured(svg []byte) []byte {
	return written.ReplaceAllFunc(svg, func(m []byte) []byte {
		part := written.FindSubmatch(m)
		size, err := strconv.ParseFloat(string(part[3]), 64)
		if err != nil {
			return m
		}
		f, weight := regular(), ""
		if string(part[2]) == "bold" {
			f, weight = bold(), ";font-weight:bold"
		}
		s := string(part[5])
		// Leading and trailing white space is not drawn, but would count as part of the length.
		s = strings.TrimSpace(html.UnescapeString(s))
		return fmt.Appendf(nil, `<text %s style="font-family:'DejaVu Sans',Verdana,sans-serif;`+
			`font-size:%spx%s%s" textLength="%.4g" lengthAdjust="spacingAndGlyphs">%s</text>`,
			part[1], part[3], weight, part[4], f.width(s)*size, html.EscapeString(s))
	})
}
