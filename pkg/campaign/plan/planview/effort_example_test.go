package planview_test

import (
	"context"
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Most measurements go to the candidates that are hardest to distinguish.
func ExampleEffort() {
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
`), func(string) ([]byte, error) { return []byte("dye,guess\nD1,20\nD2,22\nD3,35\n"), nil })
	if err != nil {
		log.Fatal(err)
	}
	made, err := plan.Simulate(context.Background(), p, &plan.Options{Runs: 100, Changes: []plan.Change{}})
	if err != nil {
		log.Fatal(err)
	}
	t := planview.Effort(made)
	fmt.Println(t.Rows[0][0], t.Rows[1][0], t.Rows[2][0])
	figure, err := planview.EffortFigure(made)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(figure.Panels) > 0)
	// Output:
	// D1 D2 D3
	// true
}
