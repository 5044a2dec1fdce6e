package policy

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
)

//go:generate go run ./internal/tables

// An Info describes a policy with its default settings.
type Info struct {
	Name      string // as in tables
	Question  string // what it answers
	Kind      Kind
	Evidence  Sampling // the measurements that its guarantee is about
	Guarantee string
	Source    string // authors, year, and where in the paper
	Key       string // of the paper in REFERENCES.bib
	// New returns the policy with its default settings.
	New func() explore.Policy
}

// Type returns the name of the policy's Go type, as in policy.ECAPE.
func (i Info) Type() string { return strings.TrimPrefix(fmt.Sprintf("%T", i.New()), "*policy.") }

// A Kind says what is fixed beforehand.
type Kind int

const (
	// FixedConfidence policies stop by themselves and err with probability at most
	// Delta, unless their Guarantee says that this is not guaranteed.
	FixedConfidence Kind = iota
	// FixedBudget policies never exceed their Budget, and certify nothing.
	FixedBudget
)

// String returns the words of tables.
func (k Kind) String() string { return [...]string{"fixed confidence", "fixed budget"}[k] }

// A Sampling says which measurements a guarantee allows as evidence.
type Sampling int

const (
	// AnySampling: the confidence intervals, or the threshold, hold for all arms at
	// all times, whatever is measured.
	AnySampling Sampling = iota
	// OwnRounds: the guarantee is about the measurements that the policy asks for,
	// and no others.
	OwnRounds
)

// String returns the words of tables.
func (s Sampling) String() string { return [...]string{"any sampling", "own rounds"}[s] }

