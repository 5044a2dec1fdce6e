package fig_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/seed"
)

// Responses draws one plane or all planes, depending on the number of objectives.
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

// The figure of one run shows when each arm is pulled, and when each arm is certified.
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

func ExampleFigure_WriteFile() {
	dir, err := os.MkdirTemp("", "fig")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f, err := fig.SampleComplexity([]mc.Row{
		{Instance: "i", Method: "m", Status: "stopped", Pulls: 5, Correct: true},
		{Instance: "i", Method: "m", Status: "stopped", Pulls: 8, Correct: true, Rep: 1},
	}, nil)
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

// Draw three measured candidates with the intervals of their means.
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
