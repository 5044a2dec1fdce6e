package policy

import "github.com/purexp/purexp/pkg/explore"

// An Info describes a policy.
type Info struct {
	Name      string // as in tables
	Question  string // what it answers
	Guarantee string // with radius.Theory
	Source    string
	// New returns the policy with its default settings.
	New func() explore.Policy
}

// Catalogue lists the policies of this package.
func Catalogue() []Info {
	const fp = "feasible Pareto set, with reasons"
	const pac = "right with probability 1 - delta"
	return []Info{
		{"e-cAPE", fp, pac + "; pulls of order C* log(K d C*/delta)", "Kone, Kaufmann, Richert: Constrained Pareto Set Identification, Algorithm 1", func() explore.Policy { return new(ECAPE) }},
		{"MD-APT+APE", fp, pac + "; pulls of order (HPSI + HF) log", "the same, section 5 (two-stage baseline)", func() explore.Policy { return new(TwoStage) }},
		{"Racing", fp, pac, "the same, Algorithm 3 (R-CP), after Auer et al. 2016", func() explore.Policy { return new(ConstrainedRacing) }},
		{"Uniform", fp, pac, "the same, section 5 (baseline)", func() explore.Policy { return new(Uniform) }},
		{"MD-APT", "feasible set", pac + "; pulls of order HF log", "Katz-Samuels, Scott: Feasible Arm Identification (ICML 2018), fixed-confidence form", func() explore.Policy { return new(MDAPT) }},
		{"APE", "Pareto set, exact or relaxed", pac + "; pulls of order sum of 1/gap^2 log", "Kone, Kaufmann, Richert: Adaptive Algorithms for Relaxed Pareto Set Identification (NeurIPS 2023)", func() explore.Policy { return new(APE) }},
	}
}
