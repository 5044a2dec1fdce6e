package problem_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A policy receives rewards in units of the noise; larger rewards are better.
func Example() {
	p, err := problem.Read("coupling.toml")
	if err != nil {
		log.Fatal(err) // the error names the file, the line and the field
	}
	c, err := p.Compile()
	if err != nil {
		log.Fatal(err)
	}
	// Create a policy with the settings of the problem, and convert a measurement to rewards.
	policy := c.Policy()
	batch, err := c.Batch(p.Candidate("B01"), []float64{66.2, 2.3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(policy, batch.Sum)
}
