package policy_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// Nobody knows how noisy the measurements are: the standard deviation is 3 in truth. A pilot of six
// of each arm bounds it, and counts for the answer.
func ExamplePiloted() {
	law, err := bandit.NewGaussian(mat.NewDense(3, 1, []float64{50, 62, 71}),
		mat.NewDiagDense(1, []float64{9}))
	if err != nil {
		log.Fatal(err)
	}
	problem := &explore.Problem{ArmNames: []string{"A", "B", "C"}, Arms: 3,
		Sigma:    1, // rewards beyond a million times this are refused; nothing else is read
		Question: question.Pareto{}}
	p := &policy.Piloted{Delta: 0.05, Rewards: 6,
		New: func(delta float64) explore.Policy { return &policy.APE{Delta: delta} }}
	r, err := explore.Run(p, problem, bandit.NewSampler(law, seed.New(4)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("answer %s, standard deviation at most %.1f\n",
		problem.Arm(r.Answer.Items[0]), p.Sigmas()[0])
	// Output: answer C, standard deviation at most 4.9
}
