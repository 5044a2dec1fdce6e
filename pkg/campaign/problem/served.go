package problem

import "fmt"

// Tolerant reports whether methods for the question of p have a use for tolerances, and for slacks.
// Those for "best" and "top" by a weighted sum or with bounds, and for "feasible", have for neither.
func (p *Problem) Tolerant() (tolerances, slacks bool) {
	switch p.Question.Find {
	case FindPareto:
		return true, true
	case FindGood:
		return true, false
	case FindBest:
		return p.simple(), false
	}
	return false, false
}

// Served returns Errors unless every tolerance and slack of p has a part in its question. Parse asks
// for it, and whoever changes a problem before a campaign is begun; a campaign that was begun with
// one that has no part goes on without it.
func (p *Problem) Served() error {
	tolerances, slacks := p.Tolerant()
	var errs Errors
	no := func(field string, x float64, served bool) {
		if x > 0 && !served {
			errs = append(errs, p.wrong(field, "%v, but no method for %q %s has a use for it: the "+
				"answer would be exact all the same; leave it out, or ask for \"pareto\"", x,
				p.Question.Find, p.manner()))
		}
	}
	for i := range p.Objectives {
		field := fmt.Sprintf("objective[%d]", i+1)
		no(field+".tolerance", p.Objectives[i].Tolerance, tolerances)
		no(field+".slack", p.Objectives[i].Slack, slacks)
	}
	for i := range p.Constraints {
		no(fmt.Sprintf("constraint[%d].slack", i+1), p.Constraints[i].Slack, slacks)
	}
	if errs != nil {
		return errs
	}
	return nil
}

// manner says in which manner candidates are compared, for errors.
func (p *Problem) manner() string {
	if p.bounded() {
		return "with bounds"
	}
	return fmt.Sprintf("of %d objectives", len(p.Objectives))
}
