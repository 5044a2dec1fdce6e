package question

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// The optional interfaces that each question implements.
var (
	_ explore.Validator = Pareto{}
	_ explore.Validator = Feasible{}
	_ explore.Validator = FeasiblePareto{}
	_ explore.Validator = Best{}
	_ explore.Validator = AllEpsilonBest{}
	_ explore.Validator = BestFeasible{}

	_ explore.ConstraintNamer = Feasible{}
	_ explore.ConstraintNamer = FeasiblePareto{}
	_ explore.ConstraintNamer = BestFeasible{}

	_ explore.Valuer = BestFeasible{}

	_ explore.AllowsUndecided = Pareto{}
	_ explore.AllowsUndecided = Best{}

	_ explore.Rescaler = Pareto{}
	_ explore.Rescaler = Feasible{}
	_ explore.Rescaler = FeasiblePareto{}
	_ explore.Rescaler = Best{}
	_ explore.Rescaler = AllEpsilonBest{}
	_ explore.Rescaler = BestFeasible{}

	_ explore.Explainer = Pareto{}
	_ explore.Explainer = Feasible{}
	_ explore.Explainer = FeasiblePareto{}
	_ explore.Explainer = Best{}
	_ explore.Explainer = AllEpsilonBest{}
	_ explore.Explainer = BestFeasible{}
)

var (
	_ explore.Tolerating = Best{}
	_ explore.Tolerating = Pareto{}
	_ explore.Tolerating = FeasiblePareto{}
)

// Tolerates implements explore.Tolerating.
func (q Best) Tolerates() float64 { return q.Epsilon }

// Tolerates implements explore.Tolerating.
func (q Pareto) Tolerates() float64 { return max(q.Epsilon, q.Cover) }

// Tolerates implements explore.Tolerating.
func (q FeasiblePareto) Tolerates() float64 { return slices.Max(append([]float64{0}, q.Tolerance...)) }
