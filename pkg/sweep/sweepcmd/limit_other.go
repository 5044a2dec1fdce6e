//go:build !unix

package sweepcmd

import "os"

// notifyLimit does nothing where there is no such signal.
func notifyLimit(chan<- os.Signal) {}
