// Package policy holds the algorithms, one file each, named as in their paper. What
// each is, and which measurements its guarantee allows ([Sampling]), in a table that is
// generated from [Catalogue] by go generate:
//
//	policy                  question                                                          kind              evidence
//	ECAPE                   feasible Pareto set, with reasons; Pareto set                     fixed confidence  any sampling
//	TwoStage                feasible Pareto set, with reasons; Pareto set                     fixed confidence  any sampling
//	ConstrainedRacing       feasible Pareto set, with reasons; Pareto set                     fixed confidence  any sampling
//	Uniform                 feasible Pareto set, with reasons; Pareto set                     fixed confidence  any sampling
//	GameCPSI                feasible Pareto set; Pareto set                                   fixed confidence  any sampling
//	ParetoTrackAndStop      feasible Pareto set; Pareto set                                   fixed confidence  any sampling
//	MDAPT                   feasible set                                                      fixed confidence  any sampling
//	TFLUCB                  best feasible items, by a weighted sum                            fixed confidence  any sampling
//	ConstrainedTopTwo       best feasible item, by a weighted sum                             fixed confidence  any sampling
//	APE                     Pareto set, exact or relaxed                                      fixed confidence  any sampling
//	GEGEFixedConfidence     Pareto set, exact or relaxed; linear or not                       fixed confidence  own rounds
//	GEGEFixedBudget         Pareto set; linear or not                                         fixed budget      own rounds
//	EGESR                   Pareto set                                                        fixed budget      own rounds
//	EGESH                   Pareto set                                                        fixed budget      own rounds
//	UniformBudget           Pareto set; linear or not                                         fixed budget      own rounds
//	AuerRacing              Pareto set, exact or relaxed                                      fixed confidence  own rounds
//	PAL                     Pareto set, exact or relaxed; linear or not                       fixed confidence  any sampling
//	PFIwR                   Pareto set, exact or relaxed; linear or not, features may change  fixed confidence  any sampling
//	Sparing                 Pareto set, exact or relaxed; linear or not                       fixed confidence  any sampling
//	PSIPS                   Pareto set; linear or not                                         fixed confidence  own rounds
//	RAGE                    best item of a linear model                                       fixed confidence  own rounds
//	BettingElimination      best item of a linear model                                       fixed confidence  own rounds
//	XYStatic                best item of a linear model                                       fixed confidence  own rounds
//	XYOracle                best item of a linear model                                       fixed confidence  own rounds
//	XYAdaptive              best item of a linear model                                       fixed confidence  own rounds
//	GAllocation             best item of a linear model                                       fixed confidence  own rounds
//	ALBA                    best arm of a linear model                                        fixed confidence  own rounds
//	LinGapE                 best item of a linear model                                       fixed confidence  any sampling
//	LinGame                 best item of a linear model                                       fixed confidence  any sampling
//	LazyTrackAndStop        best item of a linear model                                       fixed confidence  any sampling
//	FWS                     best item of a linear model                                       fixed confidence  any sampling
//	ODLinBAI                best arm of a linear model                                        fixed budget      own rounds
//	GSE                     best arm of a linear model                                        fixed budget      own rounds
//	PEACE                   best item of a linear model                                       fixed budget      own rounds
//	LinFACT                 all epsilon-best arms of a linear model                           fixed confidence  own rounds
//	LinFACTMIS              all epsilon-best arms of a linear model, up to deviations         fixed confidence  own rounds
//	LinFACTGLM              all epsilon-best arms of a generalised linear model               fixed confidence  own rounds
//	AllEpsilonGame          all epsilon-best items of a linear model                          fixed confidence  any sampling
//	GStatic                 all epsilon-best arms of a linear model                           fixed confidence  own rounds
//	LinGIFA                 top m arms of a linear model, for all epsilon-best ones           fixed confidence  any sampling
//	MLinGapE                top m arms of a linear model, for all epsilon-best ones           fixed confidence  any sampling
//	LazyThreshold           arms of a linear model above a level, for all epsilon-best ones   fixed confidence  any sampling
//	BayesGap                all epsilon-best arms of a linear model                           fixed budget      own rounds
//	KGCB                    all epsilon-best arms of a linear model                           fixed budget      own rounds
//	ST2                     all epsilon-best arms                                             fixed confidence  any sampling
//	EAST                    all epsilon-best arms                                             fixed confidence  any sampling
//	FAREAST                 all epsilon-best arms                                             fixed confidence  own rounds
//	AllEpsilonTrackAndStop  all epsilon-best arms                                             fixed confidence  any sampling
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
