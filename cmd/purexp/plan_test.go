package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// pageBlock returns the first code block in the given language that follows the text after in a page.
func pageBlock(t *testing.T, page, after, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), after)
	_, rest, start := strings.Cut(rest, "```"+language+"\n")
	b, _, end := strings.Cut(rest, "```")
	if !found || !start || !end {
		t.Fatalf("docs/%s has no block of %s after %q", page, language, after)
	}
	return b
}

// coupling writes the problem of docs/your-problem.md, with one text replaced, and returns its path.
func coupling(t *testing.T, old, with string) string {
	t.Helper()
	dir := t.TempDir()
	for name, language := range map[string]string{"coupling.toml": "toml", "coupling.csv": "text"} {
		text := strings.Replace(pageBlock(t, "your-problem.md", "", language), old, with, 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "coupling.toml")
}

// printedLines returns the lines of a text that are not empty, without trailing spaces.
func printedLines(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// docs/plan.md shows the output of purexp plan, and purexp campaign plan prints the same.
func TestPlanPage(t *testing.T) {
	shown := pageBlock(t, "plan.md", "<!-- output of: purexp plan coupling.toml --runs 200 -->", "text")
	path := coupling(t, "", "")
	for i, command := range [][]string{{"plan"}, {"campaign", "plan"}} {
		if testing.Short() && i > 0 { // skip the second command, which prints the same
			continue
		}
		var out, errs strings.Builder
		a := append(command, path, "--runs", "200", "--quiet")
		if code := run(context.Background(), a, &out, &errs); code != exitOK {
			t.Fatalf("%v: code %d\n%s", command, code, &errs)
		}
		if printedLines(out.String()) != printedLines(shown) {
			t.Errorf("docs/plan.md is old; purexp %s prints:\n%s", strings.Join(a, " "), &out)
		}
	}
}

// docs/run-a-campaign.md shows the table that the command prints for its example of a fixed budget.
func TestBudgetPage(t *testing.T) {
	dir := t.TempDir()
	shown := pageBlock(t, "run-a-campaign.md", "<!-- output of: purexp plan plate.toml -->", "text")
	for name, block := range map[string]string{
		"plate.toml":    pageBlock(t, "run-a-campaign.md", "For example, `plate.toml`", "toml"),
		"catalysts.csv": pageBlock(t, "run-a-campaign.md", "`catalysts.csv` has", "text"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(block), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, errs, code := purexp(t, dir, "plan", "plate.toml", "--no-changes", "--quiet", "--time", "10m")
	_, rest, _ := strings.Cut(out, "With the 96 measurements")
	table, _, _ := strings.Cut("With the 96 measurements"+rest, "\n\nWith 95 % intervals")
	if code != exitOK || printedLines(table) != printedLines(shown) {
		t.Errorf("code %d, %s; docs/run-a-campaign.md is old; it prints:\n%s", code, errs, table)
	}
	out, errs, code = purexp(t, dir, "problem", "check", "plate.toml")
	if code != exitOK || !strings.Contains(out, "Method: EGE-SR (budget 96)") ||
		!strings.Contains(out, "best guess after a budget of 96 measurements: EGE-SR; ") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
}

// --runs sets the number of runs of a row, even if the runs would exceed the work limit.
func TestPlanRuns(t *testing.T) {
	dir, table := t.TempDir(), "name,x,y"
	for i := range 120 {
		table += fmt.Sprintf("\nc%d,%d,%d", i, i, -i)
	}
	text := "question = { find = 'pareto', delta = 0.1 }\ncandidates = { file = 'many.csv', column = 'name' }\nlaboratory = { measurements = 200000 }"
	for _, name := range []string{"x", "y"} {
		text += fmt.Sprintf("\n[[objective]]\nname = '%[1]s'\ngoal = 'maximise'\nnoise = { sd = 1.0 }\nguess = '%[1]s'", name)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "many.toml"), []byte(text), 0o666), os.WriteFile(filepath.Join(dir, "many.csv"), []byte(table), 0o666)); err != nil {
		t.Fatal(err)
	}
	out, errs, code := purexp(t, dir, "plan", "many.toml", "--runs", "21", "--no-changes", "--methods", "EGE-SR", "--quiet", "--json")
	if code != exitOK || !strings.Contains(out, `"runs":21,`) {
		t.Errorf("code %d, %s%s; want 21 runs", code, errs, out)
	}
}

func TestPlanErrors(t *testing.T) {
	path := coupling(t, "", "")
	for _, x := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{path, "--runs", "0"}, exitUsage, "--runs is 0"},
		{[]string{path, "--change", "yield"}, exitUsage, "no equals sign"},
		{[]string{path, "--methods", "RAGE"}, exitInput, "cannot answer this question"},
		{[]string{path, "--methods", "guess"}, exitInput, "unknown method"},
		{[]string{path, "--change", "price.sd=2"}, exitFailure, "gives no sd for"},
		{[]string{coupling(t, "guess     = \"expected yield\" # column, for planning", "")},
			exitFailure, "the means of yield are unknown"},
		{[]string{coupling(t, "delta = 0.05", "delta = 2")}, exitInput, "question.delta: 2"},
	} {
		var out, errs strings.Builder
		code := run(context.Background(), append([]string{"plan", "--quiet"}, x.args...), &out, &errs)
		if code != x.code || !strings.Contains(errs.String(), x.want) {
			t.Errorf("%v: code %d, %s; want %d, %s", x.args[1:], code, &errs, x.code, x.want)
		}
	}
	t.Chdir(t.TempDir())
	if _, err := (&shared{}).problem(nil); err == nil {
		t.Error("no error where there is neither a file nor a campaign")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs strings.Builder
	if code := run(ctx, []string{"plan", "--quiet", path}, &out, &errs); code != exitInterrupted {
		t.Errorf("interrupted: code %d, %s", code, &errs)
	}
}

func TestProblemCommands(t *testing.T) {
	var out, errs strings.Builder
	if code := run(context.Background(), []string{"problem", "check", coupling(t, "", "")}, &out,
		&errs); code != exitOK || !strings.Contains(out.String(), "Method: feasible Pareto set by betting (delta 0.0475") {
		t.Errorf("check: %d\n%s%s", code, &out, &errs)
	}
	out.Reset()
	if code := run(context.Background(), []string{"problem", "schema"}, &out,
		&errs); code != exitOK || out.String() != string(problem.Schema()) {
		t.Errorf("schema: %d\n%s%s", code, &out, &errs)
	}
}

// scenarios writes the example of a trial and the scenarios of docs/plan.md, with one text replaced.
func scenarios(t *testing.T, old, with string) (problem, table string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"trial.toml", "trial.csv"} {
		text, err := examples.ReadFile("examples/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text := strings.Replace(pageBlock(t, "plan.md", "## Scenarios", "text"), old, with, 1)
	table = filepath.Join(dir, "scenarios.csv")
	if err := os.WriteFile(table, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "trial.toml"), table
}

func TestScenariosPage(t *testing.T) {
	path, table := scenarios(t, "", "")
	a := []string{"plan", path, "--scenarios", table, "--runs", "200", "--quiet"}
	var out, errs strings.Builder
	if code := run(context.Background(), a, &out, &errs); code != exitOK {
		t.Fatalf("code %d\n%s", code, &errs)
	}
	shown := pageBlock(t, "plan.md", "<!-- output of: purexp plan trial.toml --scenarios scenarios.csv --runs 200 -->", "text")
	if printedLines(out.String()) != printedLines(shown) {
		t.Errorf("docs/plan.md is old; it prints:\n%s", &out)
	}
}
