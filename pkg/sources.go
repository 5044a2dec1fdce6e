// Package pkg embeds the sources of the packages on which rows of studies depend, so that a file of
// rows can state which code wrote it; see mc.Code.
package pkg

import "embed"

// Sources contains the Go files in the following folders.
//
//go:embed bandit/*.go dataset/*.go dataset/*/*.go design/*.go explore/*.go internal/*/*.go lsq/*.go mc/*.go
//go:embed pareto/*.go policy/*.go policy/internal/*/*.go polyhedron/*.go question/*.go
//go:embed question/*/*.go radius/*.go seed/*.go study/*.go study/*/*.go
var Sources embed.FS
