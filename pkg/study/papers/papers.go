// Package papers lists the reproduced papers and their experiments.
//
//	for _, p := range papers.All() {
//		fmt.Println(p.Name, len(p.Experiments))
//	}
package papers

import (
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

// Studies returns the studies that can be run: each paper followed by its experiments, and the
// arena.
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
