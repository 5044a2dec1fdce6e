package nb

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

// ShowParts shows what each part of a model of Free and Wilson loses to the best one at its place, beside what a combination
// may lose in all, and which parts are in the answer of r: a run on the instance of f.
func ShowParts(f dataset.FreeWilson, r *explore.Result) {
	Fail(ran("ShowParts", r))
	Show(Must(partsTable(f, r)))
}

func partsTable(f dataset.FreeWilson, r *explore.Result) (*tidy.Table, error) {
	sites, err := f.Contributions()
	if err != nil {
		return nil, err
	}
	inst, err := f.Instance()
	if err != nil {
		return nil, err
	}
	combinations, best := inst.Problem.M(), f.Base
	in := make([][]bool, len(sites))
	for i, s := range sites {
		best += slices.Max(s.Contributions)
		in[i] = make([]bool, len(s.Contributions))
	}
	// Combinations are counted with the last place first.
	for _, item := range r.Answer.Items {
		if item >= combinations {
			return nil, errors.New("nb: ShowParts: the result is not one of the model's instance")
		}
		for i := len(sites) - 1; i >= 0; i-- {
			n := len(sites[i].Contributions)
			in[i][item%n] = true
			item /= n
		}
	}
	t := &tidy.Table{
		Title: fmt.Sprintf("%d of %d combinations are good enough: what their parts lose adds up to at most %.3g",
			len(r.Answer.Items), combinations, best-inst.Problem.Question.(question.AllEpsilonBest).Threshold(best)),
		Columns: tidy.Columns("place", "part", "loses to the best there", "in a good one"),
	}
	for i, site := range sites {
		for j, v := range site.Contributions {
			t.Rows = append(t.Rows, []any{site.Name, site.Substituents[j], slices.Max(site.Contributions) - v, in[i][j]})
		}
	}
	return t, nil
}
