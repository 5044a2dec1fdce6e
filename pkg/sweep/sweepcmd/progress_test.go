package sweepcmd

import (
	"strings"
	"testing"
	"time"
)

// The log of a shard has a line at its beginning and at its end, with the number of the shard and how
// far it is; those in between are a minute apart.
func TestProgress(t *testing.T) {
	var b strings.Builder
	tell := progress(&b, 7)
	tell(1, 10, time.Second)
	tell(2, 10, 2*time.Second)
	tell(10, 10, 3*time.Second)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], " shard 7: 1 of 10 runs") || !strings.Contains(lines[1], " shard 7: 10 of 10 runs") {
		t.Errorf("%q; want lines for 1 and 10 of 10 runs of shard 7", lines)
	}
}
