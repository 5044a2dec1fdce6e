package study_test

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/study"
)

// named is an experiment on two instances with names.
func named() study.Experiment {
	e := confident()
	e.Names, e.Sizes = []string{"short ladder", "long ladder"}, []int{0, 1}
	e.Instance = func(size, draw int) (*bandit.Instance, error) { return ladder(2+2*size, draw) }
	return e
}

// The figure of named instances has their runs and the finite bounds, once where they are near each
// other; constants go into names where methods have constants of their own.
func TestDistribution(t *testing.T) {
	e := named()
	again := e.Bounds[0]
	again.Name = "second floor"
	e.Bounds = append(e.Bounds, again)
	r := e.Results(simulate(t, e, study.Options{}))
	for _, c := range []struct {
		constants []string
		has, not  string
	}{
		{nil, "even (many)", "constants:"},
		{[]string{"many", "few"}, "constants: many", "rare"},
		{[]string{"few"}, "even", "many"},
	} {
		f, err := r.Distribution(c.constants...)
		if err != nil {
			t.Fatal(err)
		}
		if text := f.Alt(); !strings.Contains(text, c.has) || strings.Contains(text, c.not) {
			t.Errorf("%q: want %q and not %q in %s", c.constants, c.has, c.not, text)
		}
	}
	// Those that are for tables only are in it where their constants are named.
	for _, tables := range []bool{false, true, false} {
		for i := range e.Methods {
			e.Methods[i].TableOnly = tables && e.Methods[i].Constants == "few"
		}
		all, err := r.Distribution()
		few, wrong := r.Distribution("few")
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		if strings.Contains(all.Alt(), "even (few)") == tables || !strings.Contains(few.Alt(), "even median 8 ") {
			t.Errorf("few is for tables only: %v; %s; and %s", tables, all.Alt(), few.Alt())
		}
	}
	if f, err := r.Figure(); err != nil || !strings.Contains(f.Alt(), "long ladder") {
		t.Errorf("figure %v, %v", f, err)
	}
	want := fig.Reference{Instance: "long ladder", Name: "floor", Pulls: 4}
	if refs := study.References(r, 1); len(refs) != 1 || refs[0] != want {
		t.Errorf("references %+v; want the floor at 4", refs)
	}
	if fs, err := r.Figures(); err != nil || len(fs) != 1 {
		t.Errorf("%d figures of a report, %v", len(fs), err)
	}
	f, err := r.ArmPulls()
	if err != nil || !strings.Contains(f.Alt(), "short ladder") ||
		strings.Contains(f.Alt(), "few") {
		t.Errorf("pulls of arms: %v, %v", f, err)
	}
}

// Instances and their rows are found by name.
func TestNamed(t *testing.T) {
	e := named()
	inst, err := e.Named("long ladder")
	if err != nil || inst.Name != "long ladder" || inst.Problem.K() != 4 {
		t.Errorf("%+v, %v", inst, err)
	}
	if _, err := e.Named("rope"); err == nil || !strings.Contains(err.Error(), `"short ladder"`) {
		t.Errorf("error %v; want the names that there are", err)
	}
	r := e.Results(simulate(t, e, study.Options{}))
	rows := r.On("long ladder", "even", "few")
	if len(rows) != e.Reps || rows[0].Instance != "long ladder" || rows[0].Constants != "few" {
		t.Errorf("%d rows, %+v", len(rows), rows)
	}
	if rows := r.On("rope", "even", "few"); rows != nil {
		t.Errorf("rows of an instance that is not there: %+v", rows)
	}
}

// What is 0 or 1 has the interval of a share.
func TestMeasureTableOfShares(t *testing.T) {
	e := named()
	e.Measures = e.Measures[:0:0]
	rows := simulate(t, e, study.Options{})
	if n := len(e.Results(rows).MeasureTable().Rows); n != 0 {
		t.Errorf("%d rows of no measures", n)
	}
	if s := study.Mean([]float64{0, 1, 0, 0}); s.Center != .25 || !(s.Hi > .7) ||
		!(s.Lo > 0 && s.Lo < .01) {
		t.Errorf("one of four: %+v; want the interval of Clopper and Pearson, 0.0063 to 0.806", s)
	}
	if s := study.Mean([]float64{2, 2, 2}); s.Center != 2 || s.Lo != 2 || s.Hi != 2 {
		t.Errorf("mean of twos: %+v", s)
	}
}

// Tables name the constants of a method that has several, although figures show one of them.
func TestMeasureTableNamesConstants(t *testing.T) {
	e := named()
	for i, m := range e.Methods {
		e.Methods[i].TableOnly = m.Name == "even" && m.Constants == "few"
	}
	found := map[any]bool{}
	for _, row := range e.Results(simulate(t, e, study.Options{})).MeasureTable().Rows {
		found[row[1]] = true
	}
	if !found["even (few)"] || !found["even (many)"] || found["even"] {
		t.Errorf("the table's methods are %v; want even (few) and even (many)", found)
	}
}
