package campaign

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// purities is a problem with three candidates; the argument norm is a bound on the norm of their means, or 0 for no
// bound.
func purities(find, method string, norm float64) *problem.Problem {
	return &problem.Problem{
		Question:   problem.Question{Find: find, Delta: .05},
		Candidates: problem.Candidates{Names: []string{"a", "b", "c"}},
		Objectives: []problem.Objective{{Name: "y", Goal: problem.Maximise, Norm: norm,
			Noise: problem.Noise{SD: ptr(1.)}}},
		Method: problem.Method{Name: method},
	}
}

// A campaign with a method that needs a bound on the norm of the means is rejected without such a bound.
func TestNormIsStated(t *testing.T) {
	for _, x := range [][2]string{{problem.FindPareto, "PFIwR"}, {problem.FindBest, "PFIwR"}, {problem.FindBest, "ALBA"}} {
		_, err := Create(filepath.Join(t.TempDir(), "x.campaign"), purities(x[0], x[1], 0), "Ada")
		if err == nil || !strings.Contains(err.Error(), "objective[1].norm") {
			t.Errorf("%s, find %s: %v; want that the norm is missing", x[1], x[0], err)
		}
	}
}

// A campaign is not finished while a candidate has no measurement, even if the method reports an answer. Here, the
// method relies on a wrong bound on the norm.
func TestUnmeasured(t *testing.T) {
	c := beginWith(t, purities(problem.FindPareto, "PFIwR", 1))
	for range 20 {
		for _, ticket := range ask(t, c, 1) {
			tell(t, c, Result{Ticket: ticket.Ticket, Values: []float64{200}})
		}
		if s := status(t, c); s.Status != Running {
			if s.Status != Broken || len(s.Warnings) == 0 ||
				!strings.Contains(s.Warnings[len(s.Warnings)-1], "never measured") {
				t.Fatalf("%s: %s %q", s.Status, s.Headline, s.Warnings)
			}
			if !slices.ContainsFunc(s.Arms, func(a ArmStatus) bool {
				return a.Used == 0 && strings.Contains(s.Warnings[len(s.Warnings)-1], strconv.Quote(a.Arm)+" was never measured")
			}) {
				t.Errorf("the warnings name no unmeasured candidate: %q", s.Warnings)
			}
			if said, ok, err := c.Sure(); ok || err != nil {
				t.Errorf("Sure returns the confidence of a failed method: %v, %v", said, err)
			}
			return
		}
	}
	t.Fatal("the method did not stop before all candidates were measured: no test")
}

// A campaign that an older version created without a bound on the norm can be read, but certifies nothing.
func TestNormBefore(t *testing.T) {
	c := beginWith(t, purities(problem.FindPareto, "PFIwR", 10))
	tell(t, c, Result{Ticket: ask(t, c, 1)[0].Ticket, Values: []float64{3}})
	if err := c.read(func(m *snapshot) error {
		m.ledger.problem.Objectives[0].Norm = 0
		r, err := restore(m.ledger)
		if err != nil {
			return err
		}
		m.run = r
		if s := m.status(); s.Status != Broken || s.Used != 1 ||
			!strings.Contains(s.Guarantee[0], "nothing is certified") ||
			!strings.Contains(s.Warnings[0], "objective[1].norm: the guarantee of PFIwR requires that") {
			t.Errorf("%s: %q", s.Status, s.Warnings)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
