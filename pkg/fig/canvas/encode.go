package canvas

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// DPI is the resolution of PNG files: two pixels a CSS pixel, for screens that
// have them. Show them at half their size in pixels.
const DPI = 192

// A Drawing is anything that can be encoded: a [*Figure], or a panel of
// gonum.org/v1/plot of its own.
type Drawing interface {
	Draw(c draw.Canvas)
}

// SVG writes d to w as an SVG of the given size, with alt as its title for
// screen readers if it is not empty. Its text is text, of a font that the page
// or the machine has.
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

// printable replaces what cannot be in XML, so that names of any bytes give a figure
// that can be read: control characters, and bytes that are not UTF-8, which Map replaces.
func printable(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, text)
}

// largest is the longest side of a figure: 2 m, or 15000 pixels.
const largest = 200 * vg.Centimeter

func checkSize(width, height vg.Length) error {
	if !(width > 0 && height > 0 && width <= largest && height <= largest) {
		return fmt.Errorf(
			"fig: the figure is %.4g x %.4g points; want sizes above 0 and at most %.0f",
			float64(width), float64(height), float64(largest))
	}
	return nil
}

// PNG writes f to w as a PNG of its size at 192 dots per inch.
func (f *Figure) PNG(w io.Writer) error { return PNG(w, f, f.Width, f.Height) }

// SVG writes f to w as an SVG of its size.
func (f *Figure) SVG(w io.Writer) error { return SVG(w, f, f.Width, f.Height, f.Alt()) }

// PDF writes f to w as a PDF of its size.
func (f *Figure) PDF(w io.Writer) error { return PDF(w, f, f.Width, f.Height) }

// WriteFile writes f to a file, in the format that the name ends with: .png,
// .svg or .pdf.
func (f *Figure) WriteFile(path string) error {
	formats := map[string]func(io.Writer) error{".png": f.PNG, ".svg": f.SVG, ".pdf": f.PDF}
	encode := formats[strings.ToLower(filepath.Ext(path))]
	if encode == nil {
		return fmt.Errorf("fig: %s: no format for the ending %q; want .png, .svg or .pdf", path,
			filepath.Ext(path))
	}
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}
