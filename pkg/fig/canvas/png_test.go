//go:build !js

package canvas

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// A reader gets the pixels that were drawn, and no others.
func TestWritePNG(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, size := range []image.Point{{1, 1}, {1, 7}, {9, 1}, {64, 48}, {1800, 30}} {
		for _, repeats := range []float64{0, .5, 1} { // share of rows that repeat the one above
			img := image.NewRGBA(image.Rectangle{Max: size})
			for y := range size.Y {
				repeated := y > 0 && rnd.Float64() < repeats
				for x := range size.X {
					c := color.RGBA{uint8(rnd.Uint32()), uint8(rnd.Uint32()), uint8(y), 255}
					if repeated {
						c = img.RGBAAt(x, y-1)
					}
					img.SetRGBA(x, y, c)
				}
			}
			if err := samePixels(img); err != nil {
				t.Errorf("%v, %g repeated: %v", size, repeats, err)
			}
		}
	}
}

// Pixels of a figure, and its size in a file beside that of image/png.
func TestWritePNGFigure(t *testing.T) {
	img := lines().(*image.RGBA)
	if err := samePixels(img); err != nil {
		t.Error(err)
	}
	var own, std bytes.Buffer
	if err := writePNG(&own, img); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&std, img); err != nil {
		t.Fatal(err)
	}
	if float64(own.Len()) > 1.15*float64(std.Len()) {
		t.Errorf("%d bytes; image/png takes %d", own.Len(), std.Len())
	}
}

// samePixels writes img and reads it again.
func samePixels(img *image.RGBA) error {
	var b bytes.Buffer
	if err := writePNG(&b, img); err != nil {
		return err
	}
	read, err := png.Decode(&b)
	if err != nil {
		return err
	}
	if b.Len() > 0 {
		return fmt.Errorf("%d bytes after the end", b.Len())
	}
	if read.Bounds() != img.Bounds() {
		return fmt.Errorf("size %v; want %v", read.Bounds(), img.Bounds())
	}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if got := color.RGBAModel.Convert(read.At(x, y)); got != img.At(x, y) {
				return fmt.Errorf("pixel %d, %d: %v; want %v", x, y, got, img.At(x, y))
			}
		}
	}
	return nil
}

// lines draws curves with a grid and a title.
func lines() image.Image {
	p := Panel("pulls", "regret")
	for i := range 5 {
		points := make(plotter.XYs, 200)
		for j := range points {
			x := float64(j) / 20
			points[j] = plotter.XY{X: x, Y: math.Sin(x + float64(i))}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			panic(err)
		}
		p.Add(line)
	}
	f := &Figure{Title: "Curves", Panels: [][]*plot.Plot{{p}}}
	f.Fit(200)
	c := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(DPI))
	f.Draw(draw.New(c))
	return c.Image()
}

func BenchmarkPNG(b *testing.B) {
	p := Panel("pulls", "regret")
	f := &Figure{Title: "Nothing", Panels: [][]*plot.Plot{{p}}}
	f.Fit(200 * vg.Millimeter)
	b.Run("draw and write", func(b *testing.B) {
		for b.Loop() {
			if err := f.PNG(&bytes.Buffer{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	img := lines().(*image.RGBA)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := writePNG(&bytes.Buffer{}, img); err != nil {
				b.Fatal(err)
			}
		}
	})
}
