package study

import (
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Paper is the experiments of a paper, and those that are beside it.
type Paper struct {
	Name      string // as on the command line
	Title     string
	Reference string
	// Experiments stand in the order of the paper; those with a Beside are not in it.
	Experiments []Experiment
	// Tables, if not nil, makes tables that belong to the paper as a whole.
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

// claims returns those of all experiments. IDs that several experiments have get the name of
// theirs.
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

// Study returns the experiment as a study of its own.
func (e Experiment) Study() Study {
	return Study{
		Name: e.Name, Title: e.Title, Paper: e.Where(), Reps: e.Replicates(),
		Grid:    e.Grid,
		Tables:  func(rows []mc.Row) ([]*tidy.Table, error) { return e.Results(rows).Tables() },
		Figures: func(rows []mc.Row) ([]Figure, error) { return e.Results(rows).Figures() },
		Claims:  e.claims,
	}
}