// Catalogue lists the policies of this package: the one place where a policy is
// described. The tables of the README and of this package's documentation are
// generated from it by go generate.
//
// Evidence is AnySampling where a proof covers all counts of all arms at once, and
// the rules use the counts that there are: radii with a union bound over arms and
// times, mixture martingales, self-normalised bounds. It is OwnRounds
//
//   - for phases that estimate from their own, fresh rewards or test at levels
//     shared among their own phases (RAGE and its relatives, ALBA, GEGE);
//   - for AuerRacing, whose radii would allow more, but whose tests have one
//     half-width for all active arms, which holds while they are level;
//   - for PSIPS, whose error probability has no theorem at a given Delta;
//   - for fixed budgets, whose bounds are about the stages that they plan.
func Catalogue() []Info {
	const (
		feasible = "feasible Pareto set, with reasons; Pareto set"
		pareto   = "Pareto set, exact or relaxed"
		item     = "best item of a linear model"
		arm      = "best arm of a linear model"
		pac      = "error at most delta"
		constr   = "kone2025constrained"
		gege     = "kone2025linear"
		soare    = "soare2014best"
		all      = "all epsilon-best arms of a linear model"
		linfact  = "li2025identifying"
		good     = "all epsilon-best arms"
		mason    = "mason2020finding"
		topm     = "top m arms of a linear model, for all epsilon-best ones"
		reda     = "reda2021top"
	)
	return []Info{{
		"e-cAPE", feasible, FixedConfidence, AnySampling,
		pac + "; pulls of order C* log(K d C*/delta)",
		"Kone, Kaufmann, Richert 2025, Algorithm 1", constr,
		func() explore.Policy { return new(ECAPE) },
	}, {
		"MD-APT+APE", feasible, FixedConfidence, AnySampling,
		pac + "; pulls of order (HPSI + HF) log",
		"Kone, Kaufmann, Richert 2025, section 5, a baseline: MD-APT, then APE", constr,
		func() explore.Policy { return new(TwoStage) },
	}, {
		"Racing", feasible, FixedConfidence, AnySampling, pac,
		"Kone, Kaufmann, Richert 2025, Algorithm 3 (R-CP), after Auer et al. 2016", constr,
		func() explore.Policy { return new(ConstrainedRacing) },
	}, {
		"Uniform", feasible, FixedConfidence, AnySampling, pac,
		"Kone, Kaufmann, Richert 2025, section 5, a baseline", constr,
		func() explore.Policy { return new(Uniform) },
	}, {
		"Game-cPSI", "feasible Pareto set; Pareto set", FixedConfidence, AnySampling,
		"error of the set at most delta (its reasons are not certified); " +
			"asymptotically optimal for independent objectives",
		"Kone, Kaufmann, Richert 2025, Algorithm 2 (appendix B)", constr,
		func() explore.Policy { return new(GameCPSI) },
	}, {
		"Track-and-Stop", "feasible Pareto set; Pareto set", FixedConfidence, AnySampling,
		"error of the set at most delta (its reasons are not certified); " +
			"aims at the asymptotic optimum for independent objectives",
		"Crepon, Garivier, Koolen 2024", "crepon2024sequential",
		func() explore.Policy { return new(ParetoTrackAndStop) },
	}, {
		"MD-APT", "feasible set", FixedConfidence, AnySampling, pac + "; pulls of order HF log",
		"Katz-Samuels, Scott 2018, fixed-confidence form", "katzsamuels2018feasible",
		func() explore.Policy { return new(MDAPT) },
	}, {
		"TF-LUCB", "best feasible items, by a weighted sum", FixedConfidence, AnySampling, pac,
		"reconstruction after Katz-Samuels, Scott 2019", "katzsamuels2019top",
		func() explore.Policy { return new(TFLUCB) },
	}, {
		"Constrained top-two", "best feasible item, by a weighted sum",
		FixedConfidence, AnySampling, pac,
		"reconstruction in the style of Lardy, Katsimerou, Koolen 2025, with the costs of " +
			"Jourdan, Degenne, Baudry, de Heide, Kaufmann 2022", "jourdan2022top",
		func() explore.Policy { return new(ConstrainedTopTwo) },
	}, {
		"APE", pareto, FixedConfidence, AnySampling, pac + "; pulls of order sum of 1/gap² log",
		"Kone, Kaufmann, Richert 2023", "kone2023adaptive",
		func() explore.Policy { return new(APE) },
	}, {
		"GEGE, fixed confidence", pareto + "; linear or not", FixedConfidence, OwnRounds,
		pac + "; pulls of order sigma² H1lin log",
		"Kone, Kaufmann, Richert 2025, Algorithm 3", gege,
		func() explore.Policy { return new(GEGEFixedConfidence) },
	}, {
		"GEGE, fixed budget", "Pareto set; linear or not", FixedBudget, OwnRounds,
		"error decreases exponentially in T/(sigma² H2lin log h)",
		"Kone, Kaufmann, Richert 2025, Algorithm 2", gege,
		func() explore.Policy { return new(GEGEFixedBudget) },
	}, {
		"EGE-SR", "Pareto set", FixedBudget, OwnRounds,
		"error decreases exponentially in T/(sigma² H2 log K)",
		"Kone, Kaufmann, Richert 2024", "kone2024fixed",
		func() explore.Policy { return new(EGESR) },
	}, {
		"EGE-SH", "Pareto set", FixedBudget, OwnRounds,
		"error decreases exponentially in T/(sigma² H2 log K)",
		"Kone, Kaufmann, Richert 2024", "kone2024fixed",
		func() explore.Policy { return new(EGESH) },
	}, {
		"Uniform, fixed budget", "Pareto set; linear or not", FixedBudget, OwnRounds,
		"error decreases exponentially in T gap²/(sigma² K)",
		"Kone, Kaufmann, Richert 2024, a baseline", "kone2024fixed",
		func() explore.Policy { return new(UniformBudget) },
	}, {
		"Auer", pareto, FixedConfidence, OwnRounds, pac,
		"Auer, Chiang, Ortner, Drugan 2016, Algorithm 1", "auer2016pareto",
		func() explore.Policy { return new(AuerRacing) },
	}, {
		"PAL", pareto + "; linear or not", FixedConfidence, AnySampling, pac,
		"Zuluaga, Sergent, Krause, Püschel 2013; ε-PAL 2016", "zuluaga2013active",
		func() explore.Policy { return new(PAL) },
	}, {
		"PFIwR", pareto + "; linear or not, features may change", FixedConfidence, AnySampling,
		pac + " with the default width",
		"Kim, Iyengar, Zeevi 2023, Algorithm 1", "kim2023pareto",
		func() explore.Policy { return new(PFIwR) },
	}, {
		"Sparing", pareto + "; linear or not", FixedConfidence, AnySampling,
		pac + ", sparing bad arms",
		"of this project, beside Kim, Iyengar, Zeevi 2023", "kim2023pareto",
		func() explore.Policy { return new(Sparing) },
	}, {
		"PSIPS", "Pareto set; linear or not", FixedConfidence, OwnRounds,
		"delta is not guaranteed: more errors where arms are close; pulls of order " +
			"T* log(1/delta) as delta goes to 0",
		"Kone, Jourdan, Kaufmann 2025", "kone2025posterior",
		func() explore.Policy { return new(PSIPS) },
	}, {
		"RAGE", item, FixedConfidence, OwnRounds,
		pac + "; pulls of order psi* log(1/gap) log(n²/delta)",
		"Fiez, Jain, Jamieson, Ratliff 2019, Algorithm 1", "fiez2019sequential",
		func() explore.Policy { return new(RAGE) },
	}, {
		"Betting", item, FixedConfidence, OwnRounds,
		pac + ", without a union bound",
		"of this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, Gan, " +
			"Kallus 2024",
		"cho2024peeking",
		func() explore.Policy { return new(BettingElimination) },
	}, {
		"XY-static", item, FixedConfidence, OwnRounds,
		pac + "; pulls of order rho log(n²/delta)/gap²",
		"Soare, Lazaric, Munos 2014", soare,
		func() explore.Policy { return new(XYStatic) },
	}, {
		"XY-oracle", item, FixedConfidence, OwnRounds, pac + ", knowing the means: a yardstick",
		"Fiez, Jain, Jamieson, Ratliff 2019, section 2.1", "fiez2019sequential",
		func() explore.Policy { return new(XYOracle) },
	}, {
		"XY-adaptive", item, FixedConfidence, OwnRounds, pac,
		"Soare, Lazaric, Munos 2014", soare,
		func() explore.Policy { return new(XYAdaptive) },
	}, {
		"G-allocation", item, FixedConfidence, OwnRounds, pac,
		"Soare, Lazaric, Munos 2014", soare,
		func() explore.Policy { return new(GAllocation) },
	}, {
		"ALBA", arm, FixedConfidence, OwnRounds,
		pac + "; pulls of order sum over i ≤ m of 1/gap_i² log",
		"Tao, Blanco, Zhou 2018, with Y-ElimTil", "tao2018best",
		func() explore.Policy { return new(ALBA) },
	}, {
		"LinGapE", item, FixedConfidence, AnySampling, pac,
		"Xu, Honda, Sugiyama 2018", "xu2018fully",
		func() explore.Policy { return new(LinGapE) },
	}, {
		"LinGame", item, FixedConfidence, AnySampling, pac + "; asymptotically optimal",
		"Degenne, Ménard, Shang, Valko 2020", "degenne2020gamification",
		func() explore.Policy { return new(LinGame) },
	}, {
		"Lazy TTS", item, FixedConfidence, AnySampling, pac + "; asymptotically optimal",
		"Jedra, Proutiere 2020", "jedra2020optimal",
		func() explore.Policy { return new(LazyTrackAndStop) },
	}, {
		"FWS", item, FixedConfidence, AnySampling, pac + "; asymptotically optimal",
		"Wang, Tzeng, Proutiere 2021", "wang2021fast",
		func() explore.Policy { return new(FWS) },
	}, {
		"OD-LinBAI", arm, FixedBudget, OwnRounds,
		"error decreases exponentially in T/(H2lin log m)",
		"Yang, Tan 2022", "yang2022minimax",
		func() explore.Policy { return new(ODLinBAI) },
	}, {
		"GSE", arm, FixedBudget, OwnRounds, "error decreases exponentially in T gap²/(m log K)",
		"Azizi, Kveton, Ghavamzadeh 2022", "azizi2022fixed",
		func() explore.Policy { return new(GSE) },
	}, {
		"PEACE", item, FixedBudget, OwnRounds, "budget never exceeded",
		"Katz-Samuels, Jain, Karnin, Jamieson 2020, width rho", "katzsamuels2020empirical",
		func() explore.Policy { return new(PEACE) },
	}, {
		"LinFACT", all, FixedConfidence, OwnRounds, pac + "; pulls of order d log(K/delta)/gap²",
		"Li, Ma, Hua, Zhu 2025, Algorithm 4", linfact,
		func() explore.Policy { return new(LinFACT) },
	}, {
		"LinFACT-MIS", all + ", up to deviations", FixedConfidence, OwnRounds,
		"error of what is classified at most delta; arms may stay undecided",
		"Li, Ma, Hua, Zhu 2025, Algorithm 5", linfact,
		func() explore.Policy { return new(LinFACTMIS) },
	}, {
		"LinFACT-GLM", "all epsilon-best arms of a generalised linear model",
		FixedConfidence, OwnRounds, pac + "; pulls of order d log(K/delta)/(slope gap)²",
		"Li, Ma, Hua, Zhu 2025, Algorithm 6", linfact,
		func() explore.Policy { return new(LinFACTGLM) },
	}, {
		"All-epsilon game", "all epsilon-best items of a linear model", FixedConfidence,
		AnySampling,
		pac + "; asymptotically optimal",
		"of this project, after Jedra, Proutiere 2020", "jedra2020optimal",
		func() explore.Policy { return new(AllEpsilonGame) },
	}, {
		"G-static", all, FixedConfidence, OwnRounds, pac,
		"of this project, beside Li, Ma, Hua, Zhu 2025", linfact,
		func() explore.Policy { return new(GStatic) },
	}, {
		"LinGIFA", topm, FixedConfidence, AnySampling, pac,
		"Réda, Kaufmann, Delahaye-Duriez 2021, Algorithm 1", reda,
		func() explore.Policy { return new(LinGIFA) },
	}, {
		"m-LinGapE", topm, FixedConfidence, AnySampling, pac,
		"Réda, Kaufmann, Delahaye-Duriez 2021, Algorithm 2", reda,
		func() explore.Policy { return new(MLinGapE) },
	}, {
		"Lazy TTS for thresholds",
		"arms of a linear model above a level, for all epsilon-best ones",
		FixedConfidence, AnySampling, pac + "; asymptotically optimal",
		"Rivera, Tewari 2024", "rivera2024optimal",
		func() explore.Policy { return new(LazyThreshold) },
	}, {
		"BayesGap", all, FixedBudget, OwnRounds, "budget never exceeded",
		"Hoffman, Shahriari, de Freitas 2014, Algorithm 1", "hoffman2014correlation",
		func() explore.Policy { return new(BayesGap) },
	}, {
		"KGCB", all, FixedBudget, OwnRounds,
		"budget never exceeded; the last pull is the best one on average",
		"Frazier, Powell, Dayanik 2009; linear beliefs Negoescu, Frazier, Powell 2011",
		"frazier2009knowledge",
		func() explore.Policy { return new(KGCB) },
	}, {
		"(ST)^2", good, FixedConfidence, AnySampling, pac,
		"Mason, Jain, Tripathy, Nowak 2020, Algorithm 1", mason,
		func() explore.Policy { return new(ST2) },
	}, {
		"EAST", good, FixedConfidence, AnySampling, pac,
		"Mason, Jain, Tripathy, Nowak 2020, the good filter of Algorithm 2", mason,
		func() explore.Policy { return new(EAST) },
	}, {
		"FAREAST", good, FixedConfidence, OwnRounds, pac,
		"Mason, Jain, Tripathy, Nowak 2020, Algorithm 2", mason,
		func() explore.Policy { return new(FAREAST) },
	}, {
		"All-epsilon track-and-stop", good, FixedConfidence, AnySampling,
		pac + "; asymptotically optimal",
		"Al Marjani, Kocak, Garivier 2022, Algorithm 3", "almarjani2022complexity",
		func() explore.Policy { return new(AllEpsilonTrackAndStop) },
	}}
}
