// Package docker has the scripts that install the kernel of notebooks, and a starter notebook, for the command purexp.
package docker

import "embed"

// Files are setup and what it needs for the steps jupyter, tools and kernel, and starter.ipynb.
//
//go:embed setup gonb-kernel gonb-go tools.mod tools.sum starter.ipynb
var Files embed.FS
