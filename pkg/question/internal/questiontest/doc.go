// Package questiontest is for the tests of questions, of their alternatives and of their
// complexities: it makes random problems, and computes by brute force what the answers should be.
package questiontest
