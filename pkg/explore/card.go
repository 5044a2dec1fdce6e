package explore

import (
	"reflect"
	"slices"
	"strings"
)

// A Card describes a policy and its settings: questions, guarantee, assumptions and source. Tables
// of policies and recommendations are derived from cards.
type Card struct {
	// Name is the unique name of the policy in tables and problem files.
	Name string
	// Answers contains an example of each kind of question that the policy can answer. Init may
	// still reject some questions of the same kind.
	Answers []Question
	// Kind states whether the confidence or the budget is fixed.
	Kind Kind
	// Certifies is the part of an answer that is right with probability at least 1 - Delta, if the
	// assumptions in Needs hold.
	Certifies Certificate
	// Needs contains the assumptions of the certificate.
	Needs []Need
	// Evidence describes the measurements that the guarantee covers.
	Evidence Sampling
	// Uses is the set of those optional parts of a problem that the policy uses.
	Uses Uses
	// Bound is a bound on the number of pulls or, with a fixed budget, on the error probability.
	// Bound is shown to users, but has no effect on decisions.
	Bound string
	// Source states the authors, the year and the place in the paper; Key is the paper's key in
	// REFERENCES.bib.
	Source, Key string
}

// A Describer is a policy with a card. Policies without a card can be run, but state no guarantee.
type Describer interface {
	Policy
	// Card describes the policy and its current settings.
	Card() Card
}

// TypeName returns the name of a policy's Go type without its package, for example "ECAPE".
func TypeName(p Policy) string {
	t := reflect.TypeOf(p)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// Suits reports whether the policy can answer questions of the same kind as q.
func (c *Card) Suits(q Question) bool {
	return slices.ContainsFunc(c.Answers, func(a Question) bool { return reflect.TypeOf(a) == reflect.TypeOf(q) })
}

// Lacks returns the needs whose support is Missing: they are not implied by the problem, and
// neither d nor a setting of the policy declares them. If a need is missing, the policy certifies
// nothing for this problem.
func (c *Card) Lacks(d *Declaration) (missing []Need) {
	for _, n := range c.Needs {
		if n.Support(d) == Missing {
			missing = append(missing, n)
		}
	}
	return missing
}

// Rests returns one clause for each assumption behind the certificate, with the status of the
// assumption. An example is "a measurement of yield has a noise standard deviation of at most 2 % (declared)". Rests
// omits implied assumptions.
func (c *Card) Rests(d *Declaration) (clauses []string) {
	for _, n := range c.Needs {
		if s := n.Support(d); s != Implied {
			clauses = append(clauses, n.In(d)+" ("+s.String()+")")
		}
	}
	return clauses
}

// A Titled question supplies a title for questions of its kind.
type Titled interface {
	// Title returns the title, such as "Pareto set".
	Title() string
}

// Questions returns the titles of the questions that the policy answers, separated by "; ".
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

// Assumes describes the needs of the policy, separated by ", ".
func (c *Card) Assumes() string {
	var words []string
	for _, n := range c.Needs {
		words = append(words, n.String())
	}
	return strings.Join(words, ", ")
}

// Guarantee describes the certificate and the bound of the policy.
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

// A Kind states whether the confidence or the budget of a policy is fixed.
type Kind int

const (
	// FixedConfidence policies stop by themselves when they have reached the stated error
	// probability.
	FixedConfidence Kind = iota
	// FixedBudget policies never exceed their Budget, and certify nothing.
	FixedBudget
)

// String returns the name of the kind for tables.
func (k Kind) String() string { return [...]string{"fixed confidence", "fixed budget"}[k] }

// A Certificate is the part of an answer that is right with probability at least 1 - Delta after
// the run has stopped. Each value of Certificate includes all smaller values.
type Certificate int

const (
	// CertifiesNothing means that no answer is certified: any stated error probability is only
	// nominal.
	CertifiesNothing Certificate = iota
	// CertifiesSet certifies which items are in the answer.
	CertifiesSet
	// CertifiesReasons also certifies the class of every item and, for each dominated item, the
	// item that dominates it.
	CertifiesReasons
	// CertifiesAmounts also certifies the intervals of all margins and slacks.
	CertifiesAmounts
)

// String returns the name of the certificate for tables.
func (c Certificate) String() string {
	return [...]string{"delta is not guaranteed", "error at most delta",
		"error at most delta, reasons included",
		"error at most delta, reasons and their amounts included"}[c]
}

// A Sampling describes which measurements the guarantee of a policy covers.
type Sampling int

const (
	// OwnRounds means that the guarantee covers only measurements that the policy requests. Examples
	// are policies whose phases use only their own rewards, and policies whose tests share a
	// significance level. OwnRounds is the default.
	OwnRounds Sampling = iota
	// AnySampling means that the confidence intervals, or the threshold, hold for all arms at all
	// times, for any choice of measurements. The proof for such a policy covers all counts of all
	// arms simultaneously, and the policy's rules use the current counts. Policies with AnySampling
	// implement [Asynchronous].
	AnySampling
)

// String returns the name of the sampling for tables.
func (s Sampling) String() string { return [...]string{"own rounds", "any sampling"}[s] }

// Uses is a set of parts of a problem or of measurements that a policy uses. If a policy can safely
// ignore a part, the policy does so; otherwise, Init rejects problems that have this part.
type Uses uint

// The following constants are parts of a problem or of measurements that a policy may use.
//
// If a policy has UsesSums, its runs can be restored from counts and sums of rewards. With
// UsesSums, one call of Learn with several batches has the same effect as separate calls, unless
// the run ends between these calls.
const (
	UsesFeatures    Uses = 1 << iota // means are linear in Problem.X
	UsesItems                        // Problem.Z: items that differ from the arms
	UsesChanging                     // Problem.Changing: features that change from round to round
	UsesLinks                        // Problem.Link: means that are a function of a linear predictor
	UsesRelaxations                  // a tolerance of the question, such as Epsilon
	UsesTolerances                   // a tolerance for each objective
	UsesSlacks                       // constraints with slack
	// Problem.Known: known values have a radius of zero; equal known values are not a tie.
	UsesKnownValues
	UsesScales  // Problem.Sigmas: noise scales by objective
	UsesSquares // Batch.Squares: intervals adapt to the variance
	UsesCosts   // Problem.Costs: the policy reduces the total cost
	UsesSums    // the policy stores nothing but counts and sums
)

var useNames = [...]string{"features", "items", "changing features", "links", "relaxations",
	"tolerances by objective", "slacks", "known values", "noise by objective", "squares", "costs", ""}

// Has reports whether u includes all parts of x.
func (u Uses) Has(x Uses) bool { return u&x == x }

// String returns the names of the used parts, separated by ", ".
func (u Uses) String() string {
	var names []string
	for i, name := range useNames {
		if name != "" && u.Has(1<<i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
