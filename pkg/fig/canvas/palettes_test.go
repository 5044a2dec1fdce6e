//go:build !js

package canvas

import (
	"image"
	"image/color"
	"testing"
)

// A figure with few colours is encoded with at most 256 colours that look the same. Other pictures do not change.
func TestFewColours(t *testing.T) {
	const w, h = 64, 64
	paint := func(at func(x, y int) color.RGBA) *image.RGBA {
		im := image.NewRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				im.SetRGBA(x, y, at(x, y))
			}
		}
		return im
	}
	mixed := paint(func(x, y int) color.RGBA { // white, with edges of two colours
		switch {
		case x < 32:
			return color.RGBA{255, 255, 255, 255}
		case y < 32:
			return color.RGBA{uint8(255 - 4*x), uint8(255 - 2*y), 255, 255}
		}
		return color.RGBA{255, uint8(255 - 2*x), uint8(255 - 4*(y-32)), 255}
	})
	few, ok := fewColours(mixed).(*image.Paletted)
	if !ok || len(few.Palette) > 256 || few.Rect != mixed.Rect {
		t.Fatalf("%T; want 256 colours", fewColours(mixed))
	}
	for y := range h {
		for x := range w {
			a, b := mixed.RGBAAt(x, y), few.At(x, y).(color.RGBA)
			if d := apart(a, b); d > 16*16 || x < 32 && d > 0 {
				t.Fatalf("%v at %d, %d; want about %v", b, x, y, a)
			}
		}
	}
	all := paint(func(x, y int) color.RGBA { return color.RGBA{uint8(4 * x), uint8(4 * y), uint8(x * y), 255} })
	clear := paint(func(x, y int) color.RGBA { return color.RGBA{A: uint8(x)} })
	for name, im := range map[string]*image.RGBA{"colours all over": all, "transparent": clear} {
		if fewColours(im) != image.Image(im) {
			t.Errorf("%s: colours are changed", name)
		}
	}
	one := paint(func(int, int) color.RGBA { return color.RGBA{1, 2, 3, 255} })
	if got, ok := fewColours(one).(*image.Paletted); !ok || len(got.Palette) != 1 {
		t.Errorf("one colour becomes %T", fewColours(one))
	}
}
