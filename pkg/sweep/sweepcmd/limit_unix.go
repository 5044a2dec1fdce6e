//go:build unix

package sweepcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyLimit relays SIGUSR1, by which Slurm announces the time limit, to c.
func notifyLimit(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }
