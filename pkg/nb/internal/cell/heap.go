package cell

import (
	"os"
	"runtime/debug"
)

// A cell is a program of a second, which ends before it is worth while to collect its garbage:
// the heap may grow to a size that every machine has.
func init() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}
