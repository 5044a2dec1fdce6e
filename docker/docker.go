// Package docker has the scripts that install the kernel of notebooks, for the command purexp.
package docker

import "embed"

// Files are setup and what it needs for the steps tools and kernel.
//
//go:embed setup gonb-kernel gonb-go tools.mod tools.sum
var Files embed.FS
