package question

import "github.com/purexp/purexp/pkg/explore"

// dominance is how vectors are compared; of one objective, it is as numbers are.
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
	return dominance(p).Explain(p, i, r)
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
