// Package ecape reproduces section 5 of "Constrained Pareto Set Identification
// with Bandit Feedback" (Kone, Kaufmann and Richert): e-cAPE, the two-stage
// baseline, racing and uniform sampling on two clinical trials, at delta = 0.1.
// [Experiments] lists those of its appendix G: polyhedra in three dimensions,
// the cost of explanations, instances hard for racing, and runtime.
//
// README.md says what the paper leaves open and which value is taken here.
package ecape
