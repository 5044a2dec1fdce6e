package ledger

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study/papers"
)

//go:generate go test -run TestPage -update .

var update = flag.Bool("update", false, "write docs/papers.md anew")

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

// The file of each entry, the heading or name in it, and its experiments exist.
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
				t.Errorf("%s: it is not here; say why", id)
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

// Every part of a paper that a claim or an experiment names has an entry, and numbers have no gaps.
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
				if !slices.ContainsFunc(own, func(e Entry) bool {
					return e.About(kind + " " + itoa(i))
				}) {
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

func judged(t *testing.T) *Ledger {
	t.Helper()
	l, err := Judge()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// same compares a file with its expected content, or writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	path = filepath.Join(root, path)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(b); got != want {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("%s is not what rows say: it has\n%.200s\nand should have\n%.200s\n"+
			"go generate ./pkg/study/ledger writes it", path, got[max(0, i-60):], want[max(0, i-60):])
	}
}

// The page of the book matches rows and entries.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: the exhibits of papers judge the same claims")
	}
	same(t, "docs/papers.md", page(judged(t)))
}

// An entry links to a heading, after the name of its notebook, or to a declaration in code.
func TestLinks(t *testing.T) {
	for where, want := range map[string]string{
		"not here": "not here", "notebooks/rage/a-b.ipynb#Sample": "[rage/a-b](../notebooks/rage/a-b.ipynb): Sample",
		"pkg/policy/rage.go#RAGE": "[RAGE](../pkg/policy/rage.go)", "docs/x.md#Counts": "[docs/x.md](../docs/x.md): Counts",
	} {
		if got := (Entry{Where: where}).link(); got != want {
			t.Errorf("%s: %s; want %s", where, got, want)
		}
	}
	if got := (Entry{Experiments: []string{"nobody/nothing"}}).Here() + (Entry{}).Here(); got != "" {
		t.Errorf("replicates of nothing: %q", got)
	}
}

// Names of papers in texts.
var names = map[string]string{"ecape": "e-cAPE", "rage": "RAGE", "gege": "GEGE", "linfact": "LinFACT", "pfiwr": "PFIwR"}

// page returns docs/papers.md.
func page(l *Ledger) string {
	var b strings.Builder
	b.WriteString(`# Every figure, table and theorem

<!-- written by go generate ./pkg/study/ledger -->

This page lists where each part of the five papers is in this project, how it deviates, and its verdicts. ` + "`purexp papers rage \"fig 2a\"`" + ` finds one part. Verdicts follow [one rule](verdicts.md). A verdict
without further words is on the paper's data, on its distribution of instances, or on any instance of a theorem; all other verdicts are not about the paper. The number before a verdict is its number in
` + "`purexp claims`" + `. The column "here" counts the replicates of each method on each instance or size, or of all draws of random instances. The [counts](#counts) of agreeing claims are at the end.
`)
	for _, p := range papers.All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| number | what it shows | where it is here | faithful, or "+
			"how it differs | replicates there | here | verdicts |\n|---|---|---|---|---|---|---|\n",
			names[p.Name], p.Reference)
		for _, e := range All() {
			if e.Paper == p.Name {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", e.Number, e.Shows, e.link(),
					e.How, e.There, e.Here(), l.Verdicts(e))
			}
		}
	}
	b.WriteString(`
## Counts

| paper | kind | judged on | agree | differ | not comparable | not judged |
|---|---|---|---|---|---|---|
`)
	for _, r := range l.Counts().Rows {
		r[0] = names[r[0].(string)]
		for _, c := range r {
			fmt.Fprintf(&b, "| %v ", c)
		}
		b.WriteString("|\n")
	}
	b.WriteString("\nClaims that are judged by a machine's clock (Table 5 of e-cAPE, the time of a " +
		"round of LinFACT) change from one machine to the next, and are in no count.\n")
	return b.String()
}

// link returns the link from docs/ to the place of the entry.
func (e Entry) link() string {
	path, at, ok := strings.Cut(e.Where, "#")
	if !ok {
		return e.Where
	}
	if strings.HasSuffix(path, ".go") {
		return fmt.Sprintf("[%s](../%s)", at, path)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(path, "notebooks/"), ".ipynb")
	return fmt.Sprintf("[%s](../%s): %s", name, path, at)
}
