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

// Verdict is the decision about a candidate, described in the user's units.
type Verdict struct {
	// Candidate is the name of the candidate, and Class is the candidate's class according to the
	// policy.
	Candidate string        `json:"candidate"`
	Class     explore.Class `json:"-"`
	// Status is "in the answer", "rejected", "outside a bound" or "undecided"; for policies without
	// reasons, it is "in the answer" or "not in the answer".
	Status string `json:"status"`
	// Why is the reason, if known, such as "behind B02 by 4.1 ± 1.9 % in yield and 2 EUR in price".
	Why string `json:"why,omitempty"`
}

// Explain returns the verdicts on all candidates for answer a, in the order of the candidates. For
// a candidate without a reason, the verdict only says whether the candidate is in the answer. The
// matrix means contains the means of the results, K x d in the user's units, and NaN for candidates
// without results. Reasons in the verdicts show differences between the measured means. For methods
// that use other means, such as the means of a linear model, pass nil for means. If means is nil,
// reasons state bounds on the differences in each objective.
func (c *Compiled) Explain(a explore.Answer, means *mat.Dense) []Verdict {
	list := c.Verdicts(a)
	for i, r := range a.Reasons[:min(len(list), len(a.Reasons))] {
		list[i].Why = c.why(i, r, means)
	}
	return list
}

// Verdicts returns the verdict on each candidate, like Explain, but without reasons.
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

