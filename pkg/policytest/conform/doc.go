// Package conform has the rules of package policytest without package testing, so that a program can
// check a policy: "purexp policytest" does.
package conform
