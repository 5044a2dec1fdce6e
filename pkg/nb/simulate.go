package nb

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/study"
)

// A Simulation is an experiment with the rows of its runs:
//
//	var benchmark = nb.Simulate(rage.Benchmark)
//
//	%%
//	benchmark.Figure()
type Simulation struct {
	Experiment study.Experiment

	rows    *rowCache
	results *study.Results
}

// Simulate returns an experiment with the rows of its runs: Reps replicates, or as many as
// PUREXP_REPS says.
//
// Rows that are published with the project (its folder results) are read. Those of an experiment
// that was changed, such as its Delta, are simulated: the first call shows a progress bar and keeps
// them on disk; later cells, and later runs of the notebook, read them when they need them. A
// simulation that was interrupted goes on where it was.
//
// Rows are kept in the folder that PUREXP_CACHE names, or else in build/cache of the project,
// or else in the user's cache folder, in a file whose name depends on the experiment's settings,
// those of its policies and laws included, and on the code: a change of either simulates the
// experiment anew. Published rows are used, whichever code has written them, unless a few of them
// that are simulated again prove to be others. What functions of a cell compute is not seen: give a
// changed measure or bound another name.
func Simulate(e study.Experiment) *Simulation {
	s := &Simulation{Experiment: e, rows: newRowCache(e.Study())}
	if first(e) {
		s.Results()
		s.rows.announce()
	}
	return s
}

// Results returns the experiment with its rows.
func (s *Simulation) Results() *study.Results {
	if s.results == nil {
		s.results = s.Experiment.Results(s.rows.rows())
	}
	return s.results
}

// Figure shows the figures of the experiment; only those with the given names, if there are any.
// The names are those of the files that `purexp report` writes.
func (s *Simulation) Figure(names ...string) {
	figures := Must(s.Results().Figures())
	if len(figures) == 0 {
		Fail(fmt.Errorf("nb: %s has no figure of its rows", s.Experiment.Name))
	}
	for _, name := range names {
		if !slices.ContainsFunc(figures, func(f study.Figure) bool { return f.Name == name }) {
			var have []string
			for _, f := range figures {
				have = append(have, f.Name)
			}
			Fail(fmt.Errorf("nb: %s has no figure %q; it has %q", s.Experiment.Name, name, have))
		}
	}
	for _, f := range figures {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		drawing, ok := f.Drawing.(*fig.Figure)
		if !ok {
			Fail(fmt.Errorf("nb: figure %q is a %T, which a notebook cannot show", f.Name,
				f.Drawing))
		}
		Draw(drawing, nil)
	}
}

// Table shows the pulls of each method, or its error rates if it has a budget.
func (s *Simulation) Table() { Show(s.Results().Table()) }

// Tables shows all tables of the experiment, bounds and measures included.
func (s *Simulation) Tables() { Show(Must(s.Results().Tables())...) }

// Claims shows what the paper says about the experiment, with a verdict on each.
func (s *Simulation) Claims() { Show(s.Results().Judge()) }

// Colophon ends a notebook: which code ran where, and on what rows.
func Colophon(of ...*Simulation) {
	Markdown("purexp (%s), %s, %s/%s, %d processors, %s.",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		time.Now().Format("2006-01-02"))
	for _, s := range of {
		Markdown("%s", s.colophon())
	}
}

// colophon says how many replicates of which methods an experiment has, and how long they took.
func (s *Simulation) colophon() string {
	rows := s.Results().Runs()
	if len(rows) == 0 {
		return fmt.Sprintf("`%s`: no runs.", s.Experiment.Name)
	}
	reps := map[string]int{}
	var order []string
	for _, r := range rows {
		if _, seen := reps[r.Constants]; !seen {
			order = append(order, r.Constants)
		}
		reps[r.Constants] = max(reps[r.Constants], r.Rep+1)
	}
	var each []string
	for _, c := range order {
		n := fmt.Sprint(reps[c])
		if c != "" {
			n += " (" + c + ")"
		}
		each = append(each, n)
	}
	return fmt.Sprintf("`%s`: seed %d, replicates %s; %s.", s.Experiment.Name,
		rows[0].Seed, strings.Join(each, ", "), s.rows.origin())
}
