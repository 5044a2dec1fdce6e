package study_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

func ExampleJudge() {
	claims := []study.Claim{{
		ID: "A1", Basis: study.StandIn, Source: "Fig. 4", Statement: "e-cAPE needs fewer than 60 000 pulls",
		Check: func(r *study.Results) study.Verdict {
			rows := r.Rows
			if len(rows) == 0 {
				return study.Missing("e-cAPE")
			}
			v := study.Verdict{Outcome: study.Differs, Measured: fmt.Sprint(rows[0].Pulls), Why: "one run"}
			if rows[0].Pulls < 60_000 {
				v.Outcome = study.Agrees
			}
			return v
		},
	}}
	fmt.Print(study.Judge(claims, []mc.Row{{Pulls: 51_699}}).CSV())
	fmt.Print(study.Judge(claims, nil).CSV())
	// Output:
	// claim,kind,judged on,source,statement,verdict,measured,why
	// A1,result,a stand-in,Fig. 4,e-cAPE needs fewer than 60 000 pulls,agrees on a stand-in,51699,one run
	// claim,kind,judged on,source,statement,verdict,measured,why
	// A1,result,a stand-in,Fig. 4,e-cAPE needs fewer than 60 000 pulls,not comparable,-,no runs of e-cAPE
}

// If the number of replicates of a study changes, its parts keep their proportions, with at least one replicate each.
func TestScaled(t *testing.T) {
	for _, c := range []struct{ reps, own, whole, want int }{
		{0, 50, 500, 50}, {500, 50, 500, 50}, {1000, 50, 500, 100}, {20, 50, 500, 2},
		{5, 50, 500, 1}, {25, 50, 500, 3}, {1, 500, 500, 1}, {7, 500, 500, 7},
	} {
		if got := (study.Options{Reps: c.reps}).Scaled(c.own, c.whole); got != c.want {
			t.Errorf("%d of %d at %d replicates: %d; want %d", c.own, c.whole, c.reps, got, c.want)
		}
	}
	if (study.Options{}).Root() != 1 || (study.Options{Seed: 9}).Root() != 9 {
		t.Error("the root of the random streams")
	}
}

// AtMost agrees if no cell is above delta, and either the interval of each cell or the pooled interval is below delta.
func TestAtMost(t *testing.T) {
	cells := func(wrong ...int) []study.Tally {
		var ts []study.Tally
		for i, w := range wrong {
			ts = append(ts, study.Tally{Name: fmt.Sprint("cell ", i), Wrong: w, Runs: 250})
		}
		return ts
	}
	for _, c := range []struct {
		ts    []study.Tally
		delta float64
		want  study.Outcome
	}{
		{cells(0), .1, study.Agrees},
		{cells(0), .01, study.NotComparable}, // the interval ends at 1.5 %
		{cells(0, 0, 0), .01, study.Agrees},  // the pooled interval ends at 0.5 %
		{cells(6), .01, study.NotComparable}, // the interval is 0.9 to 5.2 %
		// one of eight cells may exceed delta by chance
		{cells(8, 0, 0, 0, 0, 0, 0, 0), .01, study.NotComparable},
		{cells(9, 0, 0, 0, 0, 0, 0, 0), .01, study.Differs},
		{append(cells(100), study.Tally{Name: "another", Runs: 1}), .1, study.Differs},
		{append(cells(0, 0, 0, 0), study.Tally{Name: "another", Runs: 1}), .01, study.Agrees},
		{cells(3, 3, 3), .01, study.NotComparable},
		{nil, .1, study.NotComparable},
		// cells without errors do not hide a cell above delta, and a single wrong answer is no evidence
		{[]study.Tally{{Name: "a", Runs: 1000}, {Name: "b", Runs: 1000}, {Name: "c", Runs: 1000},
			{Name: "d", Wrong: 14, Runs: 1000}}, .01, study.NotComparable},
		{[]study.Tally{{Name: "a", Runs: 1000}, {Name: "b", Wrong: 1, Runs: 20}}, .01, study.Agrees},
		// runs ended by a limit are evidence neither for nor against the claim
		{[]study.Tally{{Name: "a", Wrong: 40, Runs: 40, GivenUp: 40}}, .1, study.NotComparable},
		{[]study.Tally{{Name: "a", Wrong: 40, Runs: 80, GivenUp: 20}}, .1, study.Differs},
		{[]study.Tally{{Name: "a", Wrong: 1, Runs: 400, GivenUp: 1}}, .1, study.Agrees},
		{append(cells(0, 0, 0, 0), study.Tally{Name: "b", Wrong: 2, Runs: 2, GivenUp: 2}), .01, study.Agrees},
	} {
		if v := study.AtMost(c.delta, c.ts, ""); v.Outcome != c.want {
			t.Errorf("%v at %v: %+v; want %v", c.ts, c.delta, v, c.want)
		}
	}
}
