package linfact_test

import (
	"cmp"
	"context"
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/tidy"
)

// The experiments of the paper, and those on its sections that have none.
func Example() {
	for _, e := range linfact.Paper.Experiments {
		fmt.Printf("%s (%s)\n", e.Name, cmp.Or(e.Source, "not in the paper"))
	}
	// Output:
	// linfact/decision-regions (Fig. 1, Fig. EC.3.1, Fig. EC.4.1, Table EC.4.1)
	// linfact/settings (Fig. 5, Fig. 6)
	// linfact/settings-growth (not in the paper)
	// linfact/free-wilson-synthetic (Fig. 8)
	// linfact/lower-bounds (not in the paper)
	// linfact/misspecified (not in the paper)
	// linfact/glm (not in the paper)
	// linfact/glm-counts (not in the paper)
}

// A few runs of an experiment, and what they say about a claim.
func Example_claims() {
	e := linfact.DecisionRegions
	grid, err := e.Grid(study.Options{Reps: 20})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := grid.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range e.Claims[:3] {
		fmt.Printf("%s: %v\n", c.Source, c.Check(e.Results(rows)).Outcome)
	}
	// Output:
	// Table EC.4.1: agrees
	// EC.4.1: agrees
	// EC.3, Fig. EC.3.1: differs
}

// table prints the first columns of the first rows.
func table(t *tidy.Table, err error, rows, columns int) {
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range t.Rows[:rows] {
		fmt.Println(row[:columns]...)
	}
}

// An instance of Table 1, with what was drawn for it.
func ExampleSetting() {
	in, err := linfact.Setting(2, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d arms, %d within %v of the best; %d are expected\n", in.Problem.K(), in.Good,
		.2, int(in.ExpectedGood))
	// Output:
	// 12 arms, 2 within 0.2 of the best; 4 are expected
}

// Where the first arm alone is good, the design G is earlier; elsewhere XY is.
func ExampleEntering() {
	t, err := linfact.Entering()
	table(t, err, 2, 3)
	// Output:
	// M1 {1} 231 312
	// M2 {1, 3} 643 384
}

// Drug discovery on a table of contributions of one's own.
func ExampleFreeWilson() {
	own := dataset.FreeWilson{Epsilon: 1.5, Sites: []dataset.Site{
		{Name: "A", Substituents: []string{"H", "Me"}, Contributions: []float64{0, 1}},
		{Name: "B", Substituents: []string{"H", "Cl", "OH"}, Contributions: []float64{0, 2, 3}},
	}}
	e := linfact.FreeWilson("mine/drugs", "Six compounds", own)
	in, err := e.At(10, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Title, "of", in.Problem.K(), "arms; delta", e.DeltaAt(10))
	fmt.Printf("of the paper: %q, %d claims\n", e.Source, len(e.Claims))
	// Output:
	// Six compounds of 6 arms; delta 0.1
	// of the paper: "", 0 claims
}

// From which known deviation on structure does not help: two arms that are both within 4 of the
// best, of which one has no feature.
func ExampleStructureLimit() {
	in, err := linfact.TwoDirections(4)
	if err != nil {
		log.Fatal(err)
	}
	limit, err := linfact.StructureLimit(in)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", limit)
	// Output:
	// 1.500
}

// Instances of sections 5 and 6.
func ExampleGLMInstance() {
	glm, err := linfact.GLMInstance(explore.Logit, -2)
	if err != nil {
		log.Fatal(err)
	}
	mis, err := linfact.MisspecifiedInstance(.05)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(glm.Problem.Link, glm.Problem.K(), mis.Notes[0])
	// Output:
	// logit 10 means deviate from the linear model by 0.05
}
