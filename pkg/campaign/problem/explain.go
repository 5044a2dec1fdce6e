package problem

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// A Verdict is what is said of one candidate, in the user's units.
type Verdict struct {
	Candidate string        `json:"candidate"`
	Class     explore.Class `json:"-"`
	// Status is "in the answer", "rejected", "outside a bound" or "undecided".
	Status string `json:"status"`
	// Why says why, where that is known: "behind B02 by 4.1 ± 1.9 % in yield and 2 EUR in price".
	Why string `json:"why,omitempty"`
}

// Explain puts an answer into words, one verdict a candidate in their order. Candidates without a
// reason are in the answer or not. Means are what was measured, K x d in the user's units and NaN where
// nothing is: reasons have the differences of those. Nil means that nobody knows them; so does a method
// that goes by other ones, as those of a linear model. Then reasons have what holds in each objective.
func (c *Compiled) Explain(a explore.Answer, means *mat.Dense) []Verdict {
	list := c.Verdicts(a)
	for i, r := range a.Reasons[:min(len(list), len(a.Reasons))] {
		list[i].Why = c.why(i, r, means)
	}
	return list
}

// Verdicts is Explain without reasons.
func (c *Compiled) Verdicts(a explore.Answer) []Verdict {
	list := make([]Verdict, c.Source.K())
	chosen := make([]bool, len(list))
	for _, i := range a.Items {
		chosen[i] = true
	}
	for i := range list {
		v := Verdict{Candidate: c.Source.Candidates.Names[i], Status: "not in the answer"}
		if chosen[i] {
			v.Class, v.Status = explore.Optimal, "in the answer"
		}
		if i < len(a.Reasons) {
			r := a.Reasons[i]
			v.Class = r.Class
			switch r.Class {
			case explore.Undecided:
				v.Status = "undecided"
			case explore.Dominated:
				v.Status = "rejected"
			case explore.Infeasible:
				v.Status = "outside a bound"
			case explore.Optimal:
				v.Status = "in the answer"
			}
		}
		list[i] = v
	}
	return list
}

// why puts the reason for candidate i into words.
func (c *Compiled) why(i int, r explore.Reason, means *mat.Dense) string {
	var parts []string
	if r.Constraint >= 0 && r.Constraint < len(c.Bounds) && !math.IsInf(r.Slack, 0) &&
		(r.Class != explore.Dominated) {
		parts = append(parts, c.bounded(r))
	}
	if r.By >= 0 && r.By < c.Source.K() && c.Source.Question.Find == FindGood {
		return c.near(i, r)
	}
	if r.By >= 0 && r.By < c.Source.K() && r.Class != explore.Infeasible {
		parts = append(parts, c.compare(i, r, means))
	}
	return strings.Join(parts, "; ")
}

// bounded says where a candidate is relative to the bound of its reason r.
func (c *Compiled) bounded(r explore.Reason) string {
	b := c.Bounds[r.Constraint]
	distance, radius, unit := c.slack(r)
	side, seems, harm := "inside", "", ""
	if r.Slack < 0 {
		side = "outside"
	}
	switch {
	case r.Class == explore.Undecided && distance < radius:
		seems = "seems "
	case r.Class == explore.Optimal && r.Slack < 0:
		harm = ", which is tolerated"
	case r.Class == explore.Optimal && distance < radius && distance+b.Slack >= radius && c.Budget == 0:
		harm = fmt.Sprintf(", or outside by less than the slack of %s%s", strconv.FormatFloat(b.Slack, 'g', 4, 64),
			unit)
	}
	return fmt.Sprintf("%s%s %s by %s%s%s", seems, side, b.Name, amount(distance, radius), unit, harm)
}

// Differences that a tolerance allows.
const (
	orAhead  = ", or ahead by a difference that does not matter"
	orBehind = ", or behind by a difference that does not matter"
)

