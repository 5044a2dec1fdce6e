//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// killGroup configures the command to start in its own process group, so that cancelling kills the
// command with its child processes.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
