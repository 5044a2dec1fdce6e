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

// Simulation is an experiment together with its results, one row per run:
//
//	var benchmark = nb.Simulate(rage.Benchmark)
//
//	%%
//	benchmark.Figure()
type Simulation struct {
	// Experiment is the experiment that was passed to Simulate.
	Experiment study.Experiment

	rows    *rowCache
	results *study.Results
}

// Simulate returns an experiment together with its results, one row per run. If the environment
// variable PUREXP_REPS is set, its value is the number of replicates. Otherwise, the number of
// replicates is e.Reps.
//
// If rows of the experiment are published in the folder results, Simulate reads them. Otherwise,
// for example if you changed Delta, Simulate runs the simulation. The first call shows a progress
// bar, and stores the rows on disk for later cells and later runs of the notebook. If a simulation
// was interrupted, the next call continues it.
//
// The rows are stored in the folder named by PUREXP_CACHE. If PUREXP_CACHE is not set, the folder
// is build/cache in a checkout of the project, and purexp in the user's cache folder elsewhere. The
// file name depends on the code, and on the settings of the experiment, its policies and its reward
// distributions. Published rows from another version of the code are used only if a newly simulated
// sample of rows is identical. Simulate cannot detect changes in functions that a cell defines: if
// you change the code of a measure or bound there, also change its name.
func Simulate(e study.Experiment) *Simulation {
	s := &Simulation{Experiment: e, rows: newRowCache(e.Study())}
	if first(e) {
		s.Results()
		s.rows.announce()
	}
	return s
}

// Results returns the experiment with the rows of its runs.
func (s *Simulation) Results() *study.Results {
	if s.results == nil {
		s.results = s.Experiment.Results(s.rows.rows())
	}
	return s.results
}

// Figure shows the named figures of the experiment or, without names, all; the names are those of
// the files that `purexp report` writes.
func (s *Simulation) Figure(names ...string) {
	figures := Must(s.Results().Figures())
	if len(figures) == 0 {
		Fail(fmt.Errorf("nb: the experiment %s has no figures; show its tables", s.Experiment.Name))
	}
	var have []string
	for _, f := range figures {
		have = append(have, f.Name)
	}
	for _, name := range names {
		if !slices.Contains(have, name) {
			Fail(fmt.Errorf("nb: %s has no figure %q; the figures are %q", s.Experiment.Name, name, have))
		}
	}
	for _, f := range figures {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			continue
		}
		drawing, ok := f.Drawing.(*fig.Figure)
		if !ok {
			Fail(fmt.Errorf("nb: the figure %q is a %T; notebooks show only *fig.Figure", f.Name, f.Drawing))
		}
		Draw(drawing, nil)
	}
}

// Table shows the numbers of pulls of each method or, if the experiment has a budget, the error
// rates.
func (s *Simulation) Table() { Show(s.Results().Table()) }

// Tables shows all tables of the experiment, including bounds and measures.
func (s *Simulation) Tables() { Show(Must(s.Results().Tables())...) }

// Claims shows the claims of the paper about the experiment, with verdicts.
func (s *Simulation) Claims() { Show(s.Results().Judge()) }

// Colophon shows the version of the code, the machine, and how the rows of each simulation were
// obtained; call it at the end of a notebook.
func Colophon(of ...*Simulation) {
	Markdown("purexp (%s), %s, %s/%s, %d processors, %s.",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		time.Now().Format("2006-01-02"))
	for _, s := range of {
		Markdown("%s", s.colophon())
	}
}

// colophon describes the number of replicates of an experiment, and the time that their simulation
// took.
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
