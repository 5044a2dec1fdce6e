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
