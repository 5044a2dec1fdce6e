//go:build unix

package runner

import (
	"os/exec"
	"syscall"
)

// killGroup makes the command the head of a group of processes, all of which are killed with it: a
// shell script's children, too.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
