package cell

import (
	"os"
	"runtime/debug"
)

// A cell is a program that usually runs for a second, so collecting garbage is not worth the time.
// The heap may grow to 1 GiB first.
func init() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}
