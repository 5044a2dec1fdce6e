package gege

import (
	"fmt"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/study"
)

// distribution shows the numbers of pulls of an experiment of one size as distributions, as the
// paper's Fig. 4 and 7 do: a panel for each kind of constants, like beside like.
func distribution(r *study.Results) ([]study.Figure, error) {
	runs := r.Runs()
	if len(runs) == 0 {
		return nil, nil
	}
	e := r.Experiment
	for i := range runs {
		if runs[i].Instance = "constants: " + runs[i].Constants; runs[i].Constants == "" {
			runs[i].Instance = "no constants to choose"
		}
		runs[i].Constants = ""
	}
	title := fmt.Sprintf("%s: pulls until stopping at delta = %v", e.Title, e.Delta)
	f, err := fig.SampleComplexity(runs, &fig.RowOptions{Title: title, Palette: e.Palette})
	if err != nil {
		return nil, fmt.Errorf("%s: figure: %w", e.Name, err)
	}
	return []study.Figure{{Name: e.ShortName(), Drawing: f,
		Caption: title + " (paper: " + e.Where() + ")."}}, nil
}
