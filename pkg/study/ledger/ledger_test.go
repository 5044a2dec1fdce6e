package ledger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study/papers"
)

const root = "../../.."

// headings returns the headings of a notebook or a page.
func headings(t *testing.T, path string) (hs []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Error(err)
		return nil
	}
	text := string(b)
	if strings.HasSuffix(path, ".ipynb") {
		var nb struct {
			Cells []struct {
				Kind   string   `json:"cell_type"`
				Source []string `json:"source"`
			} `json:"cells"`
		}
		if err := json.Unmarshal(b, &nb); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		text = ""
		for _, c := range nb.Cells {
			if c.Kind == "markdown" {
				text += strings.Join(c.Source, "") + "\n"
			}
		}
	}
	for _, l := range strings.Split(text, "\n") {
		if h := strings.TrimLeft(l, "#"); h != l {
			hs = append(hs, strings.TrimSpace(h))
		}
	}
	return hs
}

// The file of each entry, the heading or name in this file, and the experiments of the entry exist.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		id := e.Paper + " " + e.Number
		if seen[id] || e.Number == "" || e.Shows == "" || e.How == "" {
			t.Errorf("%s: want one entry, with what it shows and how it differs", id)
		}
		seen[id] = true
		for _, name := range e.Experiments {
			x, ok := experiment(name)
			if !ok {
				t.Errorf("%s: there is no experiment %s", id, name)
			} else if e.There != "" && x.Replicates() < 2 {
				t.Errorf("%s: %s has no replicates", id, name)
			}
		}
		if e.Where == "not here" {
			if !strings.Contains(e.How, "nothing to run") {
				t.Errorf("%s: the exhibit is not here; say why", id)
			}
			continue
		}
		path, at, ok := strings.Cut(e.Where, "#")
		if !ok || at == "" {
			t.Errorf("%s: %s has no heading or name", id, e.Where)
			continue
		}
		if strings.HasSuffix(path, ".go") {
			b, err := os.ReadFile(filepath.Join(root, path))
			declared := regexp.MustCompile(`(?m)^(func|type|\t)(\s*\([^)]*\))? ?` + at + `\b`)
			if err != nil || !declared.Match(b) {
				t.Errorf("%s: %s does not declare %s (%v)", id, path, at, err)
			}
			continue
		}
		if hs := headings(t, path); !slices.ContainsFunc(hs, func(h string) bool {
			return strings.HasPrefix(h, at)
		}) {
			t.Errorf("%s: no heading of %s begins with %q; there are %q", id, path, at, hs)
		}
	}
}

// Every part of a paper that a claim or an experiment names has an entry, and the numbers of entries have no gaps.
func TestComplete(t *testing.T) {
	for _, p := range papers.All() {
		var own []Entry
		for _, e := range All() {
			if e.Paper == p.Name {
				own = append(own, e)
			}
		}
		sources := map[string]bool{}
		for _, c := range p.Study().Claims() {
			sources[c.Source] = true
		}
		for _, e := range p.Experiments {
			sources[e.Source] = true
		}
		for source := range sources {
			for _, m := range parts.FindAllStringSubmatch(source, -1) {
				if m[1] == "Lemma" {
					continue
				}
				if !slices.ContainsFunc(own, func(e Entry) bool { return e.About(m[0]) }) {
					t.Errorf("%s: %q names a part that has no entry", p.Name, source)
				}
			}
		}
		for kind, n := range counts[p.Name] {
			for i := 1; i <= n; i++ {
				if !slices.ContainsFunc(own, func(e Entry) bool { return e.About(kind + " " + itoa(i)) }) {
					t.Errorf("%s: there is no %s %d", p.Name, kind, i)
				}
			}
		}
	}
}

func itoa(i int) string { return string(rune('0' + i)) }

