package dataset_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// A visit is the record of one patient.
type visit struct {
	contexts *mat.Dense
	results  []explore.Batch
}

// resume replays a record from its first patient, and returns the resulting session.
func resume(problem *explore.Problem, record []visit) (*explore.Session, error) {
	design := &policy.PFIwR{Delta: 0.05, Norm: 4}
	session, err := explore.NewSession(design, problem, nil)
	if err != nil {
		return nil, err
	}
	for _, v := range record {
		if err := session.Observe(v.contexts); err != nil {
			return nil, err
		}
		if _, err := session.Ask(); err != nil {
			return nil, err
		}
		if err := session.Tell(v.results); err != nil {
			return nil, err
		}
	}
	return session, nil
}

// Features change from patient to patient.
func Example_contextual() {
	problem := &explore.Problem{
		ArmNames: []string{"placebo", "half dose", "full dose"},
		// The features are the dose by body weight and the age, averaged over patients. Each arm has one row.
		X:              mat.NewDense(3, 2, []float64{0, 0.5, 0.4, 0.5, 0.8, 0.5}),
		Changing:       true,
		Objectives:     2,
		ObjectiveNames: []string{"relief", "comfort"},
		Sigma:          0.5,
		Question:       question.Pareto{Epsilon: 0.2},
	}

	session, err := resume(problem, nil)
	if err != nil {
		log.Fatal(err)
	}
	patient := mat.NewDense(3, 2, []float64{0, 0.7, 0.3, 0.7, 0.6, 0.7})
	if err := session.Observe(patient); err != nil {
		log.Fatal(err)
	}

	pulls, err := session.Ask()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("round", session.Round(), "gets", problem.Arm(pulls[0].Arm))
	result := []explore.Batch{{Pull: pulls[0], Sum: []float64{0.4, 0.7}}}
	if err := session.Tell(result); err != nil {
		log.Fatal(err)
	}

	next := mat.NewDense(3, 2, []float64{0, 0.2, 0.5, 0.2, 1, 0.2})
	fmt.Println(session.Observe(next))
	fmt.Println(session.Observe(patient))

	record := []visit{{patient, result}}
	session, err = resume(problem, record)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("after", session.Result().Pulls, "patient:", session.Result().Status)

	// Output:
	// round 1 gets placebo
	// <nil>
	// explore: the contexts of round 2 were reported before, with other values; the first report counts: unexpected measurements
	// after 1 patient: running
}
