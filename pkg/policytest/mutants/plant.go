package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An outcome is what became of a fault.
type outcome string

const (
	died     outcome = "died"
	survived outcome = "survived"
	// the tests ran into the limit: the fault makes something endless
	timedOut outcome = "timed out"
)

// outcomes are all of them, as the table shows them.
var outcomes = []outcome{died, survived, timedOut}

// A finding is how tests ended.
type finding struct {
	outcome outcome
	tests   []string      // that failed
	cpu     time.Duration // processor time, compiler and linker included
}

// A planter runs tests of the module in root, with and without faults.
type planter struct {
	root  string
	limit time.Duration // of one run of tests
}

// plant runs the suites of f with the fault in place until one fails. The tree stays as it is: the
// compiler sees the faulty file through an overlay.
func (p *planter) plant(ctx context.Context, f *fault) (all finding, err error) {
	file := filepath.Join(p.root, filepath.FromSlash(f.file))
	right, err := os.ReadFile(file)
	if err != nil {
		return all, err
	}
	wrong, err := replace(string(right), f.old, f.new)
	if err != nil {
		return all, fmt.Errorf("%s: %s %w", f.source, f.file, err)
	}
	dir, err := os.MkdirTemp("", "fault")
	if err != nil {
		return all, err
	}
	defer os.RemoveAll(dir)
	faulty, overlay := filepath.Join(dir, filepath.Base(file)), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: faulty}})
	if err == nil {
		err = errors.Join(os.WriteFile(faulty, []byte(wrong), 0o666),
			os.WriteFile(overlay, list, 0o666))
	}
	if err != nil {
		return all, err
	}
	for _, s := range f.tests {
		one, err := p.test(ctx, s, p.limit, "-overlay", overlay)
		if err != nil {
			return all, fmt.Errorf("%s: fault %q: %w", f.source, f.name, err)
		}
		all = finding{one.outcome, one.tests, all.cpu + one.cpu}
		if one.outcome != survived {
			break
		}
	}
	return all, nil
}

// sound returns an error if a suite fails without a fault (it would seem to find every one), has
// no tests (it would find none), or takes so long that a fault could not be told from a machine
// that is busy.
func (p *planter) sound(ctx context.Context, s suite) error {
	found, err := p.test(ctx, s, p.limit/3)
	switch {
	case err != nil:
		return err
	case found.outcome == timedOut:
		return fmt.Errorf("go test %s: more than a third of the limit of %v without a fault; "+
			"choose fewer tests or a longer -limit", s, p.limit)
	case found.outcome == died:
		return fmt.Errorf("go test %s: tests fail without a fault: %s", s,
			strings.Join(found.tests, ", "))
	}
	return nil
}

var (
	failed   = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	panicked = regexp.MustCompile(`(?m)^(panic: |fatal error: )`)
)

// test runs a suite.
func (p *planter) test(ctx context.Context, s suite, limit time.Duration,
	flags ...string) (found finding, err error) {
	args := []string{"test", "-vet=off", "-short", "-failfast", "-p", "1", "-timeout",
		limit.String()}
	args = slices.Concat(args, flags, s)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = p.root
	cmd.WaitDelay = 10 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	b, err := cmd.CombinedOutput()
	out := string(b)
	if state := cmd.ProcessState; state != nil {
		found.cpu = state.UserTime() + state.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return found, ctx.Err()
	case strings.Contains(out, "[no tests to run]") || strings.Contains(out, "[no test files]"):
		return found, fmt.Errorf("go test %s: no tests to run", s)
	case err == nil:
		found.outcome = survived
	case strings.Contains(out, "panic: test timed out after "):
		found.outcome = timedOut
	default:
		found.outcome, found.tests = died, failures(out)
		if len(found.tests) == 0 {
			return found, fmt.Errorf("go test %s: the tests did not run:\n%s", s, out)
		}
	}
	return found, nil
}

// failures returns the tests that failed, by what go test printed, without those whose subtests
// did.
func failures(out string) (tests []string) {
	for _, f := range failed.FindAllStringSubmatch(out, -1) {
		tests = append(tests, f[1])
	}
	tests = slices.DeleteFunc(tests, func(s string) bool {
		return slices.ContainsFunc(tests, func(o string) bool {
			return strings.HasPrefix(o, s+"/")
		})
	})
	if len(tests) == 0 && panicked.MatchString(out) {
		tests = append(tests, "(panic)")
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}
