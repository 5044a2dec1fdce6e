package policy

import "github.com/purexp/purexp/pkg/explore"

// An Info describes a policy.
type Info struct {
	Name      string // as in tables
	Question  string // what it answers
	Guarantee string // with the default settings
	Source    string
	// New returns the policy with its default settings.
	New func() explore.Policy
}

// Catalogue lists the policies of this package.
func Catalogue() []Info {
	const fp = "feasible Pareto set, with reasons"
	const ps, pu = "Pareto set, linear model", "Pareto set"
	const best, arm = "best item, linear model", "best arm, linear model"
	const pac = "right with probability 1 - delta"
	const bf = "best feasible item, by a weighted sum"
	const budget = "fixed budget; error decreases exponentially"
	return []Info{
		{"e-cAPE", fp, pac + "; pulls of order C* log(K d C*/delta)", "Kone, Kaufmann, Richert: Constrained Pareto Set Identification, Algorithm 1", func() explore.Policy { return new(ECAPE) }},
		{"MD-APT+APE", fp, pac + "; pulls of order (HPSI + HF) log", "the same, section 5 (two-stage baseline)", func() explore.Policy { return new(TwoStage) }},
		{"Racing", fp, pac, "the same, Algorithm 3 (R-CP), after Auer et al. 2016", func() explore.Policy { return new(ConstrainedRacing) }},
		{"Uniform", fp, pac, "the same, section 5 (baseline)", func() explore.Policy { return new(Uniform) }},
		{"Game-cPSI", "feasible Pareto set; Pareto set", "the set is " + pac + " (its reasons are not certified); asymptotically optimal for independent objectives", "the same, Algorithm 2 (appendix B)", func() explore.Policy { return new(GameCPSI) }},
		{"MD-APT", "feasible set", pac + "; pulls of order HF log", "Katz-Samuels, Scott: Feasible Arm Identification (ICML 2018), fixed-confidence form", func() explore.Policy { return new(MDAPT) }},
		{"TF-LUCB", bf + "; or several", pac, "reconstruction after Katz-Samuels, Scott: Top Feasible Arm Identification (AISTATS 2019)", func() explore.Policy { return new(TFLUCB) }},
		{"Constrained top-two", bf, pac, "reconstruction in the style of Lardy, Katsimerou, Koolen (2025)", func() explore.Policy { return new(ConstrainedTopTwo) }},
		{"APE", "Pareto set, exact or relaxed", pac + "; pulls of order sum of 1/gap^2 log", "Kone, Kaufmann, Richert: Adaptive Algorithms for Relaxed Pareto Set Identification (NeurIPS 2023)", func() explore.Policy { return new(APE) }},
		{"GEGE, fixed confidence", ps, pac + "; pulls of order sigma^2 H1lin log", "Kone, Kaufmann, Richert: Bandit Pareto Set Identification in a Multi-Output Linear Model (AISTATS 2025), Algorithm 3", func() explore.Policy { return new(GEGEFixedConfidence) }},
		{"GEGE, fixed budget", ps, budget + " in T/(sigma^2 H2lin log h)", "the same, Algorithm 2", func() explore.Policy { return new(GEGEFixedBudget) }},
		{"EGE-SR", pu, budget + " in T/(sigma^2 H2 log K)", "Kone, Kaufmann, Richert: Bandit Pareto Set Identification: the Fixed Budget Setting (AISTATS 2024)", func() explore.Policy { return new(EGESR) }},
		{"EGE-SH", pu, budget + " in T/(sigma^2 H2 log K)", "the same", func() explore.Policy { return new(EGESH) }},
		{"Uniform, fixed budget", ps, budget + " in T gap^2/(sigma^2 K)", "GEGE paper, section 5 (baseline)", func() explore.Policy { return new(UniformBudget) }},
		{"Auer", pu, pac, "Auer, Chiang, Ortner, Drugan: Pareto Front Identification from Stochastic Bandit Feedback (AISTATS 2016), Algorithm 1", func() explore.Policy { return new(AuerRacing) }},
		{"PAL", ps, pac, "Zuluaga, Sergent, Krause, Pueschel: Active Learning for Multi-Objective Optimization (ICML 2013); epsilon-PAL (JMLR 2016)", func() explore.Policy { return new(PAL) }},
		{"PSIPS", ps, "asymptotically optimal as delta goes to 0", "Kone, Jourdan, Kaufmann: Pareto Set Identification With Posterior Sampling (AISTATS 2025)", func() explore.Policy { return new(PSIPS) }},
		{"RAGE", best, pac + "; pulls of order psi* log(1/gap) log(n^2/delta)", "Fiez, Jain, Jamieson, Ratliff: Sequential Experimental Design for Transductive Linear Bandits (NeurIPS 2019), Algorithm 1", func() explore.Policy { return new(RAGE) }},
		{"XY-static", best, pac + "; pulls of order rho log(n^2/delta)/gap^2", "Soare, Lazaric, Munos: Best-Arm Identification in Linear Bandits (NeurIPS 2014)", func() explore.Policy { return new(XYStatic) }},
		{"XY-oracle", best, pac + "; knows the true means: a yardstick", "RAGE paper, section 2.1", func() explore.Policy { return new(XYOracle) }},
		{"XY-adaptive", best, pac, "Soare, Lazaric, Munos 2014", func() explore.Policy { return new(XYAdaptive) }},
		{"G-allocation", best, pac, "Soare, Lazaric, Munos 2014", func() explore.Policy { return new(GAllocation) }},
		{"ALBA", arm, pac + "; pulls of order sum over i <= m of 1/gap_i^2 log", "Tao, Blanco, Zhou: Best Arm Identification in Linear Bandits with Linear Dimension Dependency (ICML 2018), with Y-ElimTil", func() explore.Policy { return new(ALBA) }},
		{"LinGapE", best, pac, "Xu, Honda, Sugiyama: A Fully Adaptive Algorithm for Pure Exploration in Linear Bandits (AISTATS 2018)", func() explore.Policy { return new(LinGapE) }},
		{"LinGame", best, pac + "; asymptotically optimal", "Degenne, Menard, Shang, Valko: Gamification of Pure Exploration for Linear Bandits (ICML 2020)", func() explore.Policy { return new(LinGame) }},
		{"Lazy TTS", best, pac + "; asymptotically optimal", "Jedra, Proutiere: Optimal Best-Arm Identification in Linear Bandits (NeurIPS 2020)", func() explore.Policy { return new(LazyTrackAndStop) }},
		{"FWS", best, pac + "; asymptotically optimal", "Wang, Tzeng, Proutiere: Fast Pure Exploration via Frank-Wolfe (NeurIPS 2021)", func() explore.Policy { return new(FWS) }},
		{"OD-LinBAI", arm, budget + " in T/(H2lin log m)", "Yang, Tan: Minimax Optimal Fixed-Budget Best Arm Identification in Linear Bandits (NeurIPS 2022)", func() explore.Policy { return new(ODLinBAI) }},
		{"GSE", arm, budget + " in T gap^2/(m log K)", "Azizi, Kveton, Ghavamzadeh: Fixed-Budget Best-Arm Identification in Structured Bandits (IJCAI 2022)", func() explore.Policy { return new(GSE) }},
		{"PEACE", best, budget, "Katz-Samuels, Jain, Karnin, Jamieson: An Empirical Process Approach to the Union Bound (NeurIPS 2020), width rho", func() explore.Policy { return new(PEACE) }},
	}
}
