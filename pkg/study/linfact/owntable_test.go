package linfact

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/study"
)

// A figure of the paper is only named where its instance is drawn.
func TestOwnTableIsNotThePapers(t *testing.T) {
	table := dataset.FreeWilson{Epsilon: 1.5, Sigma: .5, Sites: []dataset.Site{
		{Name: "A", Substituents: []string{"H", "Me"}, Contributions: []float64{1, 2}},
		{Name: "B", Substituents: []string{"H", "Cl"}, Contributions: []float64{0, 2}},
	}}
	e := FreeWilson("mine/drugs", "Four compounds", table).Only(LinFACTXY, LinFACTG)
	e.Sizes, e.Bounds = []int{10, 50}, nil
	grid, err := e.Grid(study.Options{Reps: 2})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := grid.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	figures, err := freeWilsonFigures(e.Results(rows))
	if err != nil || len(figures) == 0 {
		t.Fatal(len(figures), err)
	}
	for _, f := range figures {
		if strings.Contains(f.Caption, "Fig") || strings.Contains(f.Caption, "paper") {
			t.Errorf("%s: %s", f.Name, f.Caption)
		}
	}
	if e := DrugDiscovery; e.Source != "Fig. 8" || len(e.Claims) != len(drugClaims) {
		t.Errorf("the paper's: %q, %d claims", e.Source, len(e.Claims))
	}
}
