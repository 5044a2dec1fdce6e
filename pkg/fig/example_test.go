package fig_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// The doses of a trial in the plane of efficacy and safety, with the feasible
// region.
func ExampleResponsePlane() {
	inst, err := dataset.Secukinumab{}.Instance()
	if err != nil {
		log.Fatal(err)
	}
	f, err := fig.ResponsePlane(inst, &fig.PlaneOptions{Front: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Alt())
	// Output:
	// Mean responses of 5 arms in efficacy and safety. Optimal: 150 mg. Infeasible: placebo, 25 mg, 75 mg, 300 mg.
}

// Three objectives: a panel for each pair.
func ExampleResponsePlanes() {
	inst, err := dataset.CovBoost{}.Instance()
	if err != nil {
		log.Fatal(err)
	}
	f, err := fig.ResponsePlanes(inst, nil)
	if err != nil {
		log.Fatal(err)
	}
	// Three planes, and the names of the twenty arms, which are numbered. A page shows them side by side
	// where there is room.
	fmt.Println(len(f.Parts()), "parts:", f.Parts()[2].Alt())
	// Output:
	// 4 parts: Mean responses in ln NT50 and ln cellular response.
}

// One plane, or all, by the number of objectives.
func ExampleResponses() {
	inst, err := dataset.CovBoost{}.Instance()
	if err != nil {
		log.Fatal(err)
	}
	f, err := fig.Responses(inst, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(f.Panels), "panels, as wide as a column:", f.Width == canvas.ColumnWidth)
	// Output:
	// 4 panels, as wide as a column: true
}

// runs are a small made-up study.
func runs() []mc.Row {
	var rows []mc.Row
	for i, m := range []string{"e-cAPE", "MD-APT+APE", "Uniform"} {
		for rep := range 40 {
			n := (rep*rep%41 + 30) * []int{30, 110, 500}[i]
			rows = append(rows, mc.Row{
				Instance:  "toy",
				Method:    m,
				Constants: "paper",
				Delta:     .1,
				Rep:       rep,
				Pulls:     n,
				ArmPulls:  []int{n / 2, n / 3, n - n/2 - n/3},
				Status:    "stopped",
				Correct:   i+rep > 0,
			})
		}
	}
	return rows
}

func ExampleSampleComplexity() {
	f, err := fig.SampleComplexity(runs(), &fig.RowOptions{
		Title:      "A toy study",
		References: []fig.Reference{{Name: "lower bound", Pulls: 600}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Alt())
	// Output:
	// Distribution of the number of pulls. toy: e-cAPE median 1 515 [1 200, 1 830] pulls, 1/40 wrong; MD-APT+APE median 5 555 [4 400, 6 710] pulls, 0/40 wrong; Uniform median 25 250 [20 000, 30 500] pulls, 0/40 wrong.
}

func ExampleArmPulls() {
	f, err := fig.ArmPulls(runs(), &fig.RowOptions{
		Title:    "A toy study",
		ArmNames: map[string][]string{"toy": {"placebo", "half dose", "full dose"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Alt())
	// Output:
	// Mean pulls of each arm. toy, e-cAPE: most pulls (757 of 1 514) on placebo. toy, MD-APT+APE: most pulls (2 776 of 5 552) on placebo. toy, Uniform: most pulls (12 619 of 25 238) on placebo.
}

// One run: which arm is pulled when, and when each arm is certified.
func ExampleTrajectory() {
	inst, err := dataset.Secukinumab{AsDescribed: true}.Instance()
	if err != nil {
		log.Fatal(err)
	}
	var trace fig.Trace
	res, err := explore.Run(&policy.Uniform{Delta: .1}, inst.Problem, inst.Sampler(seed.New(1)),
		&explore.Settings{MaxPulls: 100_000, Recorder: &trace})
	if err != nil {
		log.Fatal(err)
	}
	trace.End(res)
	f, err := fig.Trajectory(inst.Problem, &trace, nil)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.PNG(&b); err != nil {
		log.Fatal(err)
	}
	last := trace.Samples[len(trace.Samples)-1]
	fmt.Println(last.Pulls == res.Pulls, len(trace.Samples) < 300, b.Len() > 0)
	// Output:
	// true true true
}

// A figure is a value: change it before it is drawn.
func ExampleFigure() {
	f, err := fig.SampleComplexity(runs(), nil)
	if err != nil {
		log.Fatal(err)
	}
	f.Panels[0][0].X.Label.Text = "number of patients"
	f.Notes = append(f.Notes, "Made-up data.")
	f.Height += 14
	w, h := f.Size()
	fmt.Printf("%.0f x %.0f points\n", float64(w), float64(h))
	// Output:
	// 308 x 286 points
}

func ExampleFigure_WriteFile() {
	dir, err := os.MkdirTemp("", "fig")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f, err := fig.SampleComplexity(runs(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"pulls.png", "pulls.svg", "pulls.pdf", "pulls.gif"} {
		if err := f.WriteFile(filepath.Join(dir, name)); err != nil {
			fmt.Println(filepath.Ext(name), "is refused")
		}
	}
	// Output:
	// .gif is refused
}

// A method looks the same in all figures of a paper, whatever it is compared with:
// the palette lists the methods of all experiments.
func ExamplePalette() {
	paper := fig.Palette{}.With("RAGE", "XY-static", "LinGapE").With("RAGE", "ALBA")
	point := []fig.SweepPoint{{X: 5, Center: 1e4, Lo: 9e3, Hi: 2e4}}
	panel := fig.SweepPanel{XLabel: "dimension", Series: []fig.SweepSeries{
		{Name: "ALBA", Points: point},
	}}
	if _, err := fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{Palette: paper}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(paper)
	fmt.Println(paper.Look("ALBA").Marker == canvas.Diamond) // as the fourth, here too
	// Output:
	// [RAGE XY-static LinGapE ALBA]
	// true
}

// Which of two methods is first, on a grid of two settings.
func ExampleTiles() {
	f, err := fig.Tiles(fig.TileMap{
		Title: "Ratio of pulls", XLabel: "noise", YLabel: "arms",
		X: []string{"0.1", "1"}, Y: []string{"10", "100"}, Classes: []string{"ours", "theirs"},
		Panels: []fig.TilePanel{{
			Title: "two objectives", Text: [][]string{{"0.5", "0.9"}, {"0.8", "1.2"}},
			Class: [][]int{{0, 0}, {0, 1}},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Description)
	// Output:
	// two objectives: ours: 3 tiles; theirs: 1 tile.
}

// What the gaps of two arms are: both of how close they are to a tie.
func ExampleGaps() {
	law, err := bandit.NewGaussian(mat.NewDense(2, 2, []float64{.4, .8, .8, .6}),
		mat.NewDiagDense(2, []float64{1, 1}))
	if err != nil {
		log.Fatal(err)
	}
	f, err := fig.Gaps(&bandit.Instance{Name: "two arms", Law: law, Problem: &explore.Problem{
		Arms: 2, Objectives: 2, ArmNames: []string{"a", "b"}, Sigma: 1, NormSigma: 1,
		Question: question.Pareto{},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Description)
	// Output:
	// Δ(a) = M(a, b) = 0.2. Δ(b) = M(a, b) = 0.2.
}

// A set of the plane, and a point in it.
func ExampleSketches() {
	triangle := canvas.Cut(canvas.Rectangle(0, 1, 0, 1), canvas.HalfPlane{A: 1, B: 1, C: 1})
	f, err := fig.Sketches([]fig.Sketch{{
		Title: "Budgets of two arms", XLabel: "pulls of arm 1", YLabel: "pulls of arm 2",
		X: [2]float64{0, 1}, Y: [2]float64{0, 1},
		Regions: []fig.SketchRegion{{Name: "allowed", Pieces: [][]canvas.Point{triangle},
			Color: canvas.Light(canvas.Blue, .3)}},
		Points: []fig.SketchPoint{{Point: canvas.Point{X: .25, Y: .25}, Name: "half of it",
			Look: fig.Look{Color: canvas.Ink}}},
	}}, &fig.SketchOptions{Title: "Budgets", Square: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Alt(), "Area:", canvas.Area(triangle))
	// Output:
	// Budgets: Budgets of two arms. Area: 0.5
}

// What three measured candidates look like, with the intervals of their means.
func ExampleEstimates_Plane() {
	e := fig.Estimates{Name: "So far", Items: []string{"50 mg", "75 mg", "150 mg"},
		Objectives: []string{"response", "tolerance"},
		Means:      mat.NewDense(3, 2, []float64{.3, .9, .6, .7, .5, .4}),
		Low:        mat.NewDense(3, 2, []float64{.2, .8, .55, .6, .3, .2}),
		High:       mat.NewDense(3, 2, []float64{.4, 1, .65, .8, .7, .6})}
	f, err := e.Plane(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Title)
	// Output: So far
}
