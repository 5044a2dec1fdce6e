// Package problem reads the file in which a person says what a campaign is about: which candidates
// there are, what is measured of each and in which units, how noisy that is, and what is asked.
//
// A [Problem] is that file in TOML with its tables, in the person's units: yields in per cent,
// costs in euros, larger or smaller is better. [Problem.Compile] translates it for policies, which
// see standardised rewards: larger is better in each, and the noise has scale 1. A [Compiled] takes
// measurements in and gives estimates, margins and explanations out; nobody else flips a sign.
//
// [Problem.Canonical] returns the bytes that identify a problem: everything that a policy is given.
// Two files with the same canonical bytes are the same campaign; any other problem is another one.
//
// The package reads no file by itself but in [Read]: [Parse] is given a function that opens them,
// so that it works in a browser, too.
package problem
