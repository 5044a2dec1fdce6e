package fig

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// goldens are figures that a person has checked and accepted.
func goldens() map[string]func() (*Figure, error) {
	rows := trials(60)
	rows[7].Correct, rows[9].Status, rows[20].Status = false, "pull limit", "pull limit"
	bound := &RowOptions{Title: "Synthetic rows", References: []Reference{{"", "lower bound", 560}}}
	var tr Trace
	recordRounds(&tr, 3, 200)
	arms := &explore.Problem{Arms: 3, Objectives: 1, ArmNames: []string{"10 mg", "25 mg", "75 mg"}}
	return map[string]func() (*Figure, error){
		"plane": func() (*Figure, error) {
			e := Truth(must(dataset.Secukinumab{}.Instance()))
			e.around(.01, .01, .02, .02, .01, .01, .03, .03, .01, .01)
			return e.Plane(&PlaneOptions{Front: true})
		},
		"planes":     func() (*Figure, error) { return Responses(must(dataset.CovBoost{}.Instance()), nil) },
		"simplex":    func() (*Figure, error) { return Responses(shares(polyhedron.Simplex(3)), nil) },
		"cone":       func() (*Figure, error) { return Responses(shares(polyhedron.Ordered(3)), nil) },
		"complexity": func() (*Figure, error) { return SampleComplexity(rows, bound) },
		"trajectory": func() (*Figure, error) { return Trajectory(arms, &tr, nil) },
		"front":      goldenFront,
		"sweep": func() (*Figure, error) {
			return Sweep([]SweepPanel{growing("RAGE", "ALBA", "LinGapE")}, nil)
		},
		"sweeps": func() (*Figure, error) {
			return Sweep([]SweepPanel{growing("RAGE", "ALBA"), growing("ALBA", "LinGapE")}, nil)
		},
		"threshold":  func() (*Figure, error) { return thresholdArms(8, "arm ", .6).Plane(nil) },
		"thresholds": func() (*Figure, error) { return thresholdArms(60, "arm ", .6).Plane(nil) },
		"names": func() (*Figure, error) { // names too wide to fit side by side
			return thresholdArms(12, "a rather long name of arm ", .6).Plane(nil)
		},
		"effort": func() (*Figure, error) { return Effort(spent(), nil) },
		"boxes": func() (*Figure, error) {
			e := Truth(fourArms(.10, .30, .45, .80, .85, .62, .60, .15))
			e.around(.1, .02, .05, .2, math.Inf(1), .1, 0, 0)
			return e.Plane(nil)
		},
	}
}

// TestGolden compares figures with the accepted figures in testdata. Rounding differs between processors, so
// pixels may differ slightly in colour.
func TestGolden(t *testing.T) {
	said := map[string]string{}
	for name, make := range goldens() {
		t.Run(name, func(t *testing.T) {
			f := must(make())
			said[name] = words(f)
			c := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(64))
			f.Draw(draw.New(c))
			var b bytes.Buffer
			if err := png.Encode(&b, c.Image()); err != nil {
				t.Fatal(err)
			}
			path := "testdata/" + name + ".golden.png"
			if os.Getenv("PATHS") == "write" {
				if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := png.Decode(bytes.NewReader(must(os.ReadFile(path))))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got := must(png.Decode(&b))
			if got.Bounds() != want.Bounds() {
				t.Fatalf("the figure has %v pixels, %s has %v", got.Bounds(), path, want.Bounds())
			}
			if n := differing(got, want); n > 0 {
				t.Errorf("%d pixels differ from %s; if that is wanted, look at the new figure after: PATHS=write go test ./pkg/fig", n, path)
			}
		})
	}
	golden.Check(t, "words.txt", pages(said))
}

// words returns all texts in a figure, and its alternative texts.
func words(f *Figure) string {
	var svg bytes.Buffer
	if err := f.SVG(&svg); err != nil {
		return err.Error()
	}
	text := strings.Join(append([]string{f.Alt()}, f.Loose...), "\n")
	for _, word := range regexp.MustCompile(">([^<>\n]+)</text>").FindAllStringSubmatch(svg.String(), -1) {
		text += "\n\t" + word[1]
	}
	return text
}

// pages returns the texts of a map in the order of their names.
func pages(texts map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "== %s\n%s\n", name, texts[name])
	}
	return b.String()
}

// goldenFront is a front of five arms in a cloud. One method finds all these arms; another method
// misses some, and returns another arm.
func goldenFront() (*Figure, error) {
	mu := mat.DenseCopyOf(stairs(5, 120).Truth())
	mu.SetRow(9, []float64{.1, -.7}) // near the front
	inst := toy(mu, nil)
	return Front(inst, []FrontAnswer{
		{Name: "GEGE", Items: []int{0, 1, 2, 3, 4}},
		{Name: "APE", Items: []int{0, 2, 3, 9}},
	}, nil)
}

// differing counts the pixels in which a colour channel differs by more than 3 % of its range.
func differing(a, b image.Image) int {
	n := 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			for _, d := range []int{int(r) - int(r2), int(g) - int(g2), int(bl) - int(bl2)} {
				if d > 0x0800 || d < -0x0800 {
					n++
					break
				}
			}
		}
	}
	return n
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// shares is an instance in R^3 whose constraints may involve several objectives.
func shares(region *polyhedron.Polyhedron) *bandit.Instance {
	inst := toy(mat.NewDense(9, 3, []float64{.15, .25, .45, .3, .3, .3, .55, .2, .1, .4, .35, .4, .2, .45, .5,
		.7, .4, .15, -.1, .3, .5, .1, .15, .2, .25, .6, .05}), region)
	inst.Name, inst.Problem.ArmNames = "shares", strings.Split("a b c d e f g h i", " ")
	inst.Problem.ObjectiveNames = []string{"low", "middle", "high"}
	return inst
}

// fourArms returns an instance with up to four arms and two objectives.
func fourArms(mu ...float64) *bandit.Instance {
	inst := toy(mat.NewDense(len(mu)/2, 2, mu), nil)
	inst.Name, inst.Problem.ArmNames = "four arms", []string{"i", "j", "k", "l"}[:len(mu)/2]
	return inst
}
