package epsilonbest

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// Question returns the question of p, which must be question.AllEpsilonBest about the arms
// themselves, for the policy of the given name.
func Question(p *explore.Problem, name string) (q question.AllEpsilonBest, err error) {
	q, ok := p.Question.(question.AllEpsilonBest)
	if !ok {
		return q, fmt.Errorf("policy: %s: %T; want question.AllEpsilonBest: %w", name, p.Question,
			explore.ErrQuestion)
	}
	if p.Z != nil {
		return q, fmt.Errorf("policy: %s measures the items themselves; this problem has items "+
			"that are not its arms (Z): %w", name, explore.ErrQuestion)
	}
	return q, nil
}

// Additive returns the tolerance of the question of p; see Question. Fractions are refused.
func Additive(p *explore.Problem, name string) (epsilon float64, err error) {
	q, err := Question(p, name)
	if err == nil && q.Multiplicative {
		err = fmt.Errorf("policy: %s is for tolerances in reward units; AllEpsilonBest is "+
			"Multiplicative: %w", name, explore.ErrQuestion)
	}
	return q.Epsilon, err
}
