// Package policy holds the algorithms, a file each or each few that are kin, named as in their paper. A policy is a struct
// of settings that [explore.Run] starts:
//
//	result, err := explore.Run(&policy.ECAPE{Delta: 0.05}, problem, sampler, nil)
//
// What each is, and which measurements its guarantee allows ([explore.Sampling]), in a table
// which PATHS=write go test -run TestTables writes from [Catalogue]:
//
//	policy                  question                                                                  kind              evidence
//	ECAPE                   feasible Pareto set; Pareto set; best feasible items by a weighted sum    fixed confidence  any sampling
//	TwoStage                feasible Pareto set; Pareto set; best feasible items by a weighted sum    fixed confidence  any sampling
//	ConstrainedRacing       feasible Pareto set; Pareto set; best feasible items by a weighted sum    fixed confidence  any sampling
//	Uniform                 feasible Pareto set; Pareto set; best feasible items by a weighted sum    fixed confidence  any sampling
//	GameCPSI                feasible Pareto set; Pareto set                                           fixed confidence  any sampling
//	ParetoTrackAndStop      feasible Pareto set; Pareto set                                           fixed confidence  any sampling
//	MDAPT                   feasible set                                                              fixed confidence  any sampling
//	TFLUCB                  best feasible items by a weighted sum                                     fixed confidence  any sampling
//	APE                     Pareto set; feasible Pareto set; best item                                fixed confidence  any sampling
//	GEGEFixedConfidence     Pareto set                                                                fixed confidence  own rounds
//	GEGEFixedBudget         Pareto set                                                                fixed budget      own rounds
//	EGESR                   Pareto set                                                                fixed budget      own rounds
//	EGESH                   Pareto set                                                                fixed budget      own rounds
//	UniformBudget           Pareto set                                                                fixed budget      own rounds
//	AuerRacing              Pareto set                                                                fixed confidence  own rounds
//	PAL                     Pareto set                                                                fixed confidence  any sampling
//	PFIwR                   Pareto set                                                                fixed confidence  any sampling
//	Sparing                 Pareto set                                                                fixed confidence  any sampling
//	PSIPS                   Pareto set                                                                fixed confidence  own rounds
//	RAGE                    best item                                                                 fixed confidence  own rounds
//	BettingElimination      best item                                                                 fixed confidence  own rounds
//	BettingPareto           Pareto set                                                                fixed confidence  own rounds
//	BettingFeasible         feasible Pareto set; feasible set; best feasible items by a weighted sum  fixed confidence  own rounds
//	BettingAllEpsilon       all epsilon-best items                                                    fixed confidence  own rounds
//	XYStatic                best item                                                                 fixed confidence  own rounds
//	XYOracle                best item                                                                 fixed confidence  own rounds
//	XYAdaptive              best item                                                                 fixed confidence  own rounds
//	GAllocation             best item                                                                 fixed confidence  own rounds
//	ALBA                    best item                                                                 fixed confidence  own rounds
//	LinGapE                 best item                                                                 fixed confidence  any sampling
//	LinGame                 best item                                                                 fixed confidence  any sampling
//	LazyTrackAndStop        best item                                                                 fixed confidence  any sampling
//	FWS                     best item                                                                 fixed confidence  any sampling
//	ODLinBAI                best item                                                                 fixed budget      own rounds
//	GSE                     best item                                                                 fixed budget      own rounds
//	PEACE                   best item                                                                 fixed budget      own rounds
//	LinFACT                 all epsilon-best items                                                    fixed confidence  own rounds
//	LinFACTMIS              all epsilon-best items                                                    fixed confidence  own rounds
//	LinFACTGLM              all epsilon-best items                                                    fixed confidence  own rounds
//	AllEpsilonGame          all epsilon-best items                                                    fixed confidence  any sampling
//	GStatic                 all epsilon-best items                                                    fixed confidence  own rounds
//	LinGIFA                 all epsilon-best items                                                    fixed confidence  any sampling
//	MLinGapE                all epsilon-best items                                                    fixed confidence  any sampling
//	LazyThreshold           all epsilon-best items                                                    fixed confidence  any sampling
//	BayesGap                all epsilon-best items                                                    fixed budget      own rounds
//	KGCB                    all epsilon-best items                                                    fixed budget      own rounds
//	ST2                     all epsilon-best items                                                    fixed confidence  any sampling
//	EAST                    all epsilon-best items                                                    fixed confidence  any sampling
//	FAREAST                 all epsilon-best items                                                    fixed confidence  own rounds
//	AllEpsilonTrackAndStop  all epsilon-best items                                                    fixed confidence  any sampling
//	LUCB                    best item                                                                 fixed confidence  any sampling
//	UGapE                   best item                                                                 fixed confidence  any sampling
//
// Fixed-confidence policies stop by themselves, and their answer is right with
// probability at least 1 - Delta with the default settings, which are those of a
// theorem. Their answers explain themselves: see [explore.Reason].
// Fixed-budget policies have a Budget instead of Delta; they never exceed it,
// and certify nothing.
//
// A policy is a struct literal. Its exported fields are settings whose zero
// values are the defaults stated with them; [explore.Run] and
// [explore.NewSession] start it. A policy value makes one run at a time and may
// be used again for the next.
package policy
