package problem

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
)

// A Verdict is what is said of one candidate, in the user's units.
type Verdict struct {
	Candidate string        `json:"candidate"`
	Class     explore.Class `json:"-"`
	// Status is "in the answer", "rejected", "outside a bound" or "undecided".
	Status string `json:"status"`
	// Why says why, where that is known: "behind B02 by at least 1.9 % in yield".
	Why string `json:"why,omitempty"`
}

// Explain puts an answer into words, one verdict a candidate in their order. Candidates without a
// reason are in the answer or not.
func (c *Compiled) Explain(a explore.Answer) []Verdict {
	list := make([]Verdict, c.Source.K())
	for i := range list {
		v := Verdict{Candidate: c.Source.Candidates.Names[i], Status: "not in the answer"}
		if slices.Contains(a.Items, i) {
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
			v.Why = c.why(i, r)
		}
		list[i] = v
	}
	return list
}

// why puts the reason for candidate i into words.
func (c *Compiled) why(i int, r explore.Reason) string {
	var parts []string
	if r.Constraint >= 0 && r.Constraint < len(c.Bounds) && !math.IsInf(r.Slack, 0) &&
		(r.Class != explore.Dominated) {
		b := c.Bounds[r.Constraint]
		side, harm := "inside", ""
		if r.Slack < 0 {
			side = "outside"
			if r.Class == explore.Optimal {
				harm = ", which is tolerated"
			}
		}
		parts = append(parts, fmt.Sprintf("%s %s by %s%s", side, b.Name, c.slack(r), harm))
	}
	if r.By >= 0 && r.By < c.Source.K() && c.Source.Question.Find == FindGood {
		return c.near(i, r)
	}
	if r.By >= 0 && r.By < c.Source.K() && r.Class != explore.Infeasible {
		by := c.Source.Candidates.Names[r.By]
		tolerant := slices.ContainsFunc(c.Source.Objectives, func(o Objective) bool { return o.Tolerance > 0 })
		switch {
		case r.Class == explore.Dominated && r.Margin < 0:
			// The answer is good enough: the other one stands for it.
			parts = append(parts, fmt.Sprintf("ahead of %s by %s, which does not matter", by,
				c.margin(i, r, nil, " or ")))
		case r.Class == explore.Dominated && r.Margin < r.MarginRadius:
			parts = append(parts, fmt.Sprintf("behind %s by %s, or ahead by a difference that "+
				"does not matter", by, c.margin(i, r, nil, " and ")))
		case r.Class == explore.Dominated:
			parts = append(parts, fmt.Sprintf("behind %s by %s", by,
				c.margin(i, r, nil, " and ")))
		case r.Margin < 0:
			parts = append(parts, fmt.Sprintf("seems behind %s by %s", by,
				c.margin(i, r, c.hinge(i, r), " and ")))
		case r.Class == explore.Undecided && r.Margin < r.MarginRadius:
			parts = append(parts, fmt.Sprintf("seems ahead of %s by %s", by, c.margin(i, r, c.hinge(i, r), " or ")))
		case r.Class == explore.Optimal && r.Margin < r.MarginRadius && c.Budget == 0 && tolerant:
			parts = append(parts, fmt.Sprintf("ahead of %s by %s, or behind by a difference that does not matter", by,
				c.margin(i, r, c.hinge(i, r), " or ")))
		default:
			parts = append(parts, fmt.Sprintf("ahead of %s by %s", by,
				c.margin(i, r, c.hinge(i, r), " or ")))
		}
	}
	return strings.Join(parts, "; ")
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
// part in it.
func (c *Compiled) margin(i int, r explore.Reason, which []int, between string) string {
	margin, radius, prefix := math.Abs(r.Margin), r.MarginRadius, ""
	if r.Estimated {
		prefix = "an estimated "
	}
	if w := c.single(); w != nil {
		return prefix + amount(w.Size(margin), w.Size(radius)) + w.suffix()
	}
	var list []string
	for j, s := range c.Scales {
		o := &c.Source.Objectives[j]
		if o.Goal == Bounded || o.Known && o.Exact[i] == o.Exact[r.By] ||
			which != nil && !slices.Contains(which, j) {
			continue
		}
		list = append(list, fmt.Sprintf("%s%s in %s",
			amount(s.Size(margin), s.Size(radius)), s.suffix(), o.Name))
	}
	return prefix + strings.Join(list, between)
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
			s.Trials = c.Scales[by[0]].Trials
		}
		return s
	}
	return nil
}

// slack writes the distance to a bound. For rows of more than one objective it is a distance in
// standardised rewards, which the norm of the row turns into the user's unit.
func (c *Compiled) slack(r explore.Reason) string {
	b := c.Bounds[r.Constraint]
	norm, unit, terms := 0.0, "", 0
	for i, w := range b.Weights {
		norm = math.Hypot(norm, w*c.Scales[i].Size(1))
		if w != 0 {
			unit, terms = c.Scales[i].suffix(), terms+1
		}
	}
	if terms > 1 {
		unit = ""
	}
	return amount(math.Abs(r.Slack)*norm, r.SlackRadius*norm) + unit
}
