package planview_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Plan the problem in a file, and make a table and a figure.
func Example() {
	ctx := context.Background()
	p, err := problem.Read("coupling.toml")
	if err != nil {
		log.Fatal(err)
	}
	made, err := plan.Simulate(ctx, p, &plan.Options{Runs: 200})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(planview.Table(made).Text())
	figure, err := planview.Figure(made)
	if err != nil {
		log.Fatal(err)
	}
	file, err := os.Create("plan.svg")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	if err := figure.SVG(file); err != nil {
		log.Fatal(err)
	}
}
