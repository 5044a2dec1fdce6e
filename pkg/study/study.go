// Package study contains the code that all reproductions of papers share. A [Study] provides a grid
// of runs, figures and tables of their rows, and claims of the paper with a verdict on each claim.
//
//	s := rage.Benchmark.Study()             // an experiment of package study/rage
//	g, err := s.Grid(study.Options{Reps: 5})
//	rows, err := g.Run(ctx)
//	fmt.Println(study.Judge(s.Claims(), rows).Text())
//
// An [Experiment] describes runs by plain values: sizes, instances, methods, bounds and claims. A
// [Paper] lists its experiments. Each paper is a subpackage of package study. For simulations,
// summaries and figures, see the packages mc, tidy and fig.
package study

import (
	"strings"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Study is a unit that can be run and reported: a Paper or a single Experiment.
type Study struct {
	Name  string // name on the command line
	Title string // title of the report
	Paper string // reference of the paper, or the place of an experiment in the paper
	// Reps is the default number of replicates: that of the experiment or, for several experiments,
	// the largest.
	Reps int
	// Grid returns the grid of runs of the study.
	Grid func(Options) (*mc.Grid, error)
	// Tables and Figures return the tables and figures of a report, given rows. Claims returns the
	// claims that the rows of the study can decide.
	Tables  func(rows []mc.Row) ([]*tidy.Table, error)
	Figures func(rows []mc.Row) ([]Figure, error)
	Claims  func() []Claim
}

// Options are the options of a study; the zero value means the published study.
type Options struct {
	// Reps is the number of replicates of each method in each experiment. Zero means the
	// experiment's own number. Methods with fewer replicates keep their proportion.
	Reps int
	// Seed is the root seed of all random streams; zero means 1.
	Seed uint64
	// Workers is the number of replicates simulated in parallel, and Shard selects a part of the
	// replicates, as in mc.Grid.
	Workers int
	Shard   mc.Shard
}

// Root returns the root seed, which is 1 by default.
func (o Options) Root() uint64 {
	if o.Seed == 0 {
		return 1
	}
	return o.Seed
}

// Scaled returns the number of replicates of a part of a study. By default, the part has own
// replicates, and the study has reps replicates. If o.Reps is not 0, the study has o.Reps
// replicates, and Scaled changes own in the same proportion.
func (o Options) Scaled(own, reps int) int {
	if o.Reps == 0 {
		return own
	}
	return max(1, (own*o.Reps+reps-1)/reps)
}

// FileName returns the name, without extension, of the file that contains the rows of the study.
func (s Study) FileName() string { return strings.ReplaceAll(s.Name, "/", "-") }

// Paper lists the experiments of a paper, and additional experiments of this project.
type Paper struct {
	Name      string // name on the command line
	Title     string // title of the report
	Reference string // authors, title and place of publication
	// Experiments are in the order of the paper. Experiments whose field Beside is not empty are
	// not in the paper.
	Experiments []Experiment
	// If Tables is not nil, it returns tables about the paper as a whole.
	Tables func(rows []mc.Row) ([]*tidy.Table, error)
}

// Study returns all experiments of the paper as one study.
func (p Paper) Study() Study {
	s := Study{Name: p.Name, Title: p.Title, Paper: p.Reference}
	for _, e := range p.Experiments {
		s.Reps = max(s.Reps, e.Replicates())
	}
	s.Grid = func(o Options) (*mc.Grid, error) { return grid(p.Name, o, p.Experiments...) }
	s.Tables = func(rows []mc.Row) ([]*tidy.Table, error) {
		var ts []*tidy.Table
		for _, e := range p.Experiments {
			own, err := e.Results(rows).Tables()
			ts = append(ts, own...)
			if err != nil {
				return ts, err
			}
		}
		if p.Tables == nil || len(ts) == 0 {
			return ts, nil
		}
		more, err := p.Tables(rows)
		return append(ts, more...), err
	}
	s.Figures = func(rows []mc.Row) ([]Figure, error) {
		var fs []Figure
		for _, e := range p.Experiments {
			own, err := e.Results(rows).Figures()
			fs = append(fs, own...)
			if err != nil {
				return fs, err
			}
		}
		return fs, nil
	}
	s.Claims = p.claims
	return s
}

// claims returns the claims of all experiments. If several experiments use the same ID, the name of
// the experiment is added to the ID.
func (p Paper) claims() []Claim {
	count := map[string]int{}
	for _, e := range p.Experiments {
		for _, c := range e.Claims {
			count[c.ID]++
		}
	}
	var cs []Claim
	for _, e := range p.Experiments {
		for _, c := range e.claims() {
			if count[c.ID] > 1 {
				c.ID = e.ShortName() + " " + c.ID
			}
			cs = append(cs, c)
		}
	}
	return cs
}

// Study converts the experiment to a study.
func (e Experiment) Study() Study {
	return Study{
		Name: e.Name, Title: e.Title, Paper: e.Where(), Reps: e.Replicates(),
		Grid:    e.Grid,
		Tables:  func(rows []mc.Row) ([]*tidy.Table, error) { return e.Results(rows).Tables() },
		Figures: func(rows []mc.Row) ([]Figure, error) { return e.Results(rows).Figures() },
		Claims:  e.claims,
	}
}
