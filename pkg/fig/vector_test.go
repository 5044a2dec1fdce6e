package fig

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// variants are figures with options, of few and of many things, and of things that are rare.
func variants() map[string]func() (*Figure, error) {
	rows := trials(40)
	for i := range rows {
		switch {
		case i%50 == 0:
			rows[i].Correct = false
		case i%70 == 1:
			rows[i].Status = explore.PullLimit.String()
		case i%90 == 2:
			rows[i].Status, rows[i].Err = explore.Failure.String(), "it broke"
		}
	}
	instances := map[string]bool{}
	methods := map[string]bool{}
	for _, r := range rows {
		instances[r.Instance], methods[r.Method] = true, true
	}
	one, some := slices.Sorted(maps.Keys(instances)), slices.Sorted(maps.Keys(methods))
	mixed := slices.Clone(rows)
	for i := range mixed {
		if i%2 == 0 {
			mixed[i].Delta = .01
		}
		if i%3 == 0 {
			mixed[i].Constants = ""
		}
	}
	var short, long Trace
	recordRounds(&short, 2, 6)
	long.PerDecade = 5
	recordRounds(&long, 14, 4000)
	arms := func(k int) *explore.Problem {
		p := &explore.Problem{Arms: k, Objectives: 1}
		for i := range k {
			p.ArmNames = append(p.ArmNames, fmt.Sprintf("arm number %d", i*i))
		}
		return p
	}
	three, twelve, hundreds := trials(3), trials(12), trials(230)
	for i := range twelve {
		twelve[i].ArmPulls[0] = 0 // never pulled
	}
	for i := range hundreds[:90] {
		hundreds[i].Status = explore.PullLimit.String()
	}
	points := cloud(15)
	critical := &design.Design{Weights: make([]float64, 15), Value: 3, Critical: []design.Direction{{I: 1, J: 0, Weight: .25}, {I: 4, J: -1, Weight: .75}, {I: 2, J: 3}}}
	critical.Weights[2], critical.Weights[7] = .4, .6
	bare := *critical
	bare.Critical = []design.Direction{{I: 0, J: -1}}
	rising := ConvergenceSeries{Name: "rising"}
	for i := 1; i < 300; i += 1 + i/4 {
		rising.Brackets = append(rising.Brackets, design.Bracket{Iteration: i, Value: 5 + 200/float64(i*i), Lower: 5 - 4/float64(i)})
	}
	rising.Brackets[0].Value = math.Inf(1)
	faint := make([]float64, 40)
	for i := range faint {
		faint[i] = math.Pow(.5, float64(i))
	}
	guesses := FrontAnswer{Name: "A", Items: []int{0, 2, 20}, Means: mat.NewDense(43, 2, nil), Radius: make([]float64, 43)}
	for i := range 43 {
		guesses.Means.SetRow(i, []float64{-.1 * float64(i%7), -.15 * float64(i%5)})
		guesses.Radius[i] = []float64{.1, 0, math.Inf(1), .3}[i%4]
	}
	named := shares(polyhedron.Simplex(3))
	for i, name := range named.Problem.ArmNames {
		named.Problem.ArmNames[i] = strings.Repeat(name, 4)
	}
	grey := many()
	grey.LogX, grey.Series[5].Points = true, grey.Series[5].Points[:1]
	grey.Series[0].Points, grey.References[0].Points = grey.Series[0].Points[1:2], grey.References[0].Points[:1]
	unsure := thresholdArms(5)
	unsure.Lo, unsure.Hi, unsure.Truth, unsure.Verdicts = nil, nil, nil, nil
	efforts := spent()
	crowd := efforts
	for i := range 40 {
		e := efforts[i%len(efforts)]
		e.Name = fmt.Sprintf("candidate %d", i)
		crowd = append(crowd, e)
	}
	list := map[string]func() (*Figure, error){
		"runs of one instance": func() (*Figure, error) {
			return SampleComplexity(rows, &RowOptions{Instances: one[:1], Methods: some[:2]})
		},
		"runs, shared axis":  func() (*Figure, error) { return SampleComplexity(rows, &RowOptions{Shared: true, Confidence: .8}) },
		"runs, mixed":        func() (*Figure, error) { return SampleComplexity(mixed, nil) },
		"runs, narrow":       func() (*Figure, error) { return SampleComplexity(rows, &RowOptions{Width: 250, Height: 180}) },
		"arms of one method": func() (*Figure, error) { return ArmPulls(rows, &RowOptions{Methods: some[:1], Instances: one[:1]}) },
		"arms, all":          func() (*Figure, error) { return ArmPulls(rows, &RowOptions{Title: "All", Shared: true}) },
		"arms, mixed":        func() (*Figure, error) { return ArmPulls(mixed[:150], nil) },
		"course, short": func() (*Figure, error) {
			return Trajectory(arms(2), &short, &TrajectoryOptions{Title: "Short", Width: 260, Height: 200})
		},
		"course, long": func() (*Figure, error) { return Trajectory(arms(14), &long, nil) },
		"curves, means": func() (*Figure, error) {
			return Curves(courseSeries(), &CurveOptions{Mean: true, Title: "Means", XLabel: "pulls", YLabel: "errors"})
		},
		"curves, logarithms": func() (*Figure, error) {
			return Curves(courseSeries(), &CurveOptions{LogY: true, Share: .6})
		},
		"sweep, linear": func() (*Figure, error) {
			return Sweep([]SweepPanel{growing("A", "B")}, &SweepOptions{LinearY: true, YLabel: "pulls", Interval: "Bars: 95 %."})
		},
		"sweeps, columns": func() (*Figure, error) {
			return Sweep([]SweepPanel{growing("A"), growing("B"), growing("C")}, &SweepOptions{Columns: 2, Y: [2]float64{10, 1e6}, Title: "Three"})
		},
		"effort, many":   func() (*Figure, error) { return Effort(crowd, &EffortOptions{Title: "Many"}) },
		"effort, narrow": func() (*Figure, error) { return Effort(efforts, &EffortOptions{Width: 220, Height: 200}) },
		"threshold, labels": func() (*Figure, error) {
			return Threshold(thresholdArms(12), &ThresholdOptions{YLabel: "rate", Level: "placebo", Title: "Trial"})
		},
		"threshold, 13": func() (*Figure, error) { return Threshold(thresholdArms(13), nil) },
		"threshold, 41": func() (*Figure, error) { return Threshold(thresholdArms(41), nil) },
		"front, options": func() (*Figure, error) {
			return Front(stairs(12, 30), []FrontAnswer{{Name: "A", Items: []int{0, 1}}, {Name: "B", Items: []int{2, 20, 21}}},
				&FrontOptions{X: 1, Negated: []bool{false, true}, Units: []string{"", "J"}, Title: "Front", Width: 330})
		},
		"front, alone": func() (*Figure, error) { return Front(stairs(3, 4), nil, nil) },
		"plane, answer": func() (*Figure, error) {
			return ResponsePlane(fourArms(2, .10, .30, .45, .80, .85, .62, .60, .15), &PlaneOptions{Answer: &explore.Answer{Items: []int{1, 2}}, Front: true,
				Units: []string{"%", "mg"}, Title: "Answer"})
		},
		"plane, reasons": func() (*Figure, error) {
			reasons := []explore.Reason{{Class: explore.Dominated, By: 2, Constraint: -1}, {Class: explore.Optimal, By: -1, Constraint: -1},
				{Class: explore.Optimal, By: -1, Constraint: -1}, {Class: explore.Undecided, By: -1, Constraint: -1}}
			return ResponsePlane(fourArms(2, .10, .30, .45, .80, .85, .62, .60, .15), &PlaneOptions{Answer: &explore.Answer{Items: []int{1, 2}, Reasons: reasons}})
		},
		"planes, answer": func() (*Figure, error) {
			return ResponsePlanes(must(dataset.CovBoost{}.Instance()), &PlaneOptions{Answer: &explore.Answer{Items: []int{0, 3}}, Units: []string{"", "x", ""}})
		},
		"planes, four": func() (*Figure, error) {
			mu := mat.NewDense(5, 4, nil)
			for i := range 5 {
				for j := range 4 {
					mu.Set(i, j, float64((i*7+j*3)%5)+.1*float64(j))
				}
			}
			return ResponsePlanes(toy(mu, nil), nil)
		},
		"responses, line": func() (*Figure, error) { return Responses(toy(mat.NewDense(4, 1, []float64{1, 3, 2, 2.9}), nil), nil) },
		"responses, pair": func() (*Figure, error) { return Responses(fourArms(2, .10, .30, .45, .80, .85, .62, .60, .15), nil) },
		"estimates": func() (*Figure, error) {
			e := truth(fourArms(2, .10, .30, .45, .80, .85, .62, .60, .15))
			e.around(.01, .2, .05, .02, .3, .01, .02, .03)
			return e.Plane(&PlaneOptions{X: 1, Y: 0, Width: 330, Front: true})
		},
		"region": func() (*Figure, error) {
			region := must(polyhedron.AtLeast([]float64{.3, .25}, []string{"x", "y"}))
			inst := fourArms(2, .10, .30, .45, .80, .85, .62, .60, .15)
			inst.Problem.Question = question.FeasiblePareto{Region: region}
			return ResponsePlane(inst, &PlaneOptions{Front: true})
		},
		"gaps, wide":   func() (*Figure, error) { return Gaps(fourArms(2, 1, 2, 3, 4, 5, 1, 2, 2)) },
		"runs, three":  func() (*Figure, error) { return SampleComplexity(three, nil) },
		"runs, twelve": func() (*Figure, error) { return SampleComplexity(twelve, &RowOptions{Instances: one[:1]}) },
		"runs, hundreds": func() (*Figure, error) {
			return SampleComplexity(hundreds, &RowOptions{Methods: some[:1], Instances: one[1:]})
		},
		"arms, some never": func() (*Figure, error) { return ArmPulls(twelve, &RowOptions{Confidence: .5}) },
		"designs, many points": func() (*Figure, error) {
			names := make([]string, 15)
			for i := range names {
				names[i] = fmt.Sprint("p", i)
			}
			return Designs([]DesignPanel{{Points: points, Names: names, Design: critical}, {Title: "bare", Points: points, Items: soare, Design: &bare}}, nil)
		},
		"convergence, long": func() (*Figure, error) {
			return Convergence([]ConvergenceSeries{rising}, &DesignOptions{Title: "Long"})
		},
		"weights, faint": func() (*Figure, error) {
			return DesignWeights(nil, []WeightSeries{{"half", faint}, {"last", append(make([]float64, 39), .3)}}, &DesignOptions{Width: 400})
		},
		"front, guesses":   func() (*Figure, error) { return Front(stairs(13, 30), []FrontAnswer{guesses}, nil) },
		"planes, numbered": func() (*Figure, error) { return ResponsePlanes(named, &PlaneOptions{Width: 600}) },
		"planes, key":      func() (*Figure, error) { return ResponsePlanes(named, nil) },
		"sweep, grey":      func() (*Figure, error) { return Sweep([]SweepPanel{grey}, nil) },
		"threshold, bare":  func() (*Figure, error) { return Threshold(unsure, nil) },
		"shadow, ordered": func() (*Figure, error) {
			return ResponsePlane(shares(polyhedron.Ordered(3)), &PlaneOptions{X: 0, Y: 2, Front: true})
		},
		"sketch, square": func() (*Figure, error) {
			return Sketches([]Sketch{sketched()}, &SketchOptions{Square: true, Words: "one", Notes: []string{"A note."}})
		},
	}
	return list
}

var number = regexp.MustCompile(`-?\d+\.\d+`)

// The vectors of figures are those that were there when somebody looked at the pictures: of each figure a line has
// the numbers of its text for those who do not see it, and a sum of what is drawn, by tenths of a point.
// Where one differs, draw it before and after, and look.
func TestVectors(t *testing.T) {
	all := goldens()
	maps.Copy(all, variants())
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f, err := all[name]()
		if err != nil {
			fmt.Fprintf(&out, "%s: %v\n", name, err)
			continue
		}
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			t.Fatal(err)
		}
		text := number.ReplaceAllStringFunc(b.String(), func(s string) string {
			x, _ := strconv.ParseFloat(s, 64)
			return fmt.Sprintf("%.1f", x+1e-6)
		})
		sum := sha256.Sum256([]byte(text))
		fmt.Fprintf(&out, "%s: %.0f x %.0f, %d lines, %x; %.160s\n", name, f.Width.Points(), f.Height.Points(), strings.Count(text, "\n"), sum[:8], golden.Figures(f.Alt()))
	}
	golden.Check(t, "vectors.txt", out.String())
}
