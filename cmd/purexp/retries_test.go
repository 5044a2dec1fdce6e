package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
)

// A command that fails is executed again once by default, and never with --retries 0; no
// more measurements are begun than the limit.
func TestCampaignRunRetries(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("skipped: no /bin/sh here")
	}
	for _, c := range []struct{ retries, limit, want int }{{0, 1, 1}, {-1, 1, 2}, {0, 3, 3}} {
		dir := dueling(t)
		log := filepath.Join(t.TempDir(), "log")
		args := []string{"campaign", "run", "--exec", fmt.Sprintf("/bin/sh -c 'echo x >> %s; exit 1'", log),
			"--limit", strconv.Itoa(c.limit)}
		if c.retries >= 0 {
			args = append(args, "--retries", strconv.Itoa(c.retries))
		}
		_, errs, _ := purexp(t, dir, args...)
		text, err := os.ReadFile(log)
		if n := bytes.Count(text, []byte("x")); err != nil || n != c.want {
			t.Errorf("%d retries, %d measurements: %d executions, %v; want %d\n%s", c.retries, c.limit, n, err,
				c.want, errs)
		}
	}
}

// Flags of the two ways to run exclude one another, and plates have a size.
func TestCampaignRunFlags(t *testing.T) {
	dir := dueling(t)
	for args, want := range map[string]string{
		"--folder f --jobs 2":                                   "--jobs is for commands that make one measurement",
		"--folder f --limit 2":                                  "--limit is for",
		"--folder f --retries 2":                                "--retries is for",
		"--folder f --table t.csv":                              "--table is for",
		"--folder f --plate -1":                                 "--plate and --timeout are positive",
		"--folder f --timeout 0s":                               "--plate and --timeout are positive",
		fmt.Sprint("--folder f --plate ", campaign.MostAsked+1): "--plate and --timeout are positive",
		"--folder f --exec {x}":                                 "no such placeholder",
		"--exec a --limit -1":                                   "at least 0",
		"--exec a --timeout 0s":                                 "positive",
	} {
		_, errs, code := purexp(t, dir, append([]string{"campaign", "run"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("run %s: %d %s; want %q", args, code, errs, want)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "f")); err == nil {
		t.Errorf("a run that was refused left a folder with %d files", len(entries))
	}
}

// Where more is worth measuring only when others have told, --no-wait ends a run with a code of its own.
func TestCampaignRunNoWait(t *testing.T) {
	dir := t.TempDir() // of a method with rounds of its own
	text := strings.Replace(duel, "[candidates]", "[method]\nname = \"LinFACT\"\n[candidates]", 1)
	put(t, dir, "duel.toml", strings.Replace(text, `find = "best"`, `find = "good"`, 1)+"tolerance = 0.01\n")
	works(t, dir, "new", "duel.toml")
	waits := false
	for range 100 {
		_, _, code := purexp(t, dir, "campaign", "ask", "--plate", "10000", "--as", "others")
		waits = waits || code == exitWait
	}
	if !waits {
		t.Fatal("there is always more to measure")
	}
	for _, args := range [][]string{{"--exec", "echo 1"}, {"--folder", "f"}} {
		out, errs, code := purexp(t, dir, append([]string{"campaign", "run", "--no-wait"}, args...)...)
		if code != exitWait {
			t.Errorf("%v: %d; want %d\n%s%s", args, code, exitWait, out, errs)
		}
	}
}

// Commands with their flags and the defaults of these, a line each; each says what it is for.
func TestHelp(t *testing.T) {
	var all strings.Builder
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "completion" {
			return
		}
		fmt.Fprintf(&all, "%s:", strings.TrimPrefix(c.UseLine(), "purexp "))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			fmt.Fprintf(&all, " --%s %s %q;", f.Name, f.Value.Type(), f.DefValue)
			if f.Usage == "" {
				t.Errorf("%s: --%s is not explained", c.CommandPath(), f.Name)
			}
		})
		fmt.Fprintln(&all)
		if c.Short == "" && c.HasParent() {
			t.Errorf("%s does not say what it is for", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	golden.Check(t, "help.txt", all.String())
}
