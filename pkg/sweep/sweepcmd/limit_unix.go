//go:build unix

package sweepcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyLimit relays SIGUSR1 to c; Slurm sends SIGUSR1 to announce the time limit.
func notifyLimit(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }
