package study

import (
	"slices"
	"strings"
	"sync"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Claim is a statement of a paper about an experiment.
type Claim struct {
	ID        string
	Kind      Kind
	Source    string // "Fig. 4, left"
	Statement string
	// Check judges the claim by the results of its experiment. It gets rows unless the claim is
	// Known.
	Check func(*Results) Verdict
	// Known says that instances decide the claim, without rows.
	Known bool
	// Basis says what the claim is judged on. The default is that of its experiment.
	Basis ClaimBasis
	// Moot says that the claim has no verdict, because no data could change it: see Unjudged.
	Moot bool
}

// A Kind of claims. Kinds are counted separately.
type Kind int

// The kinds of claims.
const (
	Result    Kind = iota // a statement of the paper about its results
	Guarantee             // a statement of its theorems: errors of at most delta, schedules
	Addition              // a question of ours, not in the paper
)

// String returns the kind in words.
func (k Kind) String() string {
	return [...]string{"result", "guarantee", "addition"}[k]
}

// An Outcome is the result of judging a claim.
type Outcome int

// The outcomes.
const (
	NotComparable Outcome = iota // not run, or too few replicates
	Agrees                       // evidence for the claim
	Differs                      // evidence against the claim
	NotJudged                    // no available data could change the verdict
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"not comparable", "agrees", "differs", "not judged"}[o]
}

// A Verdict is the judgement of a claim, with the measurement, its intervals, and one sentence of
// reason.
type Verdict struct {
	Outcome  Outcome
	Measured string
	Why      string
	// Phrases are the words of the claim that stand for numbers.
	Phrases []Phrase
}

// claims returns the claims about e in a form that can be checked by the rows of any study.
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

// An own selects the rows of an experiment from those of a study, for all of its claims.
type own struct {
	experiment Experiment

	mu   sync.Mutex
	last *Results // the selection of rows
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

// Judge returns the table of claims with their verdicts on rows. Its notes count the verdicts by
// kind and by what they are judged on, and explain the words.
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
	t.Notes = append(scores.notes(), "A verdict needs evidence: intervals, which hold together "+
		"with 95 % in each claim, are on one side of the limit. Only those on the paper's data, on "+
		"its distribution of instances, or on any instance of a theorem are about the paper.")
	if words != nil {
		t.Notes = append(t.Notes, "Words, chosen before the runs: "+strings.Join(words, "; ")+".")
	}
	return t
}

// Missing returns the verdict for missing rows.
func Missing(what string) Verdict {
	return Verdict{Measured: "-", Why: "no runs of " + what}
}

// Says returns a claim that a paper makes about its results.
func Says(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Result, Source: source, Statement: statement, Check: check}
}

// Guarantees returns a claim that a theorem makes.
func Guarantees(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Guarantee, Source: source, Statement: statement, Check: check}
}

// Asks returns an additional claim of ours.
func Asks(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Addition, Source: source, Statement: statement, Check: check}
}

// Knowable returns the claim marked as Known.
func (c Claim) Knowable() Claim {
	c.Known = true
	return c
}

// AsAdditions returns claims about another reading of an experiment, marked as additions: the paper's
// statement is counted once, on the first reading.
func AsAdditions(cs ...Claim) []Claim {
	for i := range cs {
		if cs[i].Kind == Result {
			cs[i].Kind = Addition
		}
	}
	return cs
}
