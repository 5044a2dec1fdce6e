// Package gege has the instances of "Bandit Pareto Set Identification in a
// Multi-Output Linear Model" (Kone, Kaufmann and Richert, AISTATS 2025), the GEGE
// paper, section 5: linear bandits with several objectives whose Pareto set is
// asked for.
//
// [Synthetic] and [NoC] return instances with their parameter Theta, h x d: the
// mean of an arm with features x is Theta'x; so does [SNW], which is not in the
// paper. The instance of appendix I.2 is dataset.Energy. What the paper leaves
// open is in the notes of the instances.
package gege
