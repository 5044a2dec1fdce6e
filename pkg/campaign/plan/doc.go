// Package plan says how many measurements a campaign will take, before the first one is made: it
// simulates the person's own table, with means that the person guesses or that a pilot estimates.
//
// [Simulate] runs the methods that can answer the question, and variants of the question: another
// tolerance, error probability, plate or bound. Each row of a [Plan] has the median and the 90 %
// point of measurements, plates and days, how often the answer was wrong with exact limits, and
// where the measurements went. Before it simulates it looks up what no method can beat, and says
// plainly where a question is hopeless. [Remaining] is the same for a campaign that is under way.
//
// A run is a deterministic function of the problem, the options and the number of the run, whatever
// the number of processors. The package opens no files and compiles for browsers; [Options] has
// what progress is reported to, and a context stops it.
//
// # How a run is sped up
//
// A run of 10^6 measurements is not simulated one by one. The policy is asked for a plate, and once
// it has n measurements each well of the plate stands for n/(64 wells) of them: it is told the sum
// of so many. Sums are drawn exactly. What is rounded up is less than 2 % of the measurements; runs
// of fewer than 128 plates are simulated as they are. Methods whose guarantee is about their own
// rounds ask for whole rounds, which are never split.
package plan