// compare says where candidate i is relative to the one of its reason r.
func (c *Compiled) compare(i int, r explore.Reason, means *mat.Dense) string {
	by := c.Source.Candidates.Names[r.By]
	list, decides := c.differences(i, r, means)
	tolerant := c.tolerant()
	switch {
	case r.Class == explore.Dominated && list != nil:
		return c.beaten(by, r, list)
	case r.Class == explore.Dominated && r.Margin < 0:
		// The answer is good enough: the other one stands for it.
		return fmt.Sprintf("ahead of %s by %s, which does not matter", by, c.margin(i, r, nil, " or "))
	case r.Class == explore.Dominated:
		least, harm := "", ""
		if c.single() == nil && len(c.Source.compared()) > 1 {
			least = "at least "
		}
		if tolerant && r.Margin < r.MarginRadius {
			harm = orAhead
		}
		behind, ahead := c.sides(i, r, nil, " and ")
		if ahead != "" {
			ahead = ", and ahead by " + ahead + ", which does not matter"
		}
		return fmt.Sprintf("behind %s by %s%s%s%s", by, least, behind, ahead, harm)
	case r.Margin < 0:
		behind, ahead := c.sides(i, r, c.hinge(i, r), " and ")
		if list != nil {
			behind, ahead = c.signed(list, r)
		}
		switch {
		case behind == "":
			return fmt.Sprintf("seems ahead of %s by %s, which does not matter", by, ahead)
		case ahead != "":
			ahead = ", and ahead by " + ahead
		}
		return fmt.Sprintf("seems behind %s by %s%s", by, behind, ahead)
	}
	which := c.hinge(i, r)
	if list != nil {
		which = []int{decides}
	}
	margin := c.margin(i, r, which, " or ")
	switch {
	case r.Class == explore.Undecided && r.Margin < r.MarginRadius:
		return fmt.Sprintf("seems ahead of %s by %s", by, margin)
	case r.Class == explore.Optimal && r.Margin < r.MarginRadius && c.Budget == 0 && tolerant:
		return fmt.Sprintf("ahead of %s by %s%s", by, margin, orBehind)
	}
	return fmt.Sprintf("ahead of %s by %s", by, margin)
}

// tolerant reports whether there are differences that do not matter.
func (c *Compiled) tolerant() bool {
	return slices.ContainsFunc(c.Source.Objectives, func(o Objective) bool { return o.Tolerance > 0 })
}

// signed writes the differences in which a candidate is behind, and those in which it is ahead.
func (c *Compiled) signed(list []difference, r explore.Reason) (behind, ahead string) {
	var down, up []difference
	for _, d := range list {
		if d.by > 0 {
			up = append(up, d)
			continue
		}
		down = append(down, d)
	}
	if len(down) > 0 {
		behind = c.listed(down, r)
		r.Estimated = false // is said once
	}
	if len(up) > 0 {
		ahead = c.listed(up, r)
	}
	return behind, ahead
}

// A difference is by how much a candidate is ahead of another in an objective, or behind it if By is
// negative, in the user's unit. Radius is 0 where there is none, and where both values are known.
type difference struct {
	objective  int
	by, radius float64
}

// differences returns those between the means of candidate i and of the one of its reason r in the
// objectives that count, and the objective that the margin of r is about, which has its radius. A margin
// that is about none of them is one of other means: then, and without means, the list is nil.
func (c *Compiled) differences(i int, r explore.Reason, means *mat.Dense) (list []difference, decides int) {
	if means == nil || c.single() != nil {
		return nil, -1
	}
	margin, near := r.Margin, math.Inf(1)
	if r.Class == explore.Dominated {
		margin = -margin
	}
	for j, s := range c.Scales {
		o := &c.Source.Objectives[j]
		if o.Goal == Bounded || o.Known && o.Exact[i] == o.Exact[r.By] {
			continue
		}
		x, y := means.At(i, j), means.At(r.By, j)
		if math.IsNaN(x) || math.IsNaN(y) {
			return nil, -1
		}
		lead := s.In(x) - s.In(y)
		d := difference{objective: j, by: math.Copysign(s.Size(lead), lead)}
		// Where a candidate is beaten, the radius of the margin is the largest of all objectives.
		if !o.Known {
			d.radius = s.Size(r.MarginRadius)
		}
		if off := math.Abs(lead - margin); off < near {
			near, decides = off, j
		}
		list = append(list, d)
	}
	if near > 1e-6*(1+math.Abs(margin)) {
		return nil, -1
	}
	if r.Class != explore.Dominated { // the radius of the margin is that of the objective that decides
		for k := range list {
			if list[k].objective != decides {
				list[k].radius = 0
			}
		}
	}
	return list, decides
}

