package study_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// A method is a policy with settings. Settings that depend on the task are set for each task.
func ExampleNewMethod() {
	m := study.NewMethod("LinGapE", "each arm", &policy.LinGapE{EachArm: true},
		func(p *policy.LinGapE, t study.Task) { p.Reg = float64(t.Size) })
	for _, t := range []study.Task{{Delta: .1, Size: 1}, {Delta: .01, Size: 2}} {
		p := m.New(t).(*policy.LinGapE)
		fmt.Println(m.Name, p.Delta, p.EachArm, p.Reg)
	}
	// Output:
	// LinGapE 0.1 true 1
	// LinGapE 0.01 true 2
}

// Each task has a policy of its own. If the policy has a field Budget for a number of pulls, the field is set.
func TestNewMethod(t *testing.T) {
	m := study.NewMethod("a", "", &policy.EGESH{Fresh: true})
	a := m.New(study.Task{Budget: 7}).(*policy.EGESH)
	b := m.New(study.Task{Budget: 8}).(*policy.EGESH)
	if a.Budget != 7 || b.Budget != 8 || !a.Fresh {
		t.Errorf("budgets %d and %d, %v", a.Budget, b.Budget, a.Fresh)
	}
	// LinFACT.Budget is a rule, not a number.
	p := study.NewMethod("a", "", &policy.LinFACT{}).New(study.Task{Delta: .2, Budget: 3})
	if f := p.(*policy.LinFACT); f.Delta != .2 || f.Budget != 0 {
		t.Errorf("%+v", f)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a policy without Delta or Budget")
		}
	}()
	study.NewMethod[explore.Policy]("a", "", &settled{})
}

// settled is a policy with neither Delta nor Budget.
type settled struct{ explore.Policy }

// Each method appears once in Looks; otherwise, figures would draw a method in two ways.
func TestLooks(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range study.Looks {
		if name != "" && seen[name] {
			t.Errorf("%s appears twice", name)
		}
		seen[name] = true
	}
}
