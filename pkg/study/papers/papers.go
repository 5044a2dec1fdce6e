// Package papers lists the papers that are reproduced, and their experiments.
package papers

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/pfiwr"
	"github.com/purexp/purexp/pkg/study/rage"
)

// All returns the papers.
func All() []study.Paper {
	return []study.Paper{ecape.Paper, gege.Paper, rage.Paper, linfact.Paper, pfiwr.Paper}
}

// Studies returns what can be run: each paper, followed by its experiments, and the arena.
func Studies() []study.Study {
	var all []study.Study
	for _, p := range All() {
		all = append(all, p.Study())
		for _, e := range p.Experiments {
			all = append(all, e.Study())
		}
	}
	return append(all, arena.Studies()...)
}

// Named returns the study with the given name: a paper's, or an experiment's.
func Named(name string) (study.Study, error) {
	var names []string
	for _, s := range Studies() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return study.Study{}, fmt.Errorf("no study %q; there are: %s", name, strings.Join(names, ", "))
}
