//go:build !unix

package runner

import "os/exec"

// killGroup does nothing on this system; cancelling a command kills the command itself, but not its
// child processes.
func killGroup(*exec.Cmd) {}
