//go:build unix

package sweepcmd

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyLimit hands the signal by which Slurm says that the time limit is near to c.
func notifyLimit(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }
