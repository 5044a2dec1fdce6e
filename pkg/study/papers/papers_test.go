package papers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/papers"
)

// Each claim has its own ID, a source, a statement and a basis; only theorems have the basis "any instance". Without
// rows, a claim is not comparable, unless the instances alone decide the claim. The methods of an experiment have
// different colors or markers.
func TestPapers(t *testing.T) {
	for _, p := range papers.All() {
		seen := map[string]bool{}
		for _, c := range p.Study().Claims() {
			if seen[c.ID] || c.ID == "" || c.Source == "" || c.Statement == "" {
				t.Errorf("%s: claim %q (%s: %s)", p.Name, c.ID, c.Source, c.Statement)
			}
			seen[c.ID] = true
			theorem := c.Kind == study.Guarantee || slices.ContainsFunc([]string{"Theorem", "Proposition", "Lemma", "Definition"},
				func(w string) bool { return strings.Contains(c.Source, w) })
			if c.Basis == study.Unstated || c.Basis == study.AnyInstance && !theorem {
				t.Errorf("%s: claim %q (%s) is judged on %v", p.Name, c.ID, c.Source, c.Basis)
			}
			if c.Known {
				continue
			}
			if v := c.Check(&study.Results{}); v.Outcome != study.NotComparable && !c.Moot {
				t.Errorf("%s: claim %s without rows: %+v", p.Name, c.ID, v)
			}
		}
		for _, e := range p.Experiments {
			of := map[string]string{}
			for _, name := range e.MethodNames() {
				l := study.Looks.Look(name)
				k := fmt.Sprint(l.Color, l.Marker)
				if other := of[k]; other != "" || !slices.Contains(study.Looks, name) {
					t.Errorf("%s: %s looks like %q, or is not in study.Looks", e.Name, name, other)
				}
				of[k] = name
			}
		}
	}
}
