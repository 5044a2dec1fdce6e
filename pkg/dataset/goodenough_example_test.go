package dataset_test

import (
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// Example_goodEnough is the code of docs/good-enough.md.
func Example_goodEnough() {
	unknown := math.NaN()
	// The yield must be at least 80 %, and the price at most 60 euros. Larger values are better, so prices are
	// negated.
	region, err := polyhedron.AtLeast([]float64{80, -60}, []string{"yield", "price"})
	if err != nil {
		log.Fatal(err)
	}
	problem := &explore.Problem{
		ArmNames:       []string{"A", "B", "C", "D", "E"},
		ObjectiveNames: []string{"yield", "price"},
		Arms:           5, Objectives: 2, Sigma: 2, // the standard deviation of yield
		Known: mat.NewDense(5, 2, []float64{ // prices are not measured
			unknown, -41,
			unknown, -41, // equal prices do not count as a tie
			unknown, -18,
			unknown, -88, // the price is above 60 euros, so D is never measured
			unknown, -30,
		}),
		Question: question.FeasiblePareto{
			Region:    region,
			Tolerance: []float64{1, 0}, // a difference of 1 % in yield does not matter, but any difference in price does
			Slack:     []float64{1, 0}, // 79 % would be tolerated
		},
	}

	// A simulated laboratory. The policy sees yields only as measurements.
	yields := mat.NewDense(5, 2, []float64{88.2, -41, 83.3, -41, 72.4, -18, 93, -88, 79.9, -30})
	law, err := bandit.NewGaussian(yields, mat.NewDiagDense(2, []float64{4, 0}))
	if err != nil {
		log.Fatal(err)
	}
	result, err := explore.Run(&policy.ECAPE{Delta: 0.05}, problem, bandit.NewSampler(law, seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, "after", result.Pulls, "measurements, by arm", result.ArmPulls)
	for _, line := range result.Answer.Explain(problem) {
		fmt.Println(line)
	}
	// Output:
	// stopped after 496 measurements, by arm [245 13 3 0 235]
	// A: optimal: feasible with 8.115 ± 0.909 to spare (yield >= 80); ahead of B by 5.75 ± 4.86 in some objective
	// B: dominated by A, which is better by 5.75 ± 4.86 wherever they differ
	// C: infeasible: outside yield >= 80 by 8.68 ± 8.21
	// D: infeasible: outside price >= -60 by 28.000
	// E: optimal: outside yield >= 80 by 0.069 ± 0.928, which is tolerated; ahead of A by 11.000 ± 0.000 in some objective
}
