package ledger

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/papers"
)

//go:generate go test -run TestPage|TestReproduced|TestChance -update .

var update = flag.Bool("update", false, "write docs/papers.md and the blocks of docs/reproduced.md and docs/verdicts.md anew")

const root = "../../.."

// headings of a notebook or a page.
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

// No entry points nowhere: its file, the heading or the name in it, and its experiments are there.
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

// counts are how many figures, tables and algorithms the papers have, appendices included where
// they count on.
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

// same compares a file with what it should say, or writes it.
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

// The page of the book is what rows and entries say.
func TestPage(t *testing.T) { same(t, "docs/papers.md", judged(t).Page()) }

// What docs/reproduced.md says is what rows say, numbers in sentences included.
func TestReproduced(t *testing.T) {
	want, err := judged(t).Reproduced()
	if err != nil {
		t.Fatal(err)
	}
	block(t, "docs/reproduced.md", "reproduced", want)
}

// block compares the part of a file between two lines.
func block(t *testing.T, path, name, want string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	begin := "<!-- " + name + ": written by go generate ./pkg/study/ledger -->\n"
	end := "<!-- end of " + name + " -->\n"
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, too := strings.Cut(rest, end)
	if !ok || !too {
		t.Fatalf("%s has no lines %q and %q", path, begin, end)
	}
	same(t, path, before+begin+want+end+after)
}

// How often verdicts are right, by simulation: what is clearly true is hardly ever said to differ,
// what is clearly false hardly ever to agree, and at the limit both are rare.
func TestChance(t *testing.T) {
	const times = 400
	if testing.Short() {
		golden.Check(t, "chance.txt", judged(t).chances(20, Chance(20)))
		return
	}
	rates := Chance(times)
	for _, r := range rates {
		limit := 5.
		if r.Kind == twice {
			limit = 20
		}
		if r.Differ[0] > 1.5 || r.Agree[2] > 1.5 || r.Agree[1] > limit ||
			r.Kind != twice && r.Differ[1] > 5 {
			t.Errorf("%s with %d replicates: agree %v, differ %v %% where true, at the limit, false",
				r.Kind, r.Reps, r.Agree, r.Differ)
		}
	}
	block(t, "docs/verdicts.md", "chance", judged(t).chances(times, rates))
}

// Sentences of notebooks and pages whose numbers are those of rows: a text that is changed, or rows
// that are, needs the other.
func TestSentences(t *testing.T) {
	m, err := Numbers()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sentences {
		want, err := fill(s[1], m)
		if err != nil {
			t.Errorf("%s: %v", s[0], err)
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, s[0]))
		if err != nil {
			t.Error(err)
			continue
		}
		text := string(b)
		if strings.HasSuffix(s[0], ".ipynb") {
			escaped, _ := json.Marshal(want)
			want = strings.Trim(string(escaped), "\"")
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s does not say %q, which is what rows say", s[0], want)
		}
	}
}

var sentences = [][2]string{
	{"notebooks/pfiwr/00-the-paper.ipynb", "PFIwR with (12) errs in {{.widthWrong}} of " +
		"{{.widthRuns}} runs"},
	{"notebooks/pfiwr/regret-and-confidence.ipynb", "So it errs in {{.widthWrong}} of " +
		"{{.widthRuns}} runs, which the theorem excludes"},
	{"notebooks/pfiwr/sw-llvm.ipynb", "it needs {{.proven.Whole}} times the pulls of PFIMulti"},
	{"notebooks/linfact/lower-bounds.ipynb", "The printed expression is {{.bound.Percent}} % " +
		"above"},
	{"notebooks/linfact/lower-bounds.ipynb", "the printed expression is up to " +
		"{{.settingsBound.Percent}} % too large"},
	{"notebooks/linfact/00-the-paper.ipynb", "it may be {{.bound.Percent}} % too large"},
	{"pkg/study/linfact/README.md", "which is up to {{.bound.Percent}} % larger"},
}

// Stand-ins never count as the paper's.
func TestStandInsAreNotThePapers(t *testing.T) {
	l := judged(t)
	for _, p := range papers.All() {
		s := l.Scores(p.Name)
		theirs := s.Of(study.Result, study.Ground.Theirs)
		all := s.Of(study.Result, func(study.Ground) bool { return true })
		if theirs.All() >= all.All() {
			t.Errorf("%s: %d of %d results are on what the paper ran", p.Name, theirs.All(), all.All())
		}
	}
}

// Numbers of texts: one, or the least and the largest; what is the same when it is rounded is one.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n                                       Number
		whole, tenths, hundredths, percent, few string
	}{
		{of(.5), "0", "0.5", "0.50", "50", "50"}, {of(3, 1, 2), "1 to 3", "1.0 to 3.0", "1.00 to 3.00", "100 to 300", "-200 to 0"},
		{of(.251, .254), "0", "0.3", "0.25", "25", "75"}, {of(.249, .251), "0", "0.2 to 0.3", "0.25", "25", "75"},
		{of(.2, .4).Inverse(), "2 to 5", "2.5 to 5.0", "2.50 to 5.00", "250 to 500", "-400 to -150"}, {of(4).Inverse(), "0", "0.2", "0.25", "25", "75"},
	} {
		got := []string{c.n.Whole(), c.n.Tenths(), c.n.Hundredths(), c.n.Percent(), c.n.Fewer()}
		if want := []string{c.whole, c.tenths, c.hundredths, c.percent, c.few}; !slices.Equal(got, want) {
			t.Errorf("%v: %q; want %q", c.n, got, want)
		}
	}
	if _, err := fill("{{.there}} and {{.gone}}", map[string]any{"there": 1}); err == nil {
		t.Error("a text with a number that is not there is filled")
	}
	if got, err := fill("{{.a.Percent}} % of {{.b}}", map[string]any{"a": of(.1, .2), "b": 3}); got != "10 to 20 % of 3" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// An entry leads to a heading, with the name of the notebook before it, or to what a file of code declares.
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
