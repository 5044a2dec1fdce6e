// Package problem reads problem files. A problem file states the candidates of a campaign, the
// measured quantities and their units, the noise of measurements, and the question.
//
//	p, err := problem.Read("coupling.toml")
//	c, err := p.Compile()
//	batch, err := c.Batch(p.Candidate("B01"), []float64{66.2, 2.3}) // results in the user's units
//
// A [Problem] holds the contents of a TOML file and its tables, in the user's units.
// [Problem.Compile] converts a problem for policies, which receive standardised rewards: larger is
// better, and the noise has scale 1. A [Compiled] converts measurements to rewards, and converts
// estimates, margins and reasons back to the user's units. No other package changes signs or units.
//
// [Problem.Canonical] returns bytes that identify a problem; they contain everything that affects
// the policy. Two problems belong to the same campaign if and only if their canonical bytes are
// equal.
//
// Only [Read], [ReadFile] and [OpenFile] open files. [Parse] reads tables through a function that
// the caller provides, so that Parse also works in a browser. The package does not choose or store
// measurements: see package campaign.
package problem
