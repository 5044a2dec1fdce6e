// Package oracle makes random problems for the tests of questions, of their alternatives
// and of their complexities, and computes by brute force what the answers should be.
package oracle
