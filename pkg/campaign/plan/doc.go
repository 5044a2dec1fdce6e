// Package plan predicts how many measurements a campaign will take by simulating the user's own
// problem, with guessed means or a pilot.
//
//	made, err := plan.Simulate(ctx, p, &plan.Options{Runs: 200}) // p is a *problem.Problem
//
// [Simulate] runs the methods that can answer the question, and variants of the question: another
// tolerance, error probability, plate or bound. Each row of a [Plan] has the median and the 90 %
// point of measurements, plates and days, the error rate with exact limits, and the effort for each
// candidate. It first computes lower bounds, and reports hopeless questions. [Remaining] does the
// same for a running campaign.
//
// A run is a deterministic function of the problem, the options and the number of the run, for any
// number of processors. The package opens no files and compiles for browsers. Package planview
// makes tables and figures of plans.
//
// # Large runs
//
// Runs with 10^6 measurements are not simulated one by one. When the policy has n measurements,
// each well of a plate stands for n/(64 wells) measurements, whose sum is drawn exactly. This
// rounds up by less than 2 %; runs with fewer than 128 plates are exact. Methods with a guarantee
// for their own rounds request whole rounds, which are never split.
package plan
