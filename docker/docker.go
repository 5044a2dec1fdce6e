// Package docker embeds the scripts that install the notebook kernel, and a starter notebook; the
// command purexp uses both.
package docker

import "embed"

// Files contains the setup script, the files for its steps jupyter, tools and kernel, and the
// notebook starter.ipynb.
//
//go:embed setup gonb-kernel gonb-go tools.mod tools.sum starter.ipynb
var Files embed.FS
