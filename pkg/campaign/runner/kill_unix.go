//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// killGroup puts the command into its own process group, so that its children are killed with it.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
