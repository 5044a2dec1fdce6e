package nb

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"

	"gonum.org/v1/gonum/mat"
)

// All policies are compared on the same noise, which does not depend on earlier runs. Error messages say how to
// correct the call.
func TestCompare(t *testing.T) {
	t.Setenv("PUREXP_CACHE", t.TempDir())
	t.Setenv("PUREXP_REPS", "")
	inst := policytest.Gaussian("", &explore.Problem{Arms: 3, Sigma: .5, Question: question.Best{}},
		mat.NewDense(3, 1, []float64{1, .2, 0}))
	other := policytest.Gaussian("harder", &explore.Problem{Arms: 3, Sigma: .5, Question: question.Best{}},
		mat.NewDense(3, 1, []float64{1, .8, 0}))
	used := &policy.LUCB{Delta: .1}
	Run(&inst, used, 3)
	c := Compare(20, Policies{nil, used, &policy.UGapE{}}, &inst, &other)
	if len(c.Rows()) != 20*3*2 {
		t.Fatalf("%d rows", len(c.Rows()))
	}
	pulls := map[string]map[string]int{"instance 1": {}, "harder": {}}
	for _, r := range c.Rows() {
		pulls[r.Instance][r.Method] += r.Pulls
	}
	for m, n := range pulls["instance 1"] {
		if n >= pulls["harder"][m] {
			t.Errorf("%s: %v rewards, %v on the harder one", m, n, pulls["harder"][m])
		}
	}
	for _, r := range c.Rows() {
		want := .1
		if strings.HasPrefix(r.Method, "UGapE") {
			want = policy.DefaultDelta
		}
		if r.Delta != want && strings.Contains(r.Method, "UCB") {
			t.Errorf("%s: delta %v", r.Method, r.Delta)
		}
	}
	if text := c.table().Text(); !strings.Contains(text, "LUCB") || !strings.Contains(text, "harder") {
		t.Error(text)
	}
	if alt := celltest.Printed(t, c.Figure); !strings.Contains(alt, "LUCB") {
		t.Errorf("one size, two instances: %s", alt)
	}
	// The recommended policy gets the error probability of the first policy that has an error probability.
	for _, p := range []Policies{{nil, &policy.UniformBudget{Budget: 30}, &policy.LUCB{Delta: .2}, &policy.UGapE{Delta: .01}},
		{&policy.LUCB{Delta: .2}, nil, &policy.UGapE{Delta: .01}}} {
		s, err := comparison(1, p, []*bandit.Instance{&inst})
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.Grid(study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range g.Methods {
			if p[i] == nil && m.Delta != .2 {
				t.Errorf("recommended: %s with delta %v; want .2", m.Name, m.Delta)
			}
		}
	}
	for _, x := range []struct {
		reps int
		p    Policies
		want string
	}{{0, Policies{nil}, "at least 1"}, {1, nil, "no policies"}, {1, Policies{&policy.UGapE{}, used, used}, "Compare: policy 3 is a duplicate of LUCB (delta 0.1, Kaufmann-Koolen)"},
		{-1, Policies{used}, "-1 runs; expected at least 1"}} {
		if _, err := comparison(x.reps, x.p, []*bandit.Instance{&inst}); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v; want %q", err, x.want)
		}
	}
	if _, err := comparison(1, Policies{used}, nil); err == nil || !strings.Contains(err.Error(), "the instances are missing") {
		t.Error(err)
	}
}
