package study_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

func twoMethods() study.Experiment {
	return study.Experiment{Name: "paper/figure", Methods: []study.Method{
		{Name: "a", Constants: "theory"}, {Name: "b"}, {Name: "a", Constants: "code"}}}
}

// All constants of a method stay, in their order, and the experiment itself is as it was.
func TestOnly(t *testing.T) {
	e := twoMethods()
	o := e.Only("a")
	if len(o.Methods) != 2 || o.Methods[0].Constants != "theory" ||
		o.Methods[1].Constants != "code" {
		t.Errorf("%v", o.Methods)
	}
	if o.Methods = append(o.Methods, study.Method{Name: "c"}); len(e.Methods) != 3 ||
		e.Methods[1].Name != "b" || e.Methods[2].Name != "a" {
		t.Errorf("the experiment became %v", e.Methods)
	}
	defer func() {
		if recover() == nil {
			t.Error("a method that is not there does not panic")
		}
	}()
	e.Only("a", "c")
}

// A copy with fewer replicates has no more of a costly method than of others.
func TestCopiesWithFewReplicates(t *testing.T) {
	e := confident()
	e.Reps, e.Methods[2].Reps = 2, 3
	for _, o := range []study.Options{{}, {Reps: 2}} {
		for _, r := range simulate(t, e, o) {
			if r.Rep >= 2 {
				t.Errorf("%+v: row %+v", o, r)
			}
		}
	}
}

// Compare two methods of an experiment alone.
func ExampleExperiment_Only() {
	fmt.Println(twoMethods().Only("b").MethodNames())
	// Output:
	// [b]
}
