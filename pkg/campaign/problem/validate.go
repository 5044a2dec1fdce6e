package problem

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The following constants are limits on the size of a problem.
const (
	// MostCandidates is the largest number of candidates.
	MostCandidates = 100_000
	// MostObjectives is the largest number of objectives.
	MostObjectives = 20
	// largest is the largest absolute value of a number in a problem. Numbers up to largest do not
	// overflow when scaled by the noise, squared and summed.
	largest    = 1e50
	leastDelta = 1e-50
	longest    = 200
	// leastExpire and mostExpire limit Laboratory.Expire. leastExpire is a minute, because clocks
	// of different machines differ by seconds.
	leastExpire, mostExpire = time.Minute, 8760 * time.Hour
)

type checker struct {
	p    *Problem
	errs Errors
}

func (c *checker) wrong(field, format string, args ...any) *Error {
	e := c.p.wrong(field, format, args...)
	c.errs = append(c.errs, e)
	return e
}

// each returns the full names of the given fields, for all objectives.
func (c *checker) each(names ...string) (fields []string) {
	for i := range c.p.Objectives {
		for _, name := range names {
			fields = append(fields, fmt.Sprintf("objective[%d].%s", i+1, name))
		}
	}
	return fields
}

// Validate returns [Errors] with all errors in p, or nil if p is valid. Parse calls Validate.
func (p *Problem) Validate() error {
	if errs := p.faults(); errs != nil {
		return errs
	}
	return nil
}

func (p *Problem) faults() Errors {
	c := &checker{p: p}
	c.candidates()
	c.objectives()
	c.constraints()
	c.question()
	c.radius()
	c.laboratory()
	c.shares()
	if p.Protocol != "" && p.Protocol != Frozen {
		c.wrong("protocol", "%q; expected %q, or leave it out", p.Protocol, Frozen)
	}
	return c.errs
}

// name checks that a name is valid text, and no longer than the constant longest.
func (c *checker) name(field, what, name string) bool {
	switch {
	case name == "":
		c.wrong(field, "%s has no name; add a name", what)
	case name != Normal(name):
		c.wrong(field, "%q has spaces around it, or characters not in normal form (NFC); correct the text", name)
	case utf8.RuneCountInString(name) > longest:
		c.wrong(field, "%d characters; expected at most %d", utf8.RuneCountInString(name), longest)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, hidden):
		c.wrong(field, "%q has invisible characters; remove them", name)
	default:
		return true
	}
	return false
}

// hidden reports whether a character breaks a line or changes its writing direction, and could
// therefore disguise a name.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == utf8.RuneError
}

func (c *checker) candidates() {
	q := &c.p.Candidates
	switch k := len(q.Names); {
	case k == 0:
		c.wrong("candidates", "missing; name a table (file = \"candidates.csv\") or list the "+
			"names (names = [\"A\", \"B\"])")
		return
	case k == 1 && c.p.Question.Find != FindFeasible:
		c.wrong("candidates", "only %q; expected at least 2 candidates", q.Names[0]).on("question.find")
	case k > MostCandidates:
		c.wrong("candidates", "%d; expected at most %d", k, MostCandidates)
		return
	}
	seen := make(map[string]int, len(q.Names))
	for i, name := range q.Names {
		field := "candidates"
		if q.File == "" {
			field = fmt.Sprintf("candidates.names[%d]", i+1)
		}
		if !c.name(field, fmt.Sprintf("candidate %d", i+1), name) {
			return
		}
		if j, dup := seen[name]; dup {
			c.wrong(field, "%q is the name of candidates %d and %d; names must differ", name, j+1, i+1)
			return
		}
		seen[name] = i
	}
	if q.File == "" && len(q.FeatureColumns)+len(q.CategoryColumns) > 0 && q.Features == nil {
		c.wrong("candidates.features", "the file with the columns of features is missing; name it, "+
			"file = \"candidates.csv\"").on("candidates.file")
	}
	c.costs(q)
	if q.Features == nil {
		return
	}
	if len(q.Features) != len(q.Names) {
		c.wrong("candidates.features", "%d rows; expected one for each of the %d candidates",
			len(q.Features), len(q.Names))
		return
	}
	for i, row := range q.Features {
		if len(row) != len(q.FeatureNames) || len(row) == 0 || len(row) > mostFeatures {
			c.wrong("candidates.features", "candidate %q has %d features; expected %d, one for each feature name, "+
				"and at most %d", q.Names[i], len(row), len(q.FeatureNames), mostFeatures)
			return
		}
		for j, v := range row {
			if !usual(v) {
				c.wrong("candidates.features", "candidate %q: feature %q is %v; expected a number of magnitude at "+
					"most %v", q.Names[i], q.FeatureNames[j], v, float64(largest))
				return
			}
		}
	}
}

