//go:build !unix

package wire

import "os/exec"

func own(*exec.Cmd) {}

func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