// beaten says of a candidate that is rejected how far it is behind by, or ahead by no more than what
// does not matter.
func (c *Compiled) beaten(by string, r explore.Reason, list []difference) string {
	doubtful := false
	for _, d := range list {
		doubtful = doubtful || d.by <= 0 && -d.by < d.radius
	}
	behind, ahead := c.signed(list, r)
	switch {
	case behind == "":
		return fmt.Sprintf("ahead of %s by %s, which does not matter", by, ahead)
	case ahead != "":
		return fmt.Sprintf("behind %s by %s, and ahead by %s, which does not matter", by, behind, ahead)
	case doubtful && c.tolerant():
		return fmt.Sprintf("behind %s by %s%s", by, behind, orAhead)
	}
	return fmt.Sprintf("behind %s by %s", by, behind)
}

// listed writes differences, without their signs.
func (c *Compiled) listed(list []difference, r explore.Reason) string {
	var words []string
	for _, d := range list {
		words = append(words, fmt.Sprintf("%s%s in %s", amount(math.Abs(d.by), d.radius),
			c.Scales[d.objective].suffix(), c.Source.Objectives[d.objective].Name))
	}
	text := Listed(words)
	if r.Estimated {
		text = "an estimated " + text
	}
	return text
}

// near is why where all candidates within a tolerance of the best are asked for: the margin is then the distance from
// the threshold that the candidate r.By sets.
func (c *Compiled) near(i int, r explore.Reason) string {
	if r.By == i {
		return "none is better"
	}
	by, within, margin := c.Source.Candidates.Names[r.By], c.Source.nearness(), c.margin(i, r, nil, " and ")
	switch {
	case r.Class == explore.Dominated:
		return fmt.Sprintf("behind %s by %s more than %s", by, margin, within)
	case r.Margin < 0:
		return fmt.Sprintf("seems behind %s by %s more than %s", by, margin, within)
	}
	seems := ""
	if r.Class == explore.Undecided {
		seems = "seems "
	}
	return fmt.Sprintf("%swithin %s of %s with %s to spare", seems, within, by, margin)
}

// margin writes the margin of r, the reason for candidate i. It is the least one over objectives in
// standardised rewards, or the largest one, so that it holds in the unit of each; of which, unless
// it is nil, lists the objectives that it can be about. Values that are known and the same have no
// part in it, nor have those in which the candidate is on the other side.
func (c *Compiled) margin(i int, r explore.Reason, which []int, between string) string {
	behind, ahead := c.sides(i, r, which, between)
	if c.isBehind(r) {
		return behind
	}
	return ahead
}

// isBehind reports whether the margin of r is one by which a candidate is behind.
func (c *Compiled) isBehind(r explore.Reason) bool {
	return (r.Class == explore.Dominated) == (r.Margin >= 0)
}

// sides writes margin, and what is known on the other side: that a candidate is behind in what is measured, and
// cheaper.
func (c *Compiled) sides(i int, r explore.Reason, which []int, between string) (behind, ahead string) {
	margin, radius, prefix := math.Abs(r.Margin), r.MarginRadius, ""
	if r.Estimated {
		prefix = "an estimated "
	}
	if w := c.single(); w != nil {
		text := prefix + amount(w.Size(margin), w.Size(radius)) + w.suffix()
		if c.isBehind(r) {
			return text, ""
		}
		return "", text
	}
	var down, up []string
	for j, s := range c.Scales {
		o := &c.Source.Objectives[j]
		if o.Goal == Bounded || o.Known && o.Exact[i] == o.Exact[r.By] ||
			which != nil && !slices.Contains(which, j) {
			continue
		}
		size, width, lower := s.Size(margin), s.Size(radius), c.isBehind(r)
		if o.Known { // exactly
			size, width = math.Abs(o.Exact[i]-o.Exact[r.By]), 0
			lower = s.In(o.Exact[i]) < s.In(o.Exact[r.By])
		}
		text := fmt.Sprintf("%s%s in %s", amount(size, width), s.suffix(), o.Name)
		if lower {
			down = append(down, text)
		} else {
			up = append(up, text)
		}
	}
	join := func(list []string) string {
		if list == nil {
			return ""
		}
		return prefix + strings.Join(list, between)
	}
	return join(down), join(up)
}

