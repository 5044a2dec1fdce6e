package sweepcmd_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

const sweeps = `
new
new doses
new doses big
new doses big --shards 0
new doses big --shards 7 --reps 6
new doses big --shards 3 --reps 6 --seed 0
new doses big --shards 3 --reps 6 --profile nothing.toml
new doses big --shards 3 --reps 6 --profile wrong.toml
new doses big --shards 3 --reps 6 --program nothing
new doses big --shards 3 --reps 6 --profile cluster.toml
new doses big --shards 3 --reps 6
profile
status
status nothing
status big
status big --json
run big
run big 0
run big 4
run big x
run big 1 --workers -1
run big 1 --workers 1
run big 1 --workers 1
status big
merge big
merge big --output all.jsonl
run big 2
run big 3
status big
merge big --output all.jsonl
merge big --output all.jsonl
merge
merge nothing --output x.jsonl
new doses small --shards 1 --reps 2 --seed 9
run small 1
status small
merge big small --output both.jsonl
submit nothing
retry nothing
cut big/shards/0001-of-0003.jsonl
status big
merge big --output more.jsonl
run big 1
status big
merge big --output more.jsonl
`

var drawn = regexp.MustCompile(`purexp-doses-[a-z0-9]+`)

// Commands of sweeps print what they printed when somebody read it, and end with the same exit codes.
func TestScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: errors of files are others there")
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PATH", dir) // no Slurm, also where there is one
	for name, text := range map[string]string{"wrong.toml": "partitions = 3\n", "cluster.toml": "cpus = 2\nmemory = \"2G\"\ntime = \"1:00:00\"\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var all strings.Builder
	for line := range strings.Lines(strings.TrimSpace(sweeps)) {
		args := strings.Fields(line)
		if args[0] == "cut" { // a file of rows that lost its end
			info, err := os.Stat(args[1])
			if err == nil {
				err = os.Truncate(args[1], info.Size()-9)
			}
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		var out, errs bytes.Buffer
		code := sweepcmd.Run(t.Context(), doses, args, &out, &errs)
		fmt.Fprintf(&all, "$ %s\n%s", strings.TrimSpace(line), &out)
		for text := range strings.Lines(errs.String()) {
			if strings.Contains(text, "runs") { // how far it is
				continue
			}
			fmt.Fprintf(&all, "error: %s", text)
		}
		if code != 0 {
			fmt.Fprintf(&all, "exit code %d\n", code)
		}
	}
	host, _ := os.Hostname()
	text := strings.NewReplacer(dir, "DIR", host, "HOST").Replace(all.String())
	t.Chdir(home)
	golden.Parts(t, "script.txt", drawn.ReplaceAllString(text, "purexp-doses-NAME"), `^\$ .*`)
}
