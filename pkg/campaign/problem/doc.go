// Package problem reads problem files: the candidates of a campaign, what is measured in which
// units, how noisy it is, and the question.
//
//	p, err := problem.Read("coupling.toml")
//	c, err := p.Compile()
//	batch, err := c.Batch(p.Candidate("B01"), []float64{66.2, 2.3}) // results in the user's units
//
// A [Problem] is such a file in TOML with its tables, in the user's units. [Problem.Compile]
// converts it for policies, which see standardised rewards: larger is better in each, and noise has
// scale 1. A [Compiled] converts measurements to rewards, and estimates, margins and reasons back.
// No other package changes signs or units.
//
// [Problem.Canonical] returns the bytes that identify a problem: everything that affects the
// policy. Two problems belong to the same campaign if and only if these bytes are equal.
//
// Only [Read] opens files. [Parse] takes a function that opens them, so that it also works in a
// browser.
package problem
