//go:build !unix

package sweepcmd

import "os"

// notifyLimit does nothing on systems without SIGUSR1.
func notifyLimit(chan<- os.Signal) {}
