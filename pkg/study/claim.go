package study

import (
	"slices"
	"strings"
	"sync"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Claim is a statement of a paper about an experiment.
type Claim struct {
	ID        string // identifier of the claim in tables, such as "A1"
	Kind      Kind   // whether the claim is about results, a theorem, or an addition
	Source    string // place of the claim in the paper, such as "Fig. 4, left"
	Statement string // the claim in a sentence
	// Check judges the claim from the results of its experiment. Unless Known is true, the argument
	// of Check contains at least one row.
	Check func(*Results) Verdict
	// If Known is true, the instances alone decide the claim, without rows.
	Known bool
	// Basis states how close the data behind the verdict are to the paper's data; the default is
	// the basis of the experiment.
	Basis ClaimBasis
	// If Moot is true, the claim has no verdict, because no available data could decide it; see
	// Unjudged.
	Moot bool
}

// Kind is the kind of a claim; verdicts are counted separately by kind.
type Kind int

// The following constants are the values of Kind.
const (
	Result    Kind = iota // a statement of the paper about its results
	Guarantee             // a statement of a theorem of the paper, such as an error probability of at most delta
	Addition              // a question of this project that is not in the paper
)

// String returns the kind in words.
func (k Kind) String() string {
	return [...]string{"result", "guarantee", "addition"}[k]
}

// Outcome is the result of judging a claim.
type Outcome int

// The following constants are the values of Outcome.
const (
	NotComparable Outcome = iota // there are no runs, or the runs cannot decide the claim
	Agrees                       // there is evidence for the claim
	Differs                      // there is evidence against the claim
	NotJudged                    // no available data could decide the claim
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"not comparable", "agrees", "differs", "not judged"}[o]
}

// Verdict is the judgement of a claim: the outcome, the measurement with its confidence intervals,
// and the reason in one sentence.
type Verdict struct {
	Outcome  Outcome
	Measured string // the measurement with its confidence intervals
	Why      string // reason for the outcome, as a sentence
	// Phrases are the expressions in the claim that stand for a range of numbers.
	Phrases []Phrase
}

// claims returns the claims about e, with checks that accept the rows of any study.
func (e Experiment) claims() []Claim {
	cs := make([]Claim, len(e.Claims))
	own := own{experiment: e}
	for i, c := range e.Claims {
		check := c.Check
		c.Check = func(r *Results) Verdict {
			own := own.of(r)
			if len(own.Rows) == 0 && !c.Known {
				return Missing(e.Title)
			}
			return check(own)
		}
		if c.Basis == Unstated {
			c.Basis = e.Basis
		}
		cs[i] = c
	}
	return cs
}

// own selects the rows of an experiment from the rows of a study, once for all claims of the
// experiment.
type own struct {
	experiment Experiment

	mu   sync.Mutex
	last *Results // the argument of the last call of own.of
	from []mc.Row
	rows *Results
}

func (o *own) of(r *Results) *Results {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last != r || !same(o.from, r.Rows) {
		o.last, o.from, o.rows = r, r.Rows, o.experiment.Results(r.Rows)
	}
	return o.rows
}

// Judge returns the table of claims about the experiment with their verdicts.
func (r *Results) Judge() *tidy.Table { return Judge(r.Experiment.claims(), r.Rows) }

// Judge judges claims by rows, and returns the table of claims with their verdicts. The notes of
// the table count the verdicts by kind and basis, and explain the outcomes.
func Judge(claims []Claim, rows []mc.Row) *tidy.Table {
	t := &tidy.Table{
		Title:   "Claims",
		Columns: tidy.Columns("claim", "kind", "judged on", "source", "statement", "verdict", "measured", "why"),
	}
	scores := Scores{}
	var words []string
	all := &Results{Rows: rows}
	for _, c := range claims {
		v := c.Check(all)
		scores.Add(c, v.Outcome)
		for _, w := range v.Phrases {
			if m := w.Meaning(); !slices.Contains(words, m) {
				words = append(words, m)
			}
		}
		t.Rows = append(t.Rows, []any{c.ID, c.Kind.String(), c.Basis.String(), c.Source,
			c.Statement, c.Basis.Ruled(v.Outcome), v.Measured, v.Why})
	}
	t.Notes = append(scores.notes(), "A claim agrees or differs only if its confidence intervals, which have a joint "+
		"coverage of 95 %, lie on one side of the limit. Only verdicts on the paper's data, on its distribution of "+
		"instances, or on any instance of a theorem count as verdicts on the paper.")
	if words != nil {
		t.Notes = append(t.Notes, "Definitions of terms, chosen before the runs: "+strings.Join(words, "; ")+".")
	}
	return t
}

// Missing returns the verdict for a claim whose rows are missing; the argument what names the
// missing rows.
func Missing(what string) Verdict {
	return Verdict{Measured: "-", Why: "no runs of " + what}
}

// Says returns a claim about results that the paper states.
func Says(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Result, Source: source, Statement: statement, Check: check}
}

// Guarantees returns a claim that a theorem of the paper states.
func Guarantees(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Guarantee, Source: source, Statement: statement, Check: check}
}

// Asks returns an additional claim, about a question of this project.
func Asks(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Addition, Source: source, Statement: statement, Check: check}
}

// Knowable returns a copy of the claim with Known set to true.
func (c Claim) Knowable() Claim {
	c.Known = true
	return c
}

// AsAdditions changes the kind of claims about results to Addition, and returns the claims. If
// several experiments are readings of the same experiment in the paper, apply AsAdditions to all
// but the first. Each statement of the paper is then counted only once.
func AsAdditions(cs ...Claim) []Claim {
	for i := range cs {
		if cs[i].Kind == Result {
			cs[i].Kind = Addition
		}
	}
	return cs
}
