//go:build !unix

package runner

import "os/exec"

// killGroup does nothing on this system: cancelling a command kills only the command, not its
// children.
func killGroup(*exec.Cmd) {}
