package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
)

// Flags of the two modes of run exclude one another, and the size of a plate must be positive.
func TestCampaignRunFlags(t *testing.T) {
	dir := dueling(t)
	for args, want := range map[string]string{
		"--folder f --jobs 2":                                   "--jobs is for commands that make one measurement",
		"--folder f --limit 2":                                  "--limit is for",
		"--folder f --retries 2":                                "--retries is for",
		"--folder f --table t.csv":                              "--table is for",
		"--folder f --plate -1":                                 "--plate or --timeout is out of range; expected 1 to 10000 for --plate, and a positive --timeout such as 2m",
		"--folder f --timeout 0s":                               "--plate or --timeout is out of range; expected 1 to 10000 for --plate, and a positive --timeout such as 2m",
		fmt.Sprint("--folder f --plate ", campaign.MostAsked+1): "--plate or --timeout is out of range; expected 1 to 10000 for --plate, and a positive --timeout such as 2m",
		"--folder f --exec {x}":                                 "unknown placeholder",
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

// The golden file lists the commands, one per line, with their flags and defaults. Every command and every flag has a
// description.
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
