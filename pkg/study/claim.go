package study

import (
	"slices"
	"strings"
	"sync"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Claim is what a paper asserts about an experiment.
type Claim struct {
	ID        string
	Kind      Kind
	Source    string // "Fig. 4, left"
	Statement string
	// Check judges the claim by the results of its experiment. It is called with rows, but for a
	// claim that is Known.
	Check func(*Results) Verdict
	// Known says that instances decide: no rows are needed.
	Known bool
	// Ground is what it is judged on. Unstated: that of its experiment.
	Ground Ground
	// Moot says that it has no verdict, as no data could change one: see Unjudged.
	Moot bool
}

// A Kind of claim: they are counted apart.
type Kind int

// The kinds of claims.
const (
	Result    Kind = iota // what the paper states about its results
	Guarantee             // what its theorems say: errors of at most delta, schedules
	Addition              // what is asked here, beside the paper
)

// String returns the kind in words.
func (k Kind) String() string {
	return [...]string{"result", "guarantee", "addition"}[k]
}

// An Outcome is the result of judging a claim.
type Outcome int

// The outcomes.
const (
	NotComparable Outcome = iota // not run, or too few replicates to tell
	Agrees                       // there is evidence for it
	Differs                      // there is evidence against it
	NotJudged                    // no data that can be had here could change a verdict
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"not comparable", "agrees", "differs", "not judged"}[o]
}

// A Verdict is a judgement with what was measured, intervals included, and one sentence of why.
type Verdict struct {
	Outcome  Outcome
	Measured string
	Why      string
	// Words are those of the claim that stand for numbers.
	Words []Word
}

// claims returns the claims about e, such that they can be checked by the rows of any study.
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
		if c.Ground == Unstated {
			c.Ground = e.Ground
		}
		cs[i] = c
	}
	return cs
}

// An own is the rows of an experiment among those of a study, which its claims have in common.
type own struct {
	experiment Experiment

	mu   sync.Mutex
	last *Results // what rows are of
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

// Judge returns the claims about the experiment with their verdicts.
func (r *Results) Judge() *tidy.Table { return Judge(r.Experiment.claims(), r.Rows) }

// Judge returns the table of claims with their verdicts on rows. Its notes count them by kind and by
// what they are judged on, and say what words are taken to mean.
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
		for _, w := range v.Words {
			if m := w.Meaning(); !slices.Contains(words, m) {
				words = append(words, m)
			}
		}
		t.Rows = append(t.Rows, []any{c.ID, c.Kind.String(), c.Ground.String(), c.Source,
			c.Statement, c.Ground.Ruled(v.Outcome), v.Measured, v.Why})
	}
	t.Notes = append(scores.notes(), "A verdict needs evidence: intervals, which hold together "+
		"with 95 % in each claim, are on one side of the limit. Only those on the paper's data, on "+
		"its distribution of instances, or on any instance of a theorem are about the paper.")
	if words != nil {
		t.Notes = append(t.Notes, "Words, chosen before the runs: "+strings.Join(words, "; ")+".")
	}
	return t
}

// Missing is the verdict where rows that a claim needs were not run.
func Missing(what string) Verdict {
	return Verdict{Measured: "-", Why: "no runs of " + what}
}

// Says returns a claim of what a paper states about its results, as the source has it.
func Says(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Result, Source: source, Statement: statement, Check: check}
}

// Guarantees returns a claim of what a theorem promises.
func Guarantees(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Guarantee, Source: source, Statement: statement, Check: check}
}

// Asks returns a claim that is judged here, beside the paper: a question of ours.
func Asks(id, source, statement string, check Check) Claim {
	return Claim{ID: id, Kind: Addition, Source: source, Statement: statement, Check: check}
}

// Knowable returns the claim as one that instances decide, without rows: see Claim.Known.
func (c Claim) Knowable() Claim {
	c.Known = true
	return c
}

// Again returns claims about another reading of an experiment: what the paper states is counted
// once, on the first reading, and asked of the others.
func Again(cs ...Claim) []Claim {
	for i := range cs {
		if cs[i].Kind == Result {
			cs[i].Kind = Addition
		}
	}
	return cs
}
