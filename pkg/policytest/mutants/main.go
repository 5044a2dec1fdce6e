// Command mutants shows that the tests can fail: it plants one fault after the
// other in a copy of the tree, runs the tests of the packages concerned, and
// prints which of them die. It exits with 1 if a fault survives.
//
//	go run ./pkg/policytest/mutants           # all faults, a few minutes
//	go run ./pkg/policytest/mutants radius    # those whose name or file says so
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/tidy"
)

// A mutant replaces the first occurrence of old in file by new.
type mutant struct{ name, file, old, new string }

// mutants are the faults that a wrong constant, index or count would be.
var mutants = []mutant{
	{"radius 10 times too small", "pkg/radius/radius.go", "return b.sigma / math.Sqrt(float64(n)) }", "return 0.1 * b.sigma / math.Sqrt(float64(n)) }"},
	{"Kaufmann-Koolen radius 10 times too small", "pkg/radius/kaufmannkoolen.go", "return 2 * b.sigma *", "return 0.2 * b.sigma *"},
	{"a forgotten union bound over arms and objectives", "pkg/radius/radius.go", "math.Log(4 * k1 * k * d / p.Delta)", "math.Log(4 * k1 / p.Delta)"},
	{"a forgotten union bound over pairs", "pkg/radius/kaufmannkoolen.go", "math.Log(k*(k-1)*d/p.Delta)", "math.Log(1/p.Delta)"},
	{"a forgotten factor of the norm's radius", "pkg/radius/radius.go", "return pair, 2 * math.Sqrt(b.logG+lt)", "return pair, math.Sqrt(b.logG+lt)"},
	{"time missing from the radius", "pkg/radius/radius.go", "lt := b.alpha * math.Log(float64(t))", "lt := b.alpha * math.Log(1+0*float64(t))"},
	{"front off by one", "pkg/policy/estimates.go", "for q, j := range set {", "for q, j := range set[:max(1, len(set)-1)] {"},
	{"equal arms eliminate each other", "pkg/policy/estimates.go", "e.excess[j*e.k+i] > 0", "e.excess[j*e.k+i] >= 0"},
	{"racing: elimination off by one", "pkg/policy/racing.go", "for _, j := range p.active {\n\t\t\tif j != i && p.certain(j, true) {", "for _, j := range p.active[1:] {\n\t\t\tif j != i && p.certain(j, true) {"},
	{"racing: dominators need not be feasible", "pkg/policy/racing.go", "if j != i && p.certain(j, true) {", "if j != i {"},
	{"racing: a needed dominator leaves", "pkg/policy/racing.go", "&& c.notDominated(j, i) > 0)", ")"},
	{"e-cAPE: one pull too many", "pkg/policy/ecape.go", "dst = append(dst, explore.Pull{Arm: b, N: 1})", "dst = append(dst, explore.Pull{Arm: b, N: 2})"},
	{"e-cAPE: no challenger", "pkg/policy/ecape.go", "if r := c.rival(b, c.fg); r >= 0 {", "if r := c.rival(b, c.fg); r >= 1000 {"},
	{"uniform: one pull too many", "pkg/policy/ecape.go", "dst = append(dst, explore.Pull{Arm: i, N: 1})", "dst = append(dst, explore.Pull{Arm: i, N: 1 + i&1})"},
	{"stops without looking at feasibility", "pkg/policy/constrained.go", "if c.status[i] < z1f {", "if c.status[i] < z1f && false {"},
	{"stops without comparing the front's members", "pkg/policy/constrained.go", "i, j); m < z1ps {", "i, j); m < z1ps-1 {"},
	{"infeasible arms are left out as dominators too early", "pkg/policy/constrained.go", "} else if c.gammas[i] < 0 {", "} else if c.gammas[i] < -1 {"},
	{"evidence with the wrong sign", "pkg/policy/feasibility.go", "f.eta[i]*f.eta[i] - u*u", "f.eta[i]*f.eta[i] + u*u"},
	{"two stages: delta is not split", "pkg/policy/twostage.go", "delta /= 2", "delta /= 1"},
	{"MD-APT: stops one arm early", "pkg/policy/mdapt.go", "for i, g := range c.gammas {", "for i, g := range c.gammas[:max(1, len(c.gammas)-1)] {"},
	{"APE: relaxation with the wrong sign", "pkg/policy/ape.go", "floor-a.q.Epsilon", "floor+a.q.Epsilon"},
	{"APE: dominated arms are not waited for", "pkg/policy/ape.go", "} else if z = a.g(i, worst); z < worst {", "} else if z = a.g(i, worst) + 1; z < worst {"},
	{"session: pulls are not counted", "pkg/explore/session.go", "s.total += s.asked", "s.total += 1"},
	{"session: a round too many", "pkg/explore/session.go", "s.rounds >= s.set.MaxRounds", "s.rounds > s.set.MaxRounds"},
	{"question: infeasible arms count as dominated", "pkg/question/feasiblepareto.go", "ok = t.SubOpt[i]", "ok = true"},
	{"complexity: demands are ignored", "pkg/question/complexity.go", "g.add(b, x, math.Inf(1))", "g.add(b, x, 0)"},
}

