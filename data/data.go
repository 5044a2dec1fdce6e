// Package data embeds tables of published measurements in the program. Each table has its own
// folder, whose README.md states the source, licence, units and checks. Package dataset reads the
// embedded tables.
//
// The tables noc, snw and llvm are not embedded, because their source is under the GPL. Package
// dataset reads the tables noc, snw and llvm from the folder data when they are needed.
package data

import "embed"

// Files contains the tables whose licence permits embedding.
//
//go:embed secukinumab covboost energy freewilson
var Files embed.FS
