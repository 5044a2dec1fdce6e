//go:build !unix

package runner

import "os/exec"

// killGroup keeps the default: only the command is killed, not its children.
func killGroup(*exec.Cmd) {}