// counts are the numbers of figures, tables and algorithms in the papers. Appendices are included if they continue
// the numbering.
var counts = map[string]map[string]int{
	"ecape":   {"Fig.": 8, "Table": 5, "Algorithm": 3},
	"gege":    {"Fig.": 7, "Table": 2, "Algorithm": 4, "Theorem": 8},
	"rage":    {"Fig.": 2, "Algorithm": 1, "Theorem": 3, "Proposition": 2},
	"linfact": {"Fig.": 8, "Table": 2, "Algorithm": 6},
	"pfiwr":   {"Fig.": 3, "Table": 1, "Algorithm": 1},
}

func TestAbout(t *testing.T) {
	for _, c := range []struct {
		number, source string
		want           bool
	}{
		{"Fig. 8", "7.2, Fig. 8a", true}, {"Fig. 8a", "7.2, Fig. 8a", true},
		{"Fig. 8b", "7.2, Fig. 8a", false}, {"Fig. 2a", "Fig. 2, 5.2", true},
		{"Theorem 4.2", "Definition 2.2, Theorems 4.1, 4.2", true},
		{"Theorem 4.4", "Theorems 4.1, 4.2", false}, {"Fig. 1", "Fig. 10", false},
		{"Table EC.4.1", "Table EC.4.1", true}, {"Fig. EC.3.1", "EC.3, Fig. EC.3.1", true},
		{"Table 1", "Fig. 1", false}, {"Algorithm 1", "Table 1, Algorithm 1", true},
		{"Table 4", "5, of the trials", false},
	} {
		if got := (Entry{Number: c.number}).About(c.source); got != c.want {
			t.Errorf("%s by %q: %v", c.number, c.source, got)
		}
	}
}

func TestFind(t *testing.T) {
	numbers := func(found []Entry) (ns []string) {
		for _, e := range found {
			if e.Paper == "rage" {
				ns = append(ns, e.Number)
			}
		}
		return ns
	}
	for asked, want := range map[string][]string{
		"fig 2": {"Fig. 2a", "Fig. 2b"}, "FIGURE 2": {"Fig. 2a", "Fig. 2b"}, "Fig. 2b": {"Fig. 2b"}, "theorem2": {"Theorem 2"},
		"fig": nil, "": nil, "2a": nil, "fig 22": nil, "table 2": nil,
	} {
		if got := numbers(Find(asked)); !slices.Equal(got, want) {
			t.Errorf("%q finds %q of the paper on RAGE; want %q", asked, got, want)
		}
	}
	for asked, want := range map[string][]string{
		"fig 2a": {"Fig. 2a"}, "Figure 2a": {"Fig. 2a"}, "Theorem 3.2": {"Theorem 3.2"},
	} {
		found := Find(asked)
		for _, w := range want {
			if !slices.ContainsFunc(found, func(e Entry) bool { return e.Number == w }) {
				t.Errorf("%q: %v", asked, found)
			}
		}
	}
	if found := Find("fig 99"); len(found) != 0 {
		t.Errorf("fig 99: %v", found)
	}
}

// The table of docs/reproduced.md states the counts of the published rows.
func TestReproduced(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: the exhibits of papers judge the same claims")
	}
	page, err := os.ReadFile(filepath.Join(root, "docs/reproduced.md"))
	l, bad := Judge()
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	column := map[string]int{"result, the paper's data": 0, "result, the paper's distribution": 0,
		"result, a reading": 1, "result, a stand-in": 2, "guarantee, any instance": 3}
	counts, open := map[string]*[4][3]int{}, map[string]int{}
	for _, r := range l.Counts().Rows {
		c, ok := column[r[1].(string)+", "+r[2].(string)]
		if !ok {
			continue // claims about our own questions are not in the table
		}
		name := r[0].(string)
		if counts[name] == nil {
			counts[name] = new([4][3]int)
		}
		for k := range 3 {
			counts[name][c][k] += r[3+k].(int)
		}
		open[name] += r[6].(int)
	}
	for _, p := range papers.All() {
		row := ""
		for _, c := range counts[p.Name] {
			row += fmt.Sprintf(" %d · %d · %d |", c[0], c[1], c[2])
		}
		if row += fmt.Sprintf(" %d |", open[p.Name]); !strings.Contains(string(page), row) {
			t.Errorf("%s: docs/reproduced.md lacks %s", p.Name, row)
		}
	}
}