func (c *checker) costs(q *Candidates) {
	switch {
	case q.File == "" && q.Cost != "" && q.Costs == nil:
		c.wrong("candidates.cost", "the file with the column of costs is missing; name it, "+
			"file = \"candidates.csv\"").on("candidates.file")
	case q.CostUnit != "" && q.Cost == "" && q.Costs == nil:
		c.wrong("candidates.cost_unit", "given, but costs are missing; name their column, cost = \"price\"").
			on("candidates.cost")
	case q.Costs == nil:
	case len(q.Costs) != len(q.Names):
		c.wrong("candidates.cost", "%d costs; expected one for each of the %d candidates", len(q.Costs), len(q.Names))
	default:
		for i, v := range q.Costs {
			if !(v >= 1e-6 && v <= 1e12) {
				c.wrong("candidates.cost", "a measurement of %q costs %v; expected a positive number from 1e-6 to "+
					"1e12, because free candidates would be measured forever", q.Names[i], v)
				return
			}
		}
	}
}

// usual reports whether the absolute value of x is finite and at most the constant largest.
func usual(x float64) bool { return math.Abs(x) <= largest }

func (c *checker) objectives() {
	os := c.p.Objectives
	if len(os) == 0 {
		c.wrong("objective", "missing; describe each measured quantity under a line [[objective]]")
	}
	if len(os) > MostObjectives {
		c.wrong("objective", "%d; expected at most %d", len(os), MostObjectives)
		return
	}
	seen := map[string]int{}
	for i := range os {
		o := &os[i]
		field := fmt.Sprintf("objective[%d]", i+1)
		if c.name(field+".name", fmt.Sprintf("objective %d", i+1), o.Name) {
			if j, dup := seen[o.Name]; dup {
				c.wrong(field+".name", "%q is the name of objectives %d and %d; names must differ", o.Name, j+1, i+1)
			}
			seen[o.Name] = i
		}
		if o.Unit != "" {
			c.name(field+".unit", "the unit", o.Unit)
		}
		if !slices.Contains(goals, o.Goal) {
			c.wrong(field+".goal", "%q; expected %s", o.Goal, choices(goals))
		}
		c.numbers(field, o)
		c.rates(field, o)
		if o.Known {
			c.known(field, o)
		} else {
			c.noise(field+".noise", o)
		}
		c.guessSD(field+".guess_sd", o)
		if o.Guesses != nil {
			c.values(field+".guess", o, o.Guesses)
		}
	}
	c.evaluable()
	if len(os) > 0 && len(c.p.Measured()) == 0 {
		c.wrong("objective", "all objectives are known, so there is nothing to measure")
	}
}

