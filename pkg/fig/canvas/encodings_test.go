package canvas

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// square is a drawing with a red lower left quarter.
type square struct{}

func (square) Draw(c draw.Canvas) {
	c.SetColor(color.RGBA{R: 255, A: 255})
	c.Fill(draw.Crop(c, 0, -c.Size().X/2, 0, -c.Size().Y/2).Rectangle.Path())
}

// nothing is an empty drawing.
type nothing struct{}

func (nothing) Draw(draw.Canvas) {}

// Each format always encodes a drawing as the same bytes. In the PNG, the square is at the right place.
func TestEncodings(t *testing.T) {
	const width, height = 144, 72 // points: 384 x 192 pixels
	var b bytes.Buffer
	if err := PNG(&b, square{}, width, height); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil || img.Bounds().Dx() != 2*DPI || img.Bounds().Dy() != DPI {
		t.Fatalf("a picture of %v, %v", img.Bounds(), err)
	}
	for _, p := range [][2]int{{10, 182}, {180, 100}, {10, 10}, {374, 182}, {374, 10}} {
		r, g, _, _ := img.At(p[0], p[1]).RGBA()
		if red := r > 0xf000 && g < 0x1000; red != (p[0] < DPI && p[1] > DPI/2) {
			t.Errorf("pixel %v is red: %v", p, red)
		}
	}
	for name, encode := range map[string]func(io.Writer, Drawing) error{
		"PNG": func(w io.Writer, d Drawing) error { return PNG(w, d, width, height) },
		"SVG": func(w io.Writer, d Drawing) error { return SVG(w, d, width, height, "a <square>") },
		"PDF": func(w io.Writer, d Drawing) error { return PDF(w, d, width, height) },
	} {
		var once, again, blank bytes.Buffer
		for w, d := range map[*bytes.Buffer]Drawing{&once: square{}, &again: square{}, &blank: nothing{}} {
			if err := encode(w, d); err != nil {
				t.Fatal(err)
			}
		}
		if once.String() != again.String() || once.String() == blank.String() {
			t.Errorf("%s: the same drawing has the same bytes: %v; nothing as well: %v", name,
				once.String() == again.String(), once.String() == blank.String())
		}
		if text := once.String(); name == "SVG" && !strings.Contains(text, "<title>a &lt;square&gt;</title>") ||
			name == "PDF" && (!strings.Contains(text, "D:20000101000000") || strings.Count(text, "(D:") != strings.Count(text, "(D:20000101000000")) {
			t.Errorf("%s: %.300q", name, text)
		}
	}
	for _, size := range [][2]vg.Length{{0, 9}, {9, 0}, {-1, 9}, {largest + 1, 9}, {9, largest + 1}} {
		if err := PNG(io.Discard, nothing{}, size[0], size[1]); err == nil {
			t.Errorf("a figure of %v", size)
		}
	}
	var nameless bytes.Buffer // the largest size, without a title
	if err := SVG(&nameless, nothing{}, largest, largest, ""); err != nil || strings.Contains(nameless.String(), "<title>") {
		t.Errorf("the largest figure: %v, %.200s", err, nameless.String())
	}
	f := &Figure{Panels: []*plot.Plot{plot.New()}, Width: 144, Height: 72}
	dir := t.TempDir()
	for ending, begins := range map[string]string{".png": "\x89PNG", ".SVG": "<?xml", ".pdf": "%PDF", ".gif": "", "": ""} {
		path := filepath.Join(dir, "x"+ending)
		err := f.WriteFile(path)
		text, _ := os.ReadFile(path)
		if (err == nil) != (begins != "") || !strings.HasPrefix(string(text), begins) || err != nil && text != nil {
			t.Errorf("%q: %v, %.20q", ending, err, text)
		}
		if want := fmt.Sprintf("fig: %s: unknown file extension %q; expected .png", path, ending); err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