// why describes in words the reason r for the verdict on candidate i.
func (c *Compiled) why(i int, r explore.Reason, means *mat.Dense) string {
	var parts []string
	if r.Constraint >= 0 && r.Constraint < len(c.Bounds) && !math.IsInf(r.Slack, 0) && (r.Class != explore.Dominated) {
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

// bounded describes in words how a candidate compares with the bound in its reason r.
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

// The following constants are texts about differences that are within a tolerance.
const (
	orAhead  = ", or ahead by a difference that does not matter"
	orBehind = ", or behind by a difference that does not matter"
)

// compare describes in words how candidate i compares with the candidate in its reason r.
func (c *Compiled) compare(i int, r explore.Reason, means *mat.Dense) string {
	by := c.Source.Candidates.Names[r.By]
	list, decides := c.differences(i, r, means)
	tolerant := c.tolerant() && !r.Estimated
	switch {
	case r.Class == explore.Dominated && list != nil:
		return c.beaten(by, r, list)
	case r.Class == explore.Dominated && r.Margin < 0:
		// If candidate i and the candidate in the reason differ by at most the tolerance, the
		// candidate in the reason represents candidate i in the answer.
		return fmt.Sprintf("ahead of %s by %s, within the tolerance", by, c.margin(i, r, nil, " or "))
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
			ahead = ", and ahead by " + ahead + ", within the tolerance"
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

func (c *Compiled) tolerant() bool {
	return slices.ContainsFunc(c.Source.Objectives, func(o Objective) bool { return o.Tolerance > 0 })
}

// signed formats two lists: the differences by which a candidate is behind, and those by which it
// is ahead.
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
		r.Estimated = false // the text states only once that a margin is estimated
	}
	if len(up) > 0 {
		ahead = c.listed(up, r)
	}
	return behind, ahead
}

// difference is the margin by which one candidate is ahead of another in an objective, in the
// user's unit; a negative margin means that the candidate is behind. The radius is 0 if there is no
// interval, and for the difference of two known values.
type difference struct {
	objective  int
	by, radius float64
}

// differences returns the differences between candidate i and the candidate in its reason r, for
// the relevant objectives. differences also returns the objective to which the margin and radius of
// r belong. differences returns a nil list if there are no means, or if no difference matches the
// margin.
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
		// For a dominated candidate, the radius of the margin is the maximum of the radii over
		// objectives.
		if !o.Known && !r.Estimated { // the verdict does not depend on the radius of an estimated margin
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
	if r.Class != explore.Dominated { // the radius belongs to the objective that decides the comparison
		for k := range list {
			if list[k].objective != decides {
				list[k].radius = 0
			}
		}
	}
	return list, decides
}

// beaten describes in words by how much a rejected candidate is behind, or by how much it is ahead
// within the tolerance.
func (c *Compiled) beaten(by string, r explore.Reason, list []difference) string {
	doubtful := false
	for _, d := range list {
		doubtful = doubtful || d.by <= 0 && -d.by < d.radius
	}
	behind, ahead := c.signed(list, r)
	switch {
	case behind == "":
		return fmt.Sprintf("ahead of %s by %s, within the tolerance", by, ahead)
	case ahead != "":
		return fmt.Sprintf("behind %s by %s, and ahead by %s, within the tolerance", by, behind, ahead)
	case doubtful && c.tolerant():
		return fmt.Sprintf("behind %s by %s%s", by, behind, orAhead)
	}
	return fmt.Sprintf("behind %s by %s", by, behind)
}

func (c *Compiled) listed(list []difference, r explore.Reason) string {
	var words []string
	for _, d := range list {
		words = append(words, fmt.Sprintf("%s%s in %s", amount(math.Abs(d.by), d.radius),
			c.Scales[d.objective].suffix(), c.Source.Objectives[d.objective].Name))
	}
	text := Listed(words)
	measured := func(d difference) bool { return !c.Source.Objectives[d.objective].Known }
	if r.Estimated && slices.ContainsFunc(list, measured) {
		text = "an estimated " + text
	}
	return text
}

// near describes in words how a candidate compares with the threshold of the question "good", which
// candidate r.By determines.
func (c *Compiled) near(i int, r explore.Reason) string {
	if r.By == i {
		return "none is better"
	}
	by, within, margin := c.Source.Candidates.Names[r.By], c.Source.nearness(), c.margin(i, r, nil, " and ")
	switch {
	case r.Class == explore.Dominated:
		return fmt.Sprintf("not within %s of %s: outside by %s", within, by, margin)
	case r.Margin < 0:
		return fmt.Sprintf("does not seem to be within %s of %s: outside by %s", within, by, margin)
	}
	seems := ""
	if r.Class == explore.Undecided {
		seems = "seems "
	}
	return fmt.Sprintf("%swithin %s of %s with %s to spare", seems, within, by, margin)
}

// margin formats the margin in reason r for candidate i. The margin is a minimum or maximum over
// objectives in standardised rewards, so it can be stated in the unit of each objective. The
// argument which, if not nil, lists the objectives to which the margin may refer. The text omits
// known values that are equal, and objectives in which the comparison has the opposite sign.
func (c *Compiled) margin(i int, r explore.Reason, which []int, between string) string {
	behind, ahead := c.sides(i, r, which, between)
	if c.isBehind(r) {
		return behind
	}
	return ahead
}

// isBehind reports whether reason r states that the candidate is behind candidate r.By.
func (c *Compiled) isBehind(r explore.Reason) bool {
	return (r.Class == explore.Dominated) == (r.Margin >= 0)
}

// sides formats the margin together with known differences of the opposite sign: for example, a
// candidate may be behind in yield but cheaper.
func (c *Compiled) sides(i int, r explore.Reason, which []int, between string) (behind, ahead string) {
	margin, radius, prefix := math.Abs(r.Margin), r.MarginRadius, ""
	if r.Estimated {
		radius, prefix = 0, "an estimated "
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
		if o.Goal == Bounded || o.Known && o.Exact[i] == o.Exact[r.By] || which != nil && !slices.Contains(which, j) {
			continue
		}
		size, width, lower := s.Size(margin), s.Size(radius), c.isBehind(r)
		if o.Known { // known values have no radius
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

// amount formats a difference and, if known, its half-width.
func amount(x, radius float64) string {
	if radius == 0 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return explore.Amount(x, radius)
}

// hinge lists the objectives that may decide the comparison of candidate i with candidate r.By: a
// known objective whose difference equals the margin, or all measured objectives. If hinge cannot
// determine the deciding objectives, it returns nil.
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

// single returns the scale of margins if the question compares candidates by a weighted sum in the
// user's units, and nil otherwise.
func (c *Compiled) single() *Scale {
	find := c.Source.Question.Find
	if (find == FindBest || find == FindTop) && (len(c.Scales) > 1 || c.Source.bounded() || find == FindTop) {
		s := &Scale{PerReward: 1}
		if by := c.Source.compared(); len(by) == 1 { // counts are compared by their rates, which have a scale
			o := &c.Source.Objectives[by[0]]
			s.PerReward = o.told(1)
			s.Trials, s.Unit = c.Scales[by[0]].Trials, c.Scales[by[0]].Unit
		}
		return s
	}
	return nil
}

// slack returns the distance of a candidate from a bound, with its half-width and unit. If the
// bound involves several objectives, the distance is that of the weighted sum from its limit, and
// unit is empty.
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

// Words expresses the question of p as a sentence.
func (p *Problem) Words() string {
	var of string
	var goals, bounds []string
	added := len(p.compared()) > 1 && (p.Question.Find == FindBest || p.Question.Find == FindTop)
	for c := range p.Objectives {
		o, name := &p.Objectives[c], p.Objectives[c].Name
		if added && o.Weight != nil {
			name = fmt.Sprintf("%v x %s", *o.Weight, name)
		}
		switch o.Goal {
		case Maximise:
			goals = append(goals, name+" (higher is better)")
		case Minimise:
			goals = append(goals, name+" (lower is better)")
		}
	}
	if c, err := p.compile(); err == nil {
		for _, b := range c.Bounds {
			bounds = append(bounds, b.Name)
		}
	}
	if added {
		goals = []string{"the sum of " + Listed(goals)}
	}
	switch p.Question.Find {
	case FindBest:
		of = "the best by " + Listed(goals)
	case FindTop:
		of = fmt.Sprintf("the best %d by %s", p.Question.Count, Listed(goals))
	case FindGood:
		of = fmt.Sprintf("all within %s of the best by %s", p.nearness(), Listed(goals))
	case FindPareto:
		of = "those that no other candidate beats in " + Listed(goals)
	case FindFeasible:
		of = "all"
	}
	if len(bounds) > 0 {
		of += " with " + strings.Join(bounds, ", ")
	}
	if p.FixedBudget() {
		return fmt.Sprintf("Of %d candidates, find %s. The answer after %d measurements is a best guess.",
			p.K(), of, p.Budget())
	}
	return fmt.Sprintf("Of %d candidates, find %s. The answer is wrong with probability at most %.4g.",
		p.K(), of, p.Question.Delta)
}

func (p *Problem) nearness() string {
	o := &p.Objectives[0]
	if x := o.TolerancePercent; x > 0 {
		return fmt.Sprintf("%v %%", x)
	}
	return o.Amount(o.Tolerance)
}
