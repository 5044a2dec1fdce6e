// Package docker embeds the scripts that install the notebook kernel, and a starter notebook, for
// the command purexp.
package docker

import "embed"

// Files holds the script setup, the files that its steps jupyter, tools and kernel need, and
// starter.ipynb.
//
//go:embed setup gonb-kernel gonb-go tools.mod tools.sum starter.ipynb
var Files embed.FS
