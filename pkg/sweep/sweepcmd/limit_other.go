//go:build !unix

package sweepcmd

import "os"

func notifyLimit(chan<- os.Signal) {}
