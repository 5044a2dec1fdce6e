package plan_test

import (
	"context"
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// dyes is a problem with guesses.
func dyes() *problem.Problem {
	p, err := problem.Parse("dyes.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
file = "dyes.csv"
[[objective]]
name = "fading"
goal = "minimise"
noise = { sd = 2 }
guess = "guess"
[method]
name = "APE"
[laboratory]
plate = 8
`), func(string) ([]byte, error) { return []byte("dye,guess\nD1,20\nD2,22\nD3,25\n"), nil })
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// Simulate the number of plates until the answer, and the number with a tolerance of 1.5.
func ExampleSimulate() {
	made, err := plan.Simulate(context.Background(), dyes(), &plan.Options{Runs: 100,
		Methods: []string{"APE"}, Changes: []plan.Change{{Objective: "fading",
			Field: "tolerance", Value: 1.5}}})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range made.Rows {
		fmt.Printf("%s %s: %v plates, %d of %d wrong\n", r.Method, r.Change, r.Plates.Median.Value, r.Wrong, r.Runs)
	}
	fmt.Println("the answer, if the guesses are right:", made.Candidates[made.Answer[0]])
	// Output:
	// APE : 8 plates, 0 of 100 wrong
	// APE fading.tolerance = 1.5: 4 plates, 0 of 100 wrong
	// the answer, if the guesses are right: D1
}

// Forecast the rest of a campaign after twenty measurements of each candidate.
func ExampleRemaining() {
	c, err := dyes().Compile()
	if err != nil {
		log.Fatal(err)
	}
	var told []explore.Batch
	for arm, fading := range []float64{20, 22, 25} {
		for range 20 {
			b, err := c.Batch(arm, []float64{fading})
			if err != nil {
				log.Fatal(err)
			}
			told = append(told, b)
		}
	}
	f, err := plan.Remaining(context.Background(), c, told, nil, &plan.Options{Runs: 100})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("plates that are left, nine times in ten at most: %.0f\n", f.Plates.Most.Value)
	// Output: plates that are left, nine times in ten at most: 10
}

// Parse a change as people type it, and apply it to a problem.
func ExampleParseChange() {
	c, err := plan.ParseChange("fading.tolerance=1.5")
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.Apply(dyes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c, p.Objectives[0].Tolerance)
	_, err = plan.ParseChange("fading.tolerance")
	fmt.Println(err)
	// Output:
	// fading.tolerance = 1.5 1.5
	// plan: "fading.tolerance": no equals sign; expected, for example, delta=0.1, plate=96 or yield.tolerance=2
}

// List the default changes of a problem.
func ExampleChanges() {
	for _, c := range plan.Changes(dyes()) {
		fmt.Println(c)
	}
	// Output:
	// delta = 0.1
	// plate = 32
	// fading.tolerance = 1
}

// If none of 60 answers is wrong, the 95 % confidence interval of the error probability ends at 0.06.
func ExampleLimits() {
	lo, hi := plan.Limits(0, 60)
	fmt.Printf("%.3f to %.3f\n", lo, hi)
	// Output: 0.000 to 0.060
}

// Compute operating characteristics: how often is the answer wrong if the means are as expected, and if the second
// dye is the best?
func ExampleCharacterise() {
	p := dyes()
	scenarios, err := plan.ReadScenarios(p, "scenarios.csv", []byte(`scenario,candidate,fading
as expected,D1,20
as expected,D2,22
as expected,D3,25
another,D1,24
another,D2,19
another,D3,25
`))
	if err != nil {
		log.Fatal(err)
	}
	made, err := plan.Characterise(context.Background(), p, scenarios, &plan.Options{Runs: 100})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range made.Rows {
		fmt.Printf("%s: %s in %d, %d wrong of %d\n", r.Name, made.Candidates[r.Answers[0].Items[0]],
			r.Answers[0].Count, r.Wrong.Count, r.Runs)
	}
	// Output:
	// as expected: D1 in 100, 0 wrong of 100
	// another: D2 in 100, 0 wrong of 100
}
