package cell

import (
	"os"
	"runtime/debug"
)

// A cell is a program that usually runs for about a second, so garbage collection rarely pays off.
// Therefore, garbage is collected only when the heap reaches 1 GiB.
func init() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
}
