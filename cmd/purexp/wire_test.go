package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/wire"
)

// The file given by --problem may contain a problem or an exported instance.
func TestPolicyProblem(t *testing.T) {
	const problem = `{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}`
	for _, c := range []struct{ text, want string }{
		{problem, ""},
		{`{"name":"two arms","question":"best item","problem":` + problem + `}`, ""},
		{`{"name":"two arms","question":"best item"}`, "question"},
		{`{"problem":{"arms":0}}`, "problem.arms: 0"},
	} {
		file := filepath.Join(t.TempDir(), "problem.json")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := withProblem(strings.NewReader(`{"type":"init","protocol":1,"delta":0.1}`), file)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.text, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if said, err := io.ReadAll(in); err != nil || !strings.Contains(string(said), `"arms":2`) {
			t.Errorf("%s: %s, %v", c.text, said, err)
		}
	}
}

// An interrupt ends a policy that waits for its host, and ends a suite whose guest does not answer.
func TestWireInterrupted(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	for _, c := range []struct {
		cmd  *cobra.Command
		args []string
	}{{newPolicy(), []string{"LUCB"}}, {newPolicytest(), []string{"--exec", "sleep 60", "--quiet-exec"}}} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		c.cmd.SetArgs(c.args)
		c.cmd.SetIn(in)
		c.cmd.SetOut(io.Discard)
		c.cmd.SetErr(io.Discard)
		begin := time.Now()
		if err := c.cmd.ExecuteContext(ctx); err == nil || time.Since(begin) > 25*time.Second {
			t.Errorf("%s: %v after %v", c.cmd.Name(), err, time.Since(begin))
		}
	}
}

// The standard error of a command is shown, unless --quiet-exec is set.
func TestGuestsAreHeard(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: there is no sh")
	}
	for _, quiet := range []bool{false, true} {
		cmd := newPolicytest()
		var log strings.Builder
		cmd.SetArgs([]string{"--exec", "sh -c 'echo oops >&2; exit 1'", fmt.Sprintf("--quiet-exec=%v", quiet)})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetOut(io.Discard)
		cmd.SetErr(&log)
		if err := cmd.ExecuteContext(t.Context()); err == nil || strings.Contains(log.String(), "oops") == quiet {
			t.Errorf("quiet %v: %v, and shows %q", quiet, err, log.String())
		}
	}
}

// forgets is a policy that requests no pulls.
type forgets struct{ policy.LUCB }

func (*forgets) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }

// The suite reports how many rules the policy satisfies, which rules it violates, and how many runs on a difficult
// problem may be wrong.
func TestPolicytestSays(t *testing.T) {
	for _, c := range []struct {
		new  func() explore.Policy
		want []string
		err  error
	}{
		{func() explore.Policy { return &policy.LUCB{Delta: .1} },
			[]string{"best item: the policy satisfies 16 of 16 rules", "of 20 runs gave a wrong answer", "delta = 0.1 allows 10"}, nil},
		{func() explore.Policy { return &forgets{} }, []string{"best item: the policy satisfies 12 of 16 rules\n", "\n  noise-free: ", "\n  error rate: above delta\n"}, errConform},
	} {
		cmd := newPolicytest()
		var out strings.Builder
		cmd.SetContext(t.Context())
		cmd.SetOut(&out)
		if err := policytest(cmd, c.new, .1, 20); !errors.Is(err, c.err) {
			t.Errorf("%v; want %v", err, c.err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s\nwant %q", out.String(), want)
			}
		}
	}
}

// If the Init of a guest fails, the run fails in its first round, and the study continues.
func TestEntrantFailsInItsRun(t *testing.T) {
	pool := wire.NewPool(wire.Options{Command: []string{"/no/such/program"}})
	defer pool.Close()
	e := &entrant{Guest: pool.Guest(.1)}
	p := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Best{}}
	if err := e.Init(p, rand.NewPCG(1, 1)); err != nil {
		t.Errorf("Init: %v", err)
	}
	if _, err := e.Ask(nil); err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("Ask: %v", err)
	}
}

// Without --name, a guest is named after its command. The guest gets the error probability of each task.
func TestGuestsHaveNames(t *testing.T) {
	pool := wire.NewPool(wire.Options{Command: []string{"/no/such/program"}})
	defer pool.Close()
	g := guestFlag{exec: "python3 mine.py"}
	for name, want := range map[string]string{"": "python3 mine.py", "mine": "mine"} {
		m := g.method(pool, name)
		if m.Name != want || m.Constants != arena.Guaranteed {
			t.Errorf("%q: %+v", name, m)
		}
		for _, delta := range []float64{.1, .05} {
			if guest := m.New(study.Task{Delta: delta}).(*entrant).Guest; guest.Delta != delta || guest.Budget != 0 {
				t.Errorf("delta %v: the guest has %v and a budget of %d", delta, guest.Delta, guest.Budget)
			}
		}
		light(t)
		e, err := named("ecape")
		if err != nil {
			t.Fatal(err)
		}
		grid, err := e.Grid(study.Options{Reps: 1})
		if err != nil {
			t.Fatal(err)
		}
		own := len(grid.Cells)
		if err := g.join(grid, pool, name); err != nil || len(grid.Cells) == own || grid.Cells[own].Method.Name != want {
			t.Errorf("%q joins %d cells: %v", name, len(grid.Cells)-own, err)
		}
	}
}

// Impossible settings are rejected before the command is executed. The command is split into words as in a shell.
func TestPolicytestRefuses(t *testing.T) {
	for _, c := range []struct{ flag, value, says string }{
		{"runs", "0", "--runs is 0 and --delta is 0.1; expected at least 1 run"}, {"runs", "-1", "--runs is -1"}, {"delta", "0", "--delta is 0; expected"},
		{"delta", "1", "--delta is 1; expected"}, {"delta", "-0.1", "--delta is -0.1; expected"}, {"delta", "NaN", "--delta is NaN; expected"},
		{"exec", "", "--exec is \"\"; expected a command"}, {"exec", " ", "--exec is \" \"; expected"}, {"exec", "a 'b", "--exec is \"a 'b\"; expected"},
	} {
		args := []string{"policytest", "--exec=/no/such/program", "--" + c.flag + "=" + c.value}
		if _, errs, code := purexp(t, t.TempDir(), args...); code != exitUsage || !strings.Contains(errs, c.says) {
			t.Errorf("%q: %d, %s; want %s", args, code, errs, c.says)
		}
	}
}
