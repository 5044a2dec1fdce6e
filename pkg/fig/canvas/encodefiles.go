//go:build !js

package canvas

import (
	"bytes"
	"image/png"
	"io"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// PNG writes d to w as a PNG of the given size at 192 dots per inch. If the difference is not
// visible, the PNG has a palette of at most 256 colours.
func PNG(w io.Writer, d Drawing, width, height vg.Length) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(DPI))
	d.Draw(draw.New(c))
	return encoder.Encode(w, fewColours(c.Image()))
}

// encoder favours speed over file size: files are 4 % larger, and encoding takes two thirds of the
// time.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed}

// created matches the dates in PDF output of gonum/plot.
var created = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}`)

// PDF writes d to w as a PDF of the given size. The date in the PDF is always 1 January 2000, so
// that the same figure has the same bytes.
func PDF(w io.Writer, d Drawing, width, height vg.Length) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	c := vgpdf.New(width, height)
	d.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	out := created.ReplaceAllFunc(b.Bytes(), func(m []byte) []byte {
		return append(
			m[:len(m)-14:len(m)-14],
			"20000101000000"...) // has the same length, to preserve the offsets in the file
	})
	_, err := w.Write(out)
	return err
}
