package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A starter notebook has a query on its own table.
func TestNotebook(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		table string
		args  []string
		want  string
	}{
		"means": {"laptop,battery (h),weight\nA,9,1.3\nB,12,1.8\n", []string{"--find", "best"},
			`nb.On(table, "laptop").Max("battery (h)", "sd=1").Best()`},
		"replicates": {"compound,activity,day\n001,4,1\n1E5,6,1\n001,5,2\n", nil,
			`nb.On(nb.Means(table, "compound"), "compound").Max("activity").Best()`},
		"said": {"name,x,y\nA,9,1\nB,12,2\n", []string{"--objective", "x,min,sd=2", "--objective", "y,max,known", "--find", "pareto"},
			`nb.On(table, "name").Min("x", "sd=2").Max("y", "known").Pareto()`},
	} {
		os.WriteFile(filepath.Join(dir, name+".csv"), []byte(c.table), 0o666)
		if out, errs, code := purexp(t, dir, append([]string{"notebook", name + ".csv"}, c.args...)...); code != exitOK {
			t.Fatalf("%s: %d, %s%s", name, code, out, errs)
		}
		text, _ := os.ReadFile(filepath.Join(dir, name+".ipynb"))
		var n struct{ Cells []struct{ Source []string } }
		if err := json.Unmarshal(text, &n); err != nil || n.Cells[1].Source[3] != "var q = "+c.want+"\n" {
			t.Errorf("%s: %v, %q", name, err, n.Cells[1].Source)
		}
	}
	if _, errs, code := purexp(t, dir, "notebook", "means.csv", "--find", "top"); code != exitUsage ||
		!strings.Contains(errs, `--find is "top"; expected best, pareto or feasible`) {
		t.Errorf("%d, %s", code, errs)
	}
	if _, errs, code := purexp(t, dir, "notebook", "means.csv"); code != exitUsage || !strings.Contains(errs, "means.ipynb") {
		t.Errorf("a notebook is written over: %d, %s", code, errs)
	}
}
