package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

const policyDir = "../.."

func TestTablesAreCurrent(t *testing.T) {
	for _, p := range pages {
		old, current, err := p.read(policyDir)
		if err != nil {
			t.Fatal(err)
		}
		if old != current {
			t.Errorf("%s differs from policy.Catalogue: run go generate ./pkg/policy", p.file)
		}
	}
}

// Every policy cites a paper of the bibliography, by its authors and year.
func TestSources(t *testing.T) {
	bib, err := os.ReadFile(policyDir + "/../../REFERENCES.bib")
	if err != nil {
		t.Fatal(err)
	}
	refs := references(string(bib))
	for _, entry := range policy.Catalogue() {
		m, name := entry().Card(), explore.TypeName(entry())
		ref, ok := refs[m.Key]
		if !ok {
			t.Errorf("%s: REFERENCES.bib has no %q", name, m.Key)
			continue
		}
		if want := strings.Join(ref.authors, ", ") + " " + ref.year; !strings.Contains(m.Source,
			want) {
			t.Errorf("%s: the source is %q; by REFERENCES.bib it is %q", name, m.Source, want)
		}
	}
}

func TestReferences(t *testing.T) {
	got := references(`@inproceedings{a2013b,
  author    = {Zuluaga, Marcela and P{\"u}schel, Markus and de Heide, Rianne},
  title     = {$\varepsilon$-{PAL} \&
               Others},
  year      = {2013},
}

@article{c1936d,
  author = {M{\'e}nard, Pierre},
  title  = {Quixote},
  volume = {1},
  year   = {1936},
}
`)
	a, c := got["a2013b"], got["c1936d"]
	if len(got) != 2 || !slices.Equal(a.authors, []string{"Zuluaga", "Püschel", "de Heide"}) ||
		a.title != "ε-PAL & Others" || a.year != "2013" ||
		!slices.Equal(c.authors, []string{"Ménard"}) || c.title != "Quixote" || c.year != "1936" {
		t.Errorf("got %+v", got)
	}
}

// What the bibliography lacks is named with the method that cites it, all of it at once; and a page whose table nobody can
// find is named with what was looked for.
func TestTablesSayWhatIsMissing(t *testing.T) {
	first := policy.Catalogue()[0]().Card()
	_, err := markdown(map[string]reference{first.Key: {year: "2020"}})
	for _, want := range []string{
		explore.TypeName(policy.Catalogue()[0]()) + `: "` + first.Key + `" in REFERENCES.bib has no title`,
		`LUCB: REFERENCES.bib has no "`, `SequentialHalving: REFERENCES.bib has no "`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	dir := t.TempDir()
	if _, _, err := pages[1].read(dir + "/pkg/policy"); err == nil {
		t.Error("a bibliography that is not there is read")
	}
	if err := os.MkdirAll(dir+"/pkg/policy", 0o777); err != nil {
		t.Fatal(err)
	}
	for text, ok := range map[string]bool{"a\nBEGIN\nold\nEND\nz\n": true, "a\nBEGIN\nold\n": false, "a\nold\nEND\n": false, "END\nBEGIN\n": false} {
		for name, s := range map[string]string{"/REFERENCES.bib": "", "/pkg/policy/page": text} {
			if err := os.WriteFile(dir+name, []byte(s), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p := page{"page", "BEGIN\n", "END\n", func(map[string]reference) (string, error) { return "new\n", nil }}
		old, current, err := p.read(dir + "/pkg/policy")
		if (err == nil) != ok || ok && (old != text || current != strings.Replace(text, "old", "new", 1)) ||
			!ok && !strings.Contains(err.Error(), `page: no table between "BEGIN\n" and "END\n"`) {
			t.Errorf("%q: %q, %q, %v", text, old, current, err)
		}
	}
}

// In the table of the documentation the columns stand below each other, as wide as their widest entry and two blanks.
func TestTableOfComments(t *testing.T) {
	text, err := comment(nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != len(policy.Catalogue())+1 {
		t.Errorf("%d lines of %d methods", len(lines), len(policy.Catalogue()))
	}
	for _, column := range []string{"question", "kind", "evidence"} {
		at, blank, widest := strings.Index(lines[0], column), true, false
		for i, line := range lines {
			blank = blank && line[at-2:at] == "  " && (i == 0 || line[at] != ' ')
			widest = widest || line[at-3] != ' '
		}
		if !blank || !widest {
			t.Errorf("column %q at %d: blank before it %v, and no wider than needed %v", column, at, blank, widest)
		}
	}
}
