// Package data embeds the tables of published measurements, each in a folder of
// its own whose README.md states source, licence, units and checks. Package
// dataset reads them.
package data

import "embed"

// Files holds the tables whose licence lets them be compiled in.
//
//go:embed secukinumab covboost
var Files embed.FS
