// Package plan predicts how many measurements a campaign will need. Package plan simulates the
// user's own problem with guessed means or with the means of a pilot.
//
//	made, err := plan.Simulate(ctx, p, &plan.Options{Runs: 200}) // p is a *problem.Problem
//
// [Simulate] runs the methods that can answer the question, and variants of the question with
// another tolerance, error probability, plate or bound. Each row of a [Plan] has the median and the
// 90 % point of measurements, plates and days. A row also has the error rate with exact limits, and
// the measurements of each candidate. [Simulate] first computes lower bounds, and reports questions
// that no method can answer. [Remaining] predicts the rest of a running campaign.
//
// A simulated campaign is a deterministic function of the problem, the options and the number of
// the campaign, whatever the number of processors. Package plan opens no files and compiles for
// browsers. Package planview makes tables and figures of plans.
//
// # Large runs
//
// Package plan does not simulate runs of 10^6 measurements one measurement at a time. After the
// policy has received n measurements, each well of a plate represents n/(64 wells) measurements,
// whose sum is drawn exactly. Grouping overestimates the number of measurements by less than 2 %;
// runs with fewer than 128 plates are exact. Methods whose guarantee holds only for their own
// rounds receive whole rounds, which are never split.
package plan
