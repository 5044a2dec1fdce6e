package study

import (
	"fmt"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Claim is what a paper asserts about an experiment.
type Claim struct {
	ID        string
	Source    string // "Fig. 4, left"
	Statement string
	// Check judges the claim by the results of its experiment. It is called with rows, but for a
	// claim that is Known.
	Check func(*Results) Verdict
	// Known says that instances decide: no rows are needed.
	Known bool
}

// An Outcome is the result of judging a claim.
type Outcome int

// The outcomes.
const (
	NotComparable Outcome = iota // what the paper did cannot be known, or was not run
	Agrees
	Differs
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"not comparable", "agrees", "differs"}[o]
}

// A Verdict is a judgement with what was measured, intervals included, and one sentence of why.
type Verdict struct {
	Outcome  Outcome
	Measured string
	Why      string
}

// claims returns the claims about e, such that they can be checked by the rows of any study.
func (e Experiment) claims() []Claim {
	cs := make([]Claim, len(e.Claims))
	for i, c := range e.Claims {
		check := c.Check
		c.Check = func(r *Results) Verdict {
			own := e.Results(r.Rows)
			if len(own.Rows) == 0 && !c.Known {
				return Missing(e.Title)
			}
			return check(own)
		}
		cs[i] = c
	}
	return cs
}

// Judge returns the claims about the experiment with their verdicts.
func (r *Results) Judge() *tidy.Table { return Judge(r.Experiment.claims(), r.Rows) }

// Judge returns the table of claims with their verdicts on rows.
func Judge(claims []Claim, rows []mc.Row) *tidy.Table {
	t := &tidy.Table{
		Title:   "Claims",
		Columns: []tidy.Column{{Name: "claim"}, {Name: "source"}, {Name: "statement"}, {Name: "verdict"}, {Name: "measured"}, {Name: "why"}},
	}
	count := map[Outcome]int{}
	for _, c := range claims {
		v := c.Check(&Results{Rows: rows})
		count[v.Outcome]++
		t.Rows = append(t.Rows, []any{c.ID, c.Source, c.Statement, v.Outcome.String(), v.Measured, v.Why})
	}
	t.Notes = []string{fmt.Sprintf("%d agree, %d differ, %d not comparable.", count[Agrees], count[Differs], count[NotComparable])}
	return t
}

// Decide is the verdict that a claim agrees or differs.
func Decide(agrees bool, measured, why string) Verdict {
	if agrees {
		return Verdict{Agrees, measured, why}
	}
	return Verdict{Differs, measured, why}
}

// Missing is the verdict where rows that a claim needs were not run.
func Missing(what string) Verdict {
	return Verdict{NotComparable, "-", "no runs of " + what}
}
