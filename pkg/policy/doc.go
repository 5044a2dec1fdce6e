// Package policy holds the algorithms, one file each, named as in their paper.
//
//	question                      policy
//	feasible Pareto set, reasons  ECAPE, TwoStage, ConstrainedRacing, Uniform
//	feasible Pareto set           GameCPSI (and those above)
//	feasible set                  MDAPT
//	best feasible item            TFLUCB (or the best several), ConstrainedTopTwo
//	Pareto set                    APE (and, as the case without constraints, ECAPE,
//	                              TwoStage, ConstrainedRacing, Uniform, GameCPSI),
//	                              AuerRacing
//	the same, linear model        GEGEFixedConfidence, PAL, PSIPS
//	the same, fixed budget        GEGEFixedBudget (linear), EGESR, EGESH, UniformBudget
//	best item, linear model       RAGE, XYStatic, XYAdaptive, GAllocation, LinGapE,
//	                              LinGame, LazyTrackAndStop, FWS; XYOracle as yardstick
//	best arm, linear model        ALBA
//	the same, fixed budget        PEACE (items), ODLinBAI, GSE (arms)
//
// Fixed-confidence policies stop by themselves, and their answer is right with
// probability at least 1 - Delta with the default settings, which are those of a
// theorem. Their answers explain themselves: see [explore.Reason].
// Fixed-budget policies have a Budget instead of Delta; they never exceed it,
// and certify nothing.
//
// A policy is a struct literal. Its exported fields are settings whose zero
// values are the defaults stated with them; [explore.Run] and
// [explore.NewSession] start it. A policy value plays one run at a time and may
// be used again for the next.
package policy
