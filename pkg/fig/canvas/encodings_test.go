package canvas

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// square is a drawing: the lower left quarter is red.
type square struct{}

func (square) Draw(c draw.Canvas) {
	c.SetColor(color.RGBA{R: 255, A: 255})
	c.Fill(draw.Crop(c, 0, -c.Size().X/2, 0, -c.Size().Y/2).Rectangle.Path())
}

// nothing is a drawing of nothing.
type nothing struct{}

func (nothing) Draw(draw.Canvas) {}

// Each format has what was drawn, where it was drawn, and the same bytes each time.
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
	var nameless bytes.Buffer // as large as may be, and without words
	if err := SVG(&nameless, nothing{}, largest, largest, ""); err != nil || strings.Contains(nameless.String(), "<title>") {
		t.Errorf("the largest figure: %v, %.200s", err, nameless.String())
	}
	f := &Figure{Panels: [][]*plot.Plot{{plot.New()}}, Width: 144, Height: 72}
	dir := t.TempDir()
	for ending, begins := range map[string]string{".png": "\x89PNG", ".SVG": "<?xml", ".pdf": "%PDF", ".gif": "", "": ""} {
		path := filepath.Join(dir, "x"+ending)
		err := f.WriteFile(path)
		text, _ := os.ReadFile(path)
		if (err == nil) != (begins != "") || !strings.HasPrefix(string(text), begins) || err != nil && text != nil {
			t.Errorf("%q: %v, %.20q", ending, err, text)
		}
		if want := fmt.Sprintf("fig: %s: no format for the ending %q; want .png", path, ending); err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Panels that share the width have a share of the labels each, of any kind, but two at least.
func TestNarrow(t *testing.T) {
	for _, c := range []struct {
		ticks, want plot.Ticker
		columns     int
	}{
		{LogTicks{6}, LogTicks{3}, 2}, {LogTicks{6}, LogTicks{2}, 4}, {LinearTicks{9}, LinearTicks{3}, 3},
		{LinearTicks{3}, LinearTicks{2}, 3}, {LogTicks{6}, LogTicks{6}, 1},
		{ScaledTicks{LinearTicks{6}, 1, -2}, ScaledTicks{LinearTicks{3}, 1, -2}, 2}, {ScaledTicks{LinearTicks{6}, 1, -2}, ScaledTicks{LinearTicks{2}, 1, -2}, 4},
	} {
		p := plot.New()
		p.X.Tick.Marker = c.ticks
		if Narrow(p, c.columns); p.X.Tick.Marker != c.want {
			t.Errorf("%T%v in %d columns is %v; want %v", c.ticks, c.ticks, c.columns, p.X.Tick.Marker, c.want)
		}
	}
}

// Limits leave a margin of both sides, of the logarithms on a logarithmic axis; one value is in the
// middle of some.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		lo, hi, margin, min, max float64
		log                      bool
	}{
		{0, 10, .1, -1, 11, false}, {-4, -2, .5, -5, -1, false}, {10, 1000, .5, 1, 1e4, true}, {7, 7, 0, 6.3, 7.7, false},
		{0, 0, 0, -.5, .5, false}, {1, 1, 0, math.Pow(10, -.15), math.Pow(10, .15), true},
		{1, 1.4, 0, 1, 1.4, true}, {-7, -7, 0, -7.7, -6.3, false}, {2, 2, 0, 1.5, 2.5, false}, {1e9, 1e9 + 2, 0, 1e9, 1e9 + 2, false},
	} {
		a := plot.New().X
		Span(&a, c.lo, c.hi, c.log, c.margin)
		if math.Abs(a.Min-c.min) > 1e-9 || math.Abs(a.Max/c.max-1) > 1e-9 {
			t.Errorf("%v to %v with a margin of %v: %v to %v; want %v to %v", c.lo, c.hi, c.margin, a.Min, a.Max,
				c.min, c.max)
		}
		if _, log := a.Scale.(plot.LogScale); log != c.log {
			t.Errorf("%v to %v: the scale is %T", c.lo, c.hi, a.Scale)
		}
	}
}

// An axis is logarithmic from a factor of more than eight on, of positive numbers.
func TestWantsLog(t *testing.T) {
	for ends, want := range map[[2]float64]bool{{1, 8}: false, {1, 8.01}: true, {0, 9}: false, {-1, 9}: false, {.001, .01}: true} {
		if got := WantsLog(ends[0], ends[1]); got != want {
			t.Errorf("%v: %v", ends, got)
		}
	}
}

// Characters that XML does not have are replaced; white space stays.
func TestPrintable(t *testing.T) {
	if got, want := string(printable([]byte("a\t\n\r b\x00\x1b\ufffe\uffff\xff\u00e9"))), "a\t\n\r b\ufffd\ufffd\ufffd\ufffd\ufffd\u00e9"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}