// tested are the packages whose tests are run.
var tested = []string{"./pkg/radius", "./pkg/explore", "./pkg/question", "./pkg/policy", "./pkg/study/ecape"}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

func main() {
	root, err := module()
	if err == nil {
		err = run(root, os.Args[1:])
	}
	if err != nil {
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

func run(root string, only []string) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"pkg", "data", "docs"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			return err
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o666)
		}
		if err != nil {
			return err
		}
	}
	t := &tidy.Table{Title: "Planted faults", Columns: []tidy.Column{{Name: "fault"}, {Name: "file"}, {Name: "tests that die"}}}
	survivors := 0
	for _, m := range mutants {
		if len(only) > 0 && !slices.ContainsFunc(only, func(s string) bool { return strings.Contains(m.name+" "+m.file, s) }) {
			continue
		}
		tests, err := m.plant(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if len(tests) == 0 {
			survivors++
			tests = []string{"NONE"}
		}
		n := len(tests)
		if n > 4 {
			tests = append(tests[:4:4], fmt.Sprintf("and %d more", n-4))
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", m.name, strings.Join(tests, ", "))
		t.Rows = append(t.Rows, []any{m.name, m.file, strings.Join(tests, ", ")})
	}
	fmt.Println(t.Markdown())
	if survivors > 0 {
		return fmt.Errorf("%d faults survive", survivors)
	}
	return nil
}

// plant runs the tests with the fault in place and returns those that fail,
// without those whose subtests fail.
func (m mutant) plant(dir string) ([]string, error) {
	path := filepath.Join(dir, filepath.FromSlash(m.file))
	right, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	wrong := strings.Replace(string(right), m.old, m.new, 1)
	if wrong == string(right) {
		return nil, fmt.Errorf("%s has no %q", m.file, m.old)
	}
	if err := os.WriteFile(path, []byte(wrong), 0o666); err != nil {
		return nil, err
	}
	defer os.WriteFile(path, right, 0o666)
	cmd := exec.Command("go", append([]string{"test", "-timeout", "5m"}, tested...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	var tests []string
	for _, f := range failed.FindAllStringSubmatch(string(out), -1) {
		tests = append(tests, f[1])
	}
	tests = slices.DeleteFunc(tests, func(s string) bool {
		return slices.ContainsFunc(tests, func(o string) bool { return strings.HasPrefix(o, s+"/") })
	})
	if len(tests) == 0 {
		return nil, fmt.Errorf("the tests did not run:\n%s", out)
	}
	slices.Sort(tests)
	return slices.Compact(tests), nil
}
