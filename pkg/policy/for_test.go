package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// What has no method says so, and which budget would do.
func TestForErrors(t *testing.T) {
	tiny := &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), Sigma: 1,
		Question: question.Best{}}
	_, err := policy.For(tiny, policy.Circumstances{Budget: 1})
	if !errors.Is(err, explore.ErrBudget) || !strings.Contains(err.Error(), "at least") {
		t.Errorf("%v; want ErrBudget with what is enough", err)
	}
	front := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: polyhedron.Whole(2)}}
	if _, err := policy.For(front, policy.Circumstances{Budget: 100}); !errors.Is(err,
		explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
	changing := &explore.Problem{X: tiny.X, Changing: true, Objectives: 2, Sigma: 2,
		Question: question.Pareto{}}
	if _, err := policy.For(changing, policy.Circumstances{}); !errors.Is(err,
		explore.ErrQuestion) || !strings.Contains(err.Error(), "needs the norm of the parameters") {
		t.Errorf("features that change, and no norm: %v; want ErrQuestion, and Norm", err)
	}
	r, err := policy.For(changing, policy.Circumstances{Norm: 3})
	if err != nil || r.Make().(*policy.PFIwR).Norm != 1.5 { // 3 rewards are 1.5 Sigma
		t.Errorf("features that change, with a norm: %+v, %v", r, err)
	}
	other := *front
	other.Question = strange{}
	if _, err := policy.For(&other, policy.Circumstances{}); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
	if _, err := policy.For(tiny, policy.Circumstances{Delta: 3}); err == nil {
		t.Error("delta 3 is accepted")
	}
	if _, err := policy.For(&explore.Problem{}, policy.Circumstances{}); err == nil {
		t.Error("an empty problem is accepted")
	}
}

// Which method for a taste test with sets of four glasses?
func ExampleFor() {
	r, err := policy.For(whiskeys().Problem, policy.Circumstances{Delta: 0.05, Plate: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(explore.Name(r.Make()))
	fmt.Println(r.Guarantee())
	// Output:
	// elimination by betting (delta 0.05), plates of 4
	// error at most delta
}
