// Package plan predicts how many measurements a campaign will need. The package simulates the
// user's own problem with guessed means or with means from a pilot.
//
//	made, err := plan.Simulate(ctx, p, &plan.Options{Runs: 200}) // p is a *problem.Problem
//
// [Simulate] runs the methods that can answer the question, and variants of the question with
// another tolerance, error probability, plate size or bound. Each row of a [Plan] contains the
// median and the 90 % quantile of the numbers of measurements, plates and days. Each row also
// contains the error rate with exact confidence limits, and the number of measurements of each
// candidate. [Simulate] first computes lower bounds, and reports questions that no method can
// answer. [Remaining] predicts the rest of a running campaign.
//
// A simulated campaign is a deterministic function of the problem, the options and the campaign's
// number; it does not depend on the number of processors. Package plan opens no files and can be
// compiled for browsers. Package planview makes tables and figures of plans.
//
// # Large runs
//
// Runs can have 10^6 measurements, so package plan does not draw each measurement of a long run
// separately. After the policy has received n measurements, each simulated well stands for at most
// max(1, n/(64 w)) measurements, where w is the number of wells that are measured at the same time.
// The sum of the measurements is drawn exactly. Grouping overestimates the number of measurements
// by less than 2 %; runs with fewer than 128 plates are exact. If the guarantee of a method holds
// only for the method's own rounds, measurements are not grouped.
package plan
