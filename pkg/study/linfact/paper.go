package linfact

import "github.com/purexp/purexp/pkg/study"

// Paper is section 7 of the paper, and experiments on its sections 3, 5 and 6, which have none.
var Paper = study.Paper{
	Name:  "linfact",
	Title: "All epsilon-best arms of a linear model",
	Reference: "Li, Ma, Hua and Zhu, \"Identifying All epsilon-Best Arms in (Misspecified) " +
		"Linear Bandits\", sections 3 to 7",
	Experiments: []study.Experiment{DecisionRegions, Synthetic, Growth, DrugDiscovery, Limit,
		Misspecified, Successes, Counts},
}
