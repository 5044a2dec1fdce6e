//go:build !unix

package runner

import "os/exec"

// killGroup does nothing on this system: if a command is cancelled, only the command is killed, not
// its children.
func killGroup(*exec.Cmd) {}
