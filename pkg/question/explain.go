package question

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
)

// dominance returns the words that compare vectors, or numbers if there is one objective.
func dominance(p *explore.Problem) explore.Words {
	if p.D() == 1 {
		return explore.Words{}
	}
	return explore.Words{
		Ahead: " in some objective", Behind: " in every objective",
		Dominated: "dominated by %s, which is better by %s%s",
	}
}

// Explain implements explore.Explainer.
func (q Pareto) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return dominance(p).Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q Feasible) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return dominance(p).Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q FeasiblePareto) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	words := dominance(p)
	if p.Known != nil && p.D() > 1 {
		words.Behind = " wherever they differ" // prices may be the same
	}
	if !q.Tolerant() {
		return words.Explain(p, i, r)
	}
	if r.Class == explore.Optimal && r.Slack < 0 {
		words.Slack = func(_ int, x, radius float64) string {
			return explore.Amount(x, radius) + ", which is tolerated"
		}
	}
	if r.Class == explore.Optimal && q.Tolerance != nil && r.Margin >= 0 && r.Margin < r.MarginRadius {
		words.Ahead += ", or behind by a difference that does not matter"
	}
	if r.Class == explore.Optimal && q.Slack != nil && r.Slack < r.SlackRadius {
		words.Spare = ", or outside by less than the slack"
	}
	// With a tolerance a rejected item may even be ahead, by no more than the tolerance.
	if r.Class == explore.Dominated && r.By >= 0 && r.Margin < r.MarginRadius {
		const enough = ", which does not matter"
		if r.Margin < 0 {
			return "", fmt.Sprintf("ahead of %s by %s%s%s", p.Item(r.By),
				explore.Amount(-r.Margin, r.MarginRadius), words.Ahead, enough)
		}
		return "", fmt.Sprintf("behind %s by %s%s, or ahead by a difference that does not matter",
			p.Item(r.By), explore.Amount(r.Margin, r.MarginRadius), words.Behind)
	}
	return words.Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q Best) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return explore.Words{}.Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q BestFeasible) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	const by = " in the weighted sum"
	return explore.Words{Ahead: by, Behind: by}.Explain(p, i, r)
}
