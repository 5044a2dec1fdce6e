// Command mutants shows that the tests can fail: it plants one fault after the other, runs the
// tests that are to find it, and prints how many faults of each package died. It exits with 1 if
// one survives.
//
//	go run ./pkg/policytest/mutants                  # all faults
//	go run ./pkg/policytest/mutants -run 'radius'    # those whose name or file matches
//	go run ./pkg/policytest/mutants -list            # lists them
//	go run ./pkg/policytest/mutants -resume          # without those that died before
//
// Faults are in the files of the folder faults, a list for each package; parse says how they are
// written. The compiler sees a faulty file through an overlay, so that the tree stays as it is and
// all other packages come from the build cache.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// module returns the root of the module.
func module() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

func run(ctx context.Context, args []string) error {
	set := flag.NewFlagSet("mutants", flag.ExitOnError)
	only := set.String("run", "", "plant only faults whose name or file matches this `regexp`")
	list := set.Bool("list", false, "list the faults, with their files and tests, and plant none")
	jobs := set.Int("j", runtime.NumCPU(), "`faults` that are planted at the same time")
	limit := set.Duration("limit", 90*time.Second, "longest `time` of the tests of one fault")
	out := set.String("out", "",
		"`file` of results, a line of JSON for each fault (build/faults.jsonl)")
	resume := set.Bool("resume", false,
		"keep results of the file of faults that died, where neither fault, package nor tests "+
			"changed")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("argument %q; choose faults with -run REGEXP", set.Arg(0))
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if *jobs < 1 || *limit <= 0 {
		return fmt.Errorf("-j %d -limit %v: both must be positive", *jobs, *limit)
	}
	all, err := read(lists)
	if err != nil {
		return err
	}
	var faults []*fault
	for _, f := range all {
		if match.MatchString(f.name) || match.MatchString(f.file) {
			faults = append(faults, f)
		}
	}
	if len(faults) == 0 {
		return fmt.Errorf("no fault matches -run %q; -list names them all", *only)
	}
	if *list {
		for _, f := range faults {
			fmt.Printf("%s: %s\n", f.file, f.name)
			for _, s := range f.tests {
				fmt.Printf("\tgo test %s\n", s)
			}
		}
		return nil
	}
	root, err := module()
	if err != nil {
		return err
	}
	if *out == "" {
		*out = filepath.Join(root, "build", "faults.jsonl")
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o777); err != nil {
		return err
	}
	c := &campaign{planter{root, *limit}, *jobs, *out, os.Stderr, os.Stdout}
	return c.run(ctx, faults, *resume)
}
