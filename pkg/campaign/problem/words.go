package problem

import (
	"fmt"
	"strings"
)

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
		of = "the best candidate by " + listed(goals)
	case FindTop:
		of = fmt.Sprintf("the best %d candidates by %s", p.Question.Count, listed(goals))
	case FindGood:
		of = fmt.Sprintf("all candidates within %s of the best by %s", p.nearness(), listed(goals))
	case FindPareto:
		of = "the candidates that no other one beats in " + listed(goals)
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
	return fmt.Sprintf("Which of %d candidates: %s? A wrong answer has probability %v at most.",
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
