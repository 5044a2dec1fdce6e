// Package arena compares all policies on the same problems: forty instances with names, for four
// questions, half of which were fixed before any method of this project was run on them.
package arena
