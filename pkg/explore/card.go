package explore

import (
	"reflect"
	"strings"
)

// A Card says what a policy is for and what its answers rest on, as its settings are. Tables,
// recommendations and what a campaign takes are derived from cards: nothing else says it again.
type Card struct {
	// Name is the policy's in tables and problem files. No other policy has it.
	Name string
	// Answers has an example of each kind of question that it answers. Init may refuse some of a
	// kind.
	Answers []Question
	Kind    Kind
	// Certifies says what of an answer is right with probability at least 1 - Delta, given Needs.
	Certifies Certificate
	// Needs are what a certificate rests on and no measurement shows.
	Needs []Need
	// Evidence says which measurements the certificate allows.
	Evidence Sampling
	Uses     Uses
	// Bound is a bound on the number of pulls, or with a fixed budget on the error probability. It
	// is printed, and nothing hangs on it.
	Bound string
	// Source are authors, year and place in the paper, and Key is the paper's in REFERENCES.bib.
	Source, Key string
}

// A Carded policy has a card. One without can be run, and nobody takes its word for anything.
type Carded interface {
	Policy
	Card() Card
}

// TypeName returns the name of a policy's Go type, without its package: "ECAPE".
func TypeName(p Policy) string {
	t := reflect.TypeOf(p)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// Suits reports whether questions of the kind of q are answered.
func (c *Card) Suits(q Question) bool {
	for _, a := range c.Answers {
		if reflect.TypeOf(a) == reflect.TypeOf(q) {
			return true
		}
	}
	return false
}

// Lacks returns the needs for which nobody answers: if there is one, nothing is certified.
func (c *Card) Lacks(d *Declaration) (missing []Need) {
	for _, n := range c.Needs {
		if n.Standing(d) == Missing {
			missing = append(missing, n)
		}
	}
	return missing
}

// Rests returns what the certificate rests on in a problem, a clause each, with who answers for it:
// "a measurement of yield scatters by at most 2 % (declared)". What is implied is left out.
func (c *Card) Rests(d *Declaration) (clauses []string) {
	for _, n := range c.Needs {
		if s := n.Standing(d); s != Implied {
			clauses = append(clauses, n.In(d)+" ("+s.String()+")")
		}
	}
	return clauses
}

// A Titled question has a name for its kind.
type Titled interface {
	// Title returns it, such as "Pareto set".
	Title() string
}

// Questions returns the kinds of questions that are answered in words, "; " between them.
func (c *Card) Questions() string {
	var titles []string
	for _, q := range c.Answers {
		title := reflect.TypeOf(q).String()
		if t, ok := q.(Titled); ok {
			title = t.Title()
		}
		titles = append(titles, title)
	}
	return strings.Join(titles, "; ")
}

// Assumes returns the needs in words, ", " between them.
func (c *Card) Assumes() string {
	var words []string
	for _, n := range c.Needs {
		words = append(words, n.String())
	}
	return strings.Join(words, ", ")
}

// Guarantee returns in words what is certified, and the bound.
func (c *Card) Guarantee() string {
	var words []string
	if c.Kind == FixedConfidence {
		words = append(words, c.Certifies.String())
	}
	if c.Bound != "" {
		words = append(words, c.Bound)
	}
	return strings.Join(words, "; ")
}

// A Kind says what is fixed beforehand.
type Kind int

const (
	// FixedConfidence policies stop by themselves.
	FixedConfidence Kind = iota
	// FixedBudget policies never exceed their Budget, and certify nothing.
	FixedBudget
)

// String returns the words of tables.
func (k Kind) String() string { return [...]string{"fixed confidence", "fixed budget"}[k] }

// A Certificate says what of the answer of a run that stopped is right with probability at least
// 1 - Delta: each includes those before it.
type Certificate int

const (
	// CertifiesNothing: no answer is certified: Delta is nominal, or there is none.
	CertifiesNothing Certificate = iota
	// CertifiesSet: the items of the answer.
	CertifiesSet
	// CertifiesReasons: also the class of every item, and the item that dominates it.
	CertifiesReasons
	// CertifiesAmounts: also the intervals of all margins and slacks.
	CertifiesAmounts
)

// String returns the words of tables.
func (c Certificate) String() string {
	return [...]string{"delta is not guaranteed", "error at most delta",
		"error at most delta, reasons included",
		"error at most delta, reasons and their amounts included"}[c]
}

// A Sampling says which measurements a certificate allows as evidence.
type Sampling int

const (
	// AnySampling: the confidence intervals, or the threshold, hold for all arms at all times,
	// whatever is measured. The proof covers all counts of all arms at once, and the rules use the
	// counts so far. Such a policy is an [Open].
	AnySampling Sampling = iota
	// OwnRounds: the guarantee is about the measurements that the policy asks for, and no others:
	// phases that estimate from their own, fresh rewards, or tests at levels that they share.
	OwnRounds
)

// String returns the words of tables.
func (s Sampling) String() string { return [...]string{"any sampling", "own rounds"}[s] }

// Uses are what a policy makes use of where a problem or a measurement has it. What is not used is
// ignored if that does no harm, and refused by Init otherwise.
type Uses uint

// What policies may use.
const (
	UsesFeatures    Uses = 1 << iota // means are linear in Problem.X
	UsesItems                        // Problem.Z: items that are not the arms
	UsesChanging                     // Problem.Changing: features of rounds
	UsesLinks                        // Problem.Link
	UsesRelaxations                  // one tolerance of the question, such as Epsilon
	UsesTolerances                   // a tolerance for each objective
	UsesSlacks                       // constraints that may be missed by a little
	UsesKnownValues                  // Problem.Known: with a radius of zero, and equal ones are no tie
	UsesScales                       // Problem.Sigmas: objectives with noise of their own
	UsesSquares                      // Batch.Squares: intervals adapt to the variance
	UsesCosts                        // Problem.Costs: the total cost is kept low
	UsesSums                         // only counts and sums: see below
)

// A policy that UsesSums remembers nothing but counts and sums: after Learn of several batches,
// one after another, it is as after one Learn of all of them, if it goes on after each. Whoever
// knows that a run did not end can restore it from its sums.

var useNames = [...]string{"features", "items", "changing features", "links", "relaxations",
	"tolerances by objective", "slacks", "known values", "noise by objective", "squares", "costs", ""}

// Has reports whether all of x are used.
func (u Uses) Has(x Uses) bool { return u&x == x }

// String returns the names of what is used, ", " between them.
func (u Uses) String() string {
	var names []string
	for i, name := range useNames {
		if name != "" && u.Has(1<<i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