func choices(words []string) string {
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func (c *checker) numbers(field string, o *Objective) {
	lower, upper := o.AtLeast, o.AtMost
	c.sides(field, lower, upper)
	for _, x := range []struct {
		name string
		v    float64
		want string
	}{{"tolerance", o.Tolerance, "a difference that does not matter, at least 0"},
		{"slack", o.Slack, "a violation that does not matter, at least 0"},
		{"norm", o.Norm, "a bound on the norm of the " + c.p.coefficients() + ", above 0"}} {
		if !(x.v >= 0) || !usual(x.v) {
			c.wrong(field+"."+x.name, "%v; expected %s", x.v, x.want)
		}
	}
	switch x := o.TolerancePercent; {
	case x == 0:
	case !(x > 0 && x < 100):
		c.wrong(field+".tolerance_percent", "%v; expected a percentage of the best, above 0 and below 100", x)
	case c.p.Question.Find != FindGood:
		c.wrong(field+".tolerance_percent", "%v, but find = %q uses no percentage; use find = \"good\", or give "+
			"a tolerance in the unit of %s", x, c.p.Question.Find, o.Name).on("question.find")
	case o.Goal == Minimise:
		c.wrong(field+".tolerance_percent", "%s", noPercent(x, o.Name))
	case o.Tolerance != 0:
		c.wrong(field+".tolerance_percent", "%v, but tolerance is %v; give only one of the two", x, o.Tolerance)
	}
	switch {
	case o.Slack > 0 && lower == nil && upper == nil:
		c.wrong(field+".slack", "%v, but no bound uses it; add at_least or "+
			"at_most", o.Slack).on(field+".at_least", field+".at_most")
	case o.Tolerance > 0 && o.Goal == Bounded:
		c.wrong(field+".tolerance", "%v, but a bounded objective does not compare candidates; leave it out, "+
			"or give a slack", o.Tolerance)
	case o.Goal == Bounded && lower == nil && upper == nil && !c.inSum(o.Name):
		c.wrong(field+".goal", "bounded, but the bound is missing; add at_least or at_most, or change "+
			"the goal").on(field+".at_least", field+".at_most", "constraint")
	}
	if w := o.Weight; w != nil && (!(*w > 0) || !usual(*w)) {
		c.wrong(field+".weight", "%v; expected a positive number, the value of one unit; the goal states the "+
			"better direction", *w)
	}
	if v := o.Values; v != nil {
		c.interval(field+".values", v)
	}
}

func (c *checker) inSum(name string) bool {
	return slices.ContainsFunc(c.p.Constraints, func(s Constraint) bool {
		return s.Terms[name] != 0
	})
}

// sides checks that a lower bound and an upper bound are valid and in the right order.
func (c *checker) sides(field string, lower, upper *float64) {
	for i, x := range []*float64{lower, upper} {
		if x != nil && !usual(*x) {
			c.wrong(field+[]string{".at_least", ".at_most"}[i], "%v; expected a number of magnitude at most %v", *x,
				float64(largest))
		}
	}
	if lower != nil && upper != nil && !(*lower < *upper) {
		c.wrong(field+".at_least", "%v is not below at_most, %v, so no candidate can satisfy both", *lower, *upper)
	}
}

// interval checks that v consists of two numbers, the smaller first.
func (c *checker) interval(field string, v []float64) bool {
	if len(v) != 2 || !usual(v[0]) || !usual(v[1]) || !(v[0] < v[1]) {
		c.wrong(field, "%v; expected the smallest and the largest value, such as [0, 100]", v)
		return false
	}
	return true
}

func (c *checker) known(field string, o *Objective) {
	if n := o.Noise; n.SD != nil || n.Range != nil || n.Counts != nil || n.Pilot != nil {
		c.wrong(field+".noise", "given, but the values are known; remove noise or known")
	}
	if o.Exact == nil {
		c.wrong(field+".known", "the values are known, but the file with the values is missing; "+
			"name it, file = \"candidates.csv\", with a column %q", o.Name).
			on("candidates", field+".column")
		return
	}
	c.values(field+".column", o, o.Exact)
}

// values checks that x has one valid value for each candidate.
func (c *checker) values(field string, o *Objective, x []float64) {
	if len(x) != c.p.K() {
		c.wrong(field, "%d values; expected one for each of the %d candidates", len(x), c.p.K())
		return
	}
	for i, v := range x {
		switch {
		case !usual(v):
			c.wrong(field, "candidate %q: %v; expected a number of magnitude at most %v",
				c.p.Candidates.Names[i], v, float64(largest))
			return
		case len(o.Values) == 2 && (v < o.Values[0] || v > o.Values[1]):
			c.wrong(field, "candidate %q: %v is outside values = %v", c.p.Candidates.Names[i], v, o.Values)
			return
		}
	}
}

func (c *checker) constraints() {
	for i := range c.p.Constraints {
		s := &c.p.Constraints[i]
		field := fmt.Sprintf("constraint[%d]", i+1)
		if s.Name != "" {
			c.name(field+".name", "the constraint", s.Name)
		}
		some := false
		for _, name := range slices.Sorted(maps.Keys(s.Terms)) {
			w := s.Terms[name]
			if c.p.Objective(name) < 0 {
				c.wrong(field+".terms", "%q is not an objective; the objectives are %s", name,
					Listed(c.p.objectiveNames())).on(c.each("name")...)
			}
			if !usual(w) {
				c.wrong(field+".terms", "the weight of %q is %v; expected a number of magnitude at most "+
					"%v", name, w, float64(largest))
			}
			some = some || w != 0
		}
		if !some {
			c.wrong(field+".terms", "empty; name the objectives of the sum, such as { yield = 1.0, impurity = "+
				"-2.0 }")
		}
		c.sides(field, s.AtLeast, s.AtMost)
		if s.AtLeast == nil && s.AtMost == nil {
			c.wrong(field, "the bound is missing; add at_least or at_most")
		}
		if !(s.Slack >= 0) || !usual(s.Slack) {
			c.wrong(field+".slack", "%v; expected a violation that does not matter, at least 0", s.Slack)
		}
	}
	if len(c.p.Constraints) > 100 {
		c.wrong("constraint", "%d; expected at most 100", len(c.p.Constraints))
	}
}

func (p *Problem) objectiveNames() []string {
	names := make([]string, len(p.Objectives))
	for i := range p.Objectives {
		names[i] = p.Objectives[i].Name
	}
	return names
}

// bounded reports whether the problem has a bound on an objective or on a sum of objectives.
func (p *Problem) bounded() bool {
	return len(p.Constraints) > 0 || slices.ContainsFunc(p.Objectives, func(o Objective) bool {
		return o.AtLeast != nil || o.AtMost != nil
	})
}

// compared returns the indices of the objectives that the question compares.
func (p *Problem) compared() []int {
	var list []int
	for c := range p.Objectives {
		if p.Objectives[c].Goal != Bounded {
			list = append(list, c)
		}
	}
	return list
}

func (c *checker) question() {
	q := &c.p.Question
	if q.Find == "" {
		c.wrong("question.find", "missing; expected %s", choices(finds))
	} else if !slices.Contains(finds, q.Find) {
		c.wrong("question.find", "%q; expected %s", q.Find, choices(finds))
	}
	if !(q.Delta >= leastDelta && q.Delta < .5) {
		c.wrong("question.delta", "%v; expected the error probability of the answer, above 0 and below 1/2, such "+
			"as 0.05", q.Delta)
	}
	switch {
	case q.Find == FindTop && (q.Count < 1 || q.Count >= c.p.K()):
		c.wrong("question.count", "%d; expected the number of candidates to find, at least 1 and fewer than the %d "+
			"candidates", q.Count, c.p.K()).on("candidates")
	case q.Find != FindTop && q.Count != 0:
		c.wrong("question.count", "%d, but only find = \"top\" uses count; leave it out", q.Count).on("question.find")
	}
	compared := c.p.compared()
	switch q.Find {
	case FindFeasible:
		if !c.p.bounded() {
			c.wrong("question.find", "\"feasible\", but the bounds are missing; add at_least or "+
				"at_most to an objective").on(append(c.each("at_least", "at_most"), "constraint")...)
		}
	case FindGood:
		if len(compared) != 1 || c.p.bounded() || len(c.p.Objectives) != 1 {
			c.wrong("question.find", "\"good\" needs exactly one objective, without bounds; use \"pareto\" "+
				"with tolerances instead")
		}
	case FindPareto, FindBest, FindTop:
		first := slices.IndexFunc(c.p.Objectives, func(o Objective) bool { return o.Goal == Bounded })
		if q.Find == FindPareto && first >= 0 && len(compared) > 0 {
			c.wrong("question.find", "\"pareto\" compares candidates by every objective, but the goal of %q is "+
				"bounded; state its better direction (max or min), or use \"best\"", c.p.Objectives[first].Name)
		}
		if len(compared) == 0 && len(c.p.Objectives) > 0 {
			c.wrong("question.find", "%q compares candidates, but the goal of each objective is bounded; use find "+
				"= \"feasible\"", q.Find)
		}
	}
	if (q.Find == FindPareto || q.Find == FindGood || q.Find == FindFeasible) &&
		slices.ContainsFunc(c.p.Objectives, func(o Objective) bool { return o.Weight != nil }) {
		c.wrong("question.find", "%q does not add up objectives; leave out their weights, or use \"best\" or "+
			"\"top\"", q.Find)
	}
}

// shares checks that pilots leave some of delta for the policy.
func (c *checker) shares() {
	if left := c.p.delta(); len(c.errs) == 0 && !(left >= leastDelta) {
		c.wrong("question.delta", "%v, but the pilots use %.3g of it; give the pilots smaller parts of delta",
			c.p.Question.Delta, c.p.Question.Delta-left)
	}
}

// delta returns the part of the error probability that pilots leave for the policy.
func (p *Problem) delta() float64 {
	before, within, _ := p.pilots()
	return p.Question.Delta - before - within
}

// pilots returns the error probabilities that earlier pilots (before)
// and the campaign's own pilot (within) use. rewards is the number of
// measurements of each candidate in the campaign's own pilot.
func (p *Problem) pilots() (before, within float64, rewards int) {
	for i := range p.Objectives {
		n := p.Objectives[i].Noise.Pilot
		switch {
		case n == nil || p.Objectives[i].Known:
		case n.Rewards > 0:
			within += n.Delta
			rewards = max(rewards, n.Rewards)
		default:
			before += n.Delta
		}
	}
	return before, within, rewards
}

func (c *checker) laboratory() {
	l := &c.p.Laboratory
	for _, f := range []struct {
		field string
		n     int
		most  int
	}{{"plate", l.Plate, 1e6}, {"at_once", l.AtOnce, 1000},
		{"measurements", l.Measurements, min(1e12, math.MaxInt)},
		{"measurements", c.p.Method.Budget, min(1e12, math.MaxInt)}} {
		if f.n < 0 || f.n > f.most {
			c.wrong("laboratory."+f.field, "%d; expected a whole number from 1 to %d", f.n, f.most)
		}
	}
	if l.Fill && l.Wells() == 1 {
		c.wrong("laboratory.fill", "a plate of one well is always full; state the number of wells of a plate, "+
			"plate = 24, or leave fill out").on("laboratory.plate")
	}
	switch {
	case l.Reference == "" && l.ReferenceWells != 0:
		c.wrong("laboratory.reference_wells", "%d, but the reference is missing; name the reference, "+
			"reference = \"control\"", l.ReferenceWells).on("laboratory.reference")
	case l.Reference != "" && c.name("laboratory.reference", "the reference", l.Reference) &&
		l.ReferenceWells < 0:
		c.wrong("laboratory.reference_wells", "%d; expected a non-negative whole number, such as 2", l.ReferenceWells)
	case l.Reference != "" && l.References(l.Wells()) == 0:
		c.wrong("laboratory.reference_wells", "%d of the %d wells of a plate, which leaves no wells for candidates; "+
			"use fewer, or a larger plate", max(l.ReferenceWells, 1), l.Wells()).on("laboratory.plate")
	}
	if l.Expire != "" && !(l.Expires() >= leastExpire && l.Expires() <= mostExpire) {
		c.wrong("laboratory.expire", "%q; expected a duration from 1m to 8760h, such as \"2h\" or \"30m\"", l.Expire)
	}
	if l.Extras != "" && l.Extras != AcceptExtras && l.Extras != RefuseExtras {
		c.wrong("laboratory.extras", "%q; expected %q or %q, the treatment of unsolicited "+
			"results", l.Extras, AcceptExtras, RefuseExtras)
	}
	if !(l.Days >= 0 && l.Days <= 1e5) {
		c.wrong("laboratory.days", "%v; expected the duration of a plate in days, from 0 to 1e5, such as 0.5", l.Days)
	}
	for _, f := range []struct {
		field string
		x     float64
	}{{"failures", l.Failures}, {"late", l.Late}} {
		if !(f.x >= 0 && f.x <= .9) {
			c.wrong("laboratory."+f.field, "%v; expected a fraction from 0 to 0.9, such as 0.05 for 5 %%", f.x)
		}
	}
	if l.LateBy < 0 || l.LateBy > 1000 {
		c.wrong("laboratory.late_by", "%d; expected the delay of late results in plates, from 0 to 1000, such as "+
			"1", l.LateBy)
	}
	if utf8.RuneCountInString(c.p.Title) > longest || strings.ContainsFunc(c.p.Title, hidden) {
		c.wrong("title", "%.60q; expected one line of at most %d characters", c.p.Title, longest)
	}
}

// noPercent is the text that explains why an objective to be minimised cannot have a tolerance in
// per cent.
func noPercent(x float64, name string) string {
	return fmt.Sprintf("%v, but %s is minimised, and only maximised objectives can have a tolerance in per cent; "+
		"give a tolerance in its unit, or report the natural logarithm of %[2]s, with tolerance = %.3[3]g for %[1]v "+
		"%% and the sd of the logarithm", x, name, math.Log1p(x/100))
}
