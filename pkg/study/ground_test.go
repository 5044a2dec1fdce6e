package study_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

// constant judges always the same.
func constant(o study.Outcome, why string) study.Check {
	return func(*study.Results) study.Verdict {
		return study.Verdict{Outcome: o, Measured: "3", Why: why}
	}
}

func ExampleClaim_On() {
	c := study.Says("A1", "Fig. 5", "racing needs more", constant(study.Agrees, "it does")).
		On(study.StandIn)
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

// One reading suffices, and all must be refuted.
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

// Where no reading agrees, each says why, and what they have in common is said once.
func TestAnyReadingSaysWhy(t *testing.T) {
	of := func(name string) study.Verdict {
		a, b := between(1.1, 2), between(1.1, 2)
		a.What, b.What = name+":", name+", too:"
		return study.All(study.Fewer.Of(a), study.Fewer.Of(b))
	}
	v := study.AnyReading(of("one"), of("two"))
	want := study.OneSuffices + study.Fewer.Meaning() +
		": not so one; one, too; two; two, too"
	if v.Outcome != study.Differs || v.Why != want {
		t.Errorf("%v, %q; want %q", v.Outcome, v.Why, want)
	}
}

// Verdicts on what is not the paper's are not counted with those that are, and those by the clock
// are not counted at all.
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
	s := study.Count(claims, nil)
	if got := s.Of(study.Result, study.Ground.Theirs); got != (study.Score{Agree: 1, Differ: 1,
		NotJudged: 1}) {
		t.Errorf("on what the paper ran: %v", got)
	}
	if got := s[study.Result][study.Clock]; got != (study.Score{NotJudged: 1}) {
		t.Errorf("by the clock: %v", got)
	}
	notes := strings.Join(study.Judge(claims, nil).Notes, "\n")
	for _, say := range []string{"on the paper's data 1 agree, 0 differ", "on a stand-in 1 agree",
		"on the paper's distribution 0 agree, 0 differ, 0 not comparable, 1 not judged"} {
		if !strings.Contains(notes, say) {
			t.Errorf("no note says %q:\n%s", say, notes)
		}
	}
}

// From judges by large sizes only.
func TestFrom(t *testing.T) {
	r := &study.Results{Experiment: study.Experiment{Sizes: []int{10, 20, 40}}}
	study.From(20, func(r *study.Results) study.Verdict {
		if s := r.Experiment.Sizes; len(s) != 2 || s[0] != 20 {
			t.Errorf("sizes %v; want 20 and 40", s)
		}
		return study.Verdict{}
	})(r)
	if len(r.Experiment.Sizes) != 3 {
		t.Error("the experiment has lost sizes")
	}
}
