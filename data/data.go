// Package data embeds the tables of published measurements, each in a folder of
// its own whose README.md states source, licence, units and checks. Package
// dataset reads them.
//
// The tables noc, snw and llvm are not among Files: they come from a package
// under the GPL and are read from this folder when they are asked for.
package data

import "embed"

// Files holds the tables whose licence lets them be compiled in.
//
//go:embed secukinumab covboost energy freewilson
var Files embed.FS
