package study_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

// constant returns a check that always returns the same verdict.
func constant(o study.Outcome, why string) study.Check {
	return func(*study.Results) study.Verdict { return study.Verdict{Outcome: o, Measured: "3", Why: why} }
}

func ExampleClaim_On() {
	c := study.Says("A1", "Fig. 5", "racing needs more", constant(study.Agrees, "it does")).On(study.StandIn)
	for _, cell := range study.Judge([]study.Claim{c}, nil).Rows[0] {
		fmt.Println(cell)
	}
	// Output:
	// A1
	// result
	// a stand-in
	// Fig. 5
	// racing needs more
	// agrees on a stand-in
	// 3
	// it does
}

func ExampleClaim_Unjudged() {
	c := study.Says("E", "Table 4", "e-cAPE needs 2679 samples", constant(study.Differs, "")).
		Unjudged("the means of the instance are not published")
	v := c.Check(nil)
	fmt.Println(v.Outcome, v.Measured, v.Why)
	// Output:
	// not judged 3 the means of the instance are not published
}

// A claim with several readings agrees if one reading agrees, and differs only if all readings differ.
func TestAnyReading(t *testing.T) {
	of := func(os ...study.Outcome) (vs []study.Verdict) {
		for i, o := range os {
			vs = append(vs, study.Verdict{Outcome: o, Measured: fmt.Sprint(i), Why: o.String()})
		}
		return vs
	}
	const yes, no, open = study.Agrees, study.Differs, study.NotComparable
	for _, c := range []struct {
		vs   []study.Verdict
		want study.Outcome
	}{
		{of(yes), yes}, {of(no), no}, {of(open), open}, {of(no, yes), yes}, {of(yes, no), yes},
		{of(no, no), no}, {of(no, open), open}, {of(open, no), open}, {of(open, yes), yes},
		{nil, open},
	} {
		v := study.AnyReading(c.vs...)
		if v.Outcome != c.want || v.Why == "" {
			t.Errorf("%v: %+v; want %v", c.vs, v, c.want)
		}
		if len(c.vs) == 2 && v.Measured != "0; 1" {
			t.Errorf("%v: measured %q; want both", c.vs, v.Measured)
		}
	}
}

// Verdicts on stand-ins for data are counted separately, and verdicts about times are not counted.
func TestScores(t *testing.T) {
	claims := []study.Claim{
		study.Says("1", "x", "y", constant(study.Agrees, "z")).On(study.PaperData),
		study.Says("2", "x", "y", constant(study.Differs, "z")).On(study.AnyInstance),
		study.Says("3", "x", "y", constant(study.Agrees, "z")).On(study.StandIn),
		study.Says("4", "x", "y", constant(study.Differs, "z")).On(study.Reading),
		study.Says("5", "x", "y", constant(study.Differs, "z")).On(study.PaperLaw).Unjudged("w"),
		study.Says("6", "x", "y", constant(study.Agrees, "z")).On(study.Clock),
		study.Guarantees("7", "x", "y", constant(study.Agrees, "z")).On(study.AnyInstance),
	}
	notes := strings.Join(study.Judge(claims, nil).Notes, "\n")
	for _, say := range []string{"on the paper's data 1 agree, 0 differ", "on a stand-in 1 agree",
		"on the paper's distribution 0 agree, 0 differ, 0 not comparable, 1 not judged"} {
		if !strings.Contains(notes, say) {
			t.Errorf("no note says %q:\n%s", say, notes)
		}
	}
}
