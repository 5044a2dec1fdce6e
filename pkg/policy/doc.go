// Package policy holds the algorithms, one file each, named as in their paper.
//
//	question                      policy
//	feasible Pareto set, reasons  ECAPE, TwoStage, ConstrainedRacing, Uniform
//	feasible set                  MDAPT
//	Pareto set                    APE (and, as the case without constraints, ECAPE,
//	                              TwoStage, ConstrainedRacing, Uniform)
//
// All are fixed-confidence policies: they stop by themselves, and their answer
// is right with probability at least 1 - Delta if the constants of a theorem
// ([radius.Theory], the default, or [radius.KaufmannKoolen]) are in use. Every
// answer explains itself: see [explore.Reason].
//
// A policy is a struct literal. Its exported fields are settings whose zero
// values are the defaults stated with them; [explore.Run] and
// [explore.NewSession] start it. A policy value plays one run at a time and may
// be used again for the next.
package policy