// amount writes a difference with its half-width, if it has one.
func amount(x, radius float64) string {
	if radius == 0 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return explore.Amount(x, radius)
}

// hinge lists the objectives on which the comparison of candidate i can hang, if it hangs on one:
// the one of which the values are known and differ by the margin, which is certain, or those that
// are measured. Nil means that nobody knows.
func (c *Compiled) hinge(i int, r explore.Reason) (which []int) {
	for j := range c.Scales {
		o := &c.Source.Objectives[j]
		if o.Goal == Bounded {
			continue
		}
		if !o.Known {
			if r.MarginRadius > 0 {
				which = append(which, j)
			}
			continue
		}
		gap := (o.Exact[i] - o.Exact[r.By]) / c.Scales[j].PerReward
		if r.MarginRadius == 0 && math.Abs(gap-r.Margin) <= 1e-9*math.Abs(gap) {
			return []int{j}
		}
	}
	return which
}

// single returns the scale of margins where candidates are compared by one number in the user's
// units: a weighted sum. It is nil where they are compared by each objective.
func (c *Compiled) single() *Scale {
	find := c.Source.Question.Find
	if (find == FindBest || find == FindTop) && (len(c.Scales) > 1 || c.Source.bounded() ||
		find == FindTop) {
		s := &Scale{PerReward: 1}
		if by := c.Source.compared(); len(by) == 1 { // a rate, if it is one of successes
			o := &c.Source.Objectives[by[0]]
			s.PerReward = o.told(1)
			s.Trials, s.Unit = c.Scales[by[0]].Trials, c.Scales[by[0]].Unit
		}
		return s
	}
	return nil
}

// slack returns the distance to a bound with its half-width and unit. For rows of more than one objective
// it is a distance in standardised rewards, which the norm of the row turns into the user's unit.
func (c *Compiled) slack(r explore.Reason) (distance, radius float64, unit string) {
	b := c.Bounds[r.Constraint]
	norm, terms := 0.0, 0
	for i, w := range b.Weights {
		norm = math.Hypot(norm, w*c.Scales[i].Size(1))
		if w != 0 {
			unit, terms = c.Scales[i].suffix(), terms+1
		}
	}
	if terms > 1 {
		unit = ""
	}
	return math.Abs(r.Slack) * norm, r.SlackRadius * norm, unit
}

// Words puts the question into a sentence.
func (p *Problem) Words() string {
	var of string
	var goals, bounds []string
	for c := range p.Objectives {
		o := &p.Objectives[c]
		switch o.Goal {
		case Maximise:
			goals = append(goals, "more "+o.Name)
		case Minimise:
			goals = append(goals, "less "+o.Name)
		}
	}
	if c, err := p.compile(); err == nil {
		for _, b := range c.Bounds {
			bounds = append(bounds, b.Name)
		}
	}
	switch p.Question.Find {
	case FindBest:
		of = "the best candidate by " + Listed(goals)
	case FindTop:
		of = fmt.Sprintf("the best %d candidates by %s", p.Question.Count, Listed(goals))
	case FindGood:
		of = fmt.Sprintf("all candidates within %s of the best by %s", p.nearness(), Listed(goals))
	case FindPareto:
		of = "the candidates that no other one beats in " + Listed(goals)
	case FindFeasible:
		of = "all candidates"
	}
	if len(bounds) > 0 {
		of += " with " + strings.Join(bounds, ", ")
	}
	if p.FixedBudget() {
		return fmt.Sprintf("Which of %d candidates: %s? The answer after %d measurements is a best guess.",
			p.K(), of, p.Budget())
	}
	return fmt.Sprintf("Which of %d candidates: %s? A wrong answer has probability %.4g at most.",
		p.K(), of, p.Question.Delta)
}

// nearness is how near to the best candidates have to be where all that are near are asked for.
func (p *Problem) nearness() string {
	o := &p.Objectives[0]
	if x := o.TolerancePercent; x > 0 {
		return fmt.Sprintf("%v %%", x)
	}
	return o.Amount(o.Tolerance)
}
