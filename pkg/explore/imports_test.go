package explore_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/purexp/purexp/"

// Each package imports only allowed packages: mathematics is separate, policies do not see true values,
// and presentation is on top of all other packages.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f",
		`{{.ImportPath}}{{range .Deps}} {{.}}{{end}} |{{range .Imports}} {{.}}{{end}}`,
		module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	// The maps hold all dependencies and the direct imports of each package below pkg/.
	deps, imports := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(out)) {
		all, direct, _ := strings.Cut(line, "|")
		f := strings.Fields(all)
		if name, ok := strings.CutPrefix(f[0], module+"pkg/"); ok {
			deps[name], imports[name] = f[1:], strings.Fields(direct)
		} else if f[0] != module+"internal/golden" && slices.Contains(f[1:], "testing") { // golden is only for tests
			t.Errorf("the program %s is linked with testing", f[0])
		}
	}
	within := func(list []string, dep string) bool {
		return slices.ContainsFunc(list, func(d string) bool {
			return d == dep || strings.HasPrefix(d, dep+"/")
		})
	}
	mathematics := []string{"design", "internal/activeset", "internal/simplex", "lsq", "pareto", "polyhedron", "radius", "seed"}
	for _, p := range mathematics {
		if deps[p] == nil {
			t.Errorf("there is no package %s", p)
		}
		for _, d := range deps[p] {
			standard := !strings.Contains(strings.Split(d, "/")[0], ".")
			own, ok := strings.CutPrefix(d, module+"pkg/")
			if !standard && !strings.HasPrefix(d, "gonum.org/v1/gonum/") && !(ok && slices.Contains(mathematics, own)) {
				t.Errorf("%s imports %s; want gonum and mathematics only", p, d)
			}
		}
	}
	for _, d := range []string{"bandit", "campaign", "dataset", "mc", "tidy", "fig", "study", "nb"} {
		for p := range deps {
			top, _, _ := strings.Cut(p, "/")
			if slices.Contains([]string{"policy", "explore", "question"}, top) && within(deps[p], module+"pkg/"+d) {
				t.Errorf("%s imports %s", p, d)
			}
		}
	}
	// The monitors of a certificate's assumptions import sessions and mathematics, and no policy.
	for _, d := range deps["monitor"] {
		own, ok := strings.CutPrefix(d, module+"pkg/")
		if ok && own != "explore" && !slices.Contains(mathematics, own) {
			t.Errorf("monitor imports %s; want explore and mathematics only", own)
		}
	}
	// Only policies import their internal packages, and internal packages import no policy.
	cellar := module + "pkg/policy/internal"
	for p, direct := range imports {
		if top, _, _ := strings.Cut(p, "/"); top != "policy" && within(direct, cellar) {
			t.Errorf("%s imports what is internal to policies", p)
		}
	}
	for _, room := range []string{"arms", "constrained", "epsilonbest", "game", "linear", "memory",
		"pareto", "patience", "snapshot"} {
		p := "policy/internal/" + room
		if deps[p] == nil {
			t.Errorf("there is no package %s", p)
		}
		if slices.Contains(deps[p], module+"pkg/policy") {
			t.Errorf("%s imports policy", p)
		}
	}
	// Package question does not import its subpackages alternative and complexity.
	for _, room := range []string{"alternative", "complexity"} {
		if deps["question/"+room] == nil {
			t.Errorf("there is no package question/%s", room)
		}
		if within(deps["question"], module+"pkg/question/"+room) {
			t.Errorf("question imports its subpackage %s", room)
		}
	}
	// The record (campaign/internal/events) imports only pkg/internal, and no other package of this module.
	for _, d := range deps["campaign/internal/events"] {
		own, ok := strings.CutPrefix(d, module+"pkg/")
		if ok && own != "campaign/internal/events" && !strings.HasPrefix(own, "internal/") {
			t.Errorf("campaign/internal/events imports %s", own)
		}
	}
	// The record imports no campaign. Package campaign imports no packages for true values, simulations or user
	// interfaces. Packages problem and plan import no packages for file access.
	figures := []string{"mc", "tidy", "fig", "dataset"}
	for room, unknown := range map[string][]string{
		"campaign/internal/events": nil, // the general rules below apply
		"campaign/problem":         append([]string{"bandit", "campaign/internal", "campaign/plan"}, figures...),
		"campaign/plan":            append([]string{"campaign/internal", "campaign/plan/planview"}, figures...),
		"campaign/plan/planview":   {"campaign/internal", "dataset"},
		"campaign":                 append([]string{"bandit", "campaign/plan"}, figures...),
		"campaign/runner":          append([]string{"bandit", "campaign/plan"}, figures...),
		"campaign/report":          {"campaign/plan", "dataset"},
		"campaign/web":             {"campaign/runner", "dataset"},
	} {
		if _, ok := deps[room]; !ok {
			t.Errorf("there is no package %s", room)
		}
		if room != "campaign/web" {
			unknown = append(unknown, "campaign/web", "campaign/runner", "campaign/report")
		}
		for _, d := range append(unknown, "nb", "live", "policytest", "study", "sweep") {
			d = strings.TrimSuffix(module+"pkg/"+d, "/")
			if slices.ContainsFunc(deps[room], func(dep string) bool {
				return dep != module+"pkg/"+room && within([]string{dep}, d)
			}) {
				t.Errorf("%s imports %s", room, d)
			}
		}
	}
	// Each cell of a notebook is linked with all imports of nb. Importing package campaign would add a database.
	if slices.Contains(deps["nb"], module+"pkg/campaign") {
		t.Error("nb imports campaign; nb/workbench is the place for it")
	}
	for dep, allowed := range map[string][]string{
		"github.com/janpfeifer/gonb":  {"nb"},
		"github.com/go-gota/gota":     {"dataset", "nb"},
		"gonum.org/v1/plot":           {"fig", "nb", "study"},
		"github.com/spf13/cobra":      {"sweep"},
		"github.com/schollz/progress": {},
		"github.com/danielgtaylor":    {"campaign/web"},
		"github.com/kballard":         {"campaign/runner"},
		"github.com/gofrs/flock":      {"internal/filelock"},
		"github.com/agnivade":         {"campaign/problem"},
		"github.com/pelletier":        {"campaign/problem", "live", "sweep"},
		"modernc.org":                 {"campaign/internal/events"},
	} {
		for p, direct := range imports {
			if within(direct, dep) && !slices.ContainsFunc(allowed, func(a string) bool {
				return within([]string{p}, a)
			}) {
				t.Errorf("%s imports %s; only %v may", p, dep, allowed)
			}
		}
	}
}
