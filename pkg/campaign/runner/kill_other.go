//go:build !unix

package runner

import "os/exec"

// killGroup leaves the default: the command is killed, what it started is not.
func killGroup(*exec.Cmd) {}
