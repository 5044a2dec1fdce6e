package theorems_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/rage"
	"github.com/purexp/purexp/pkg/study/theorems"
	"github.com/purexp/purexp/pkg/tidy"
)

// Theorems in numbers are those that were read, column by column, with units and rounding; where an instance cannot be had, what is
// done before it is there.
func TestTablesStay(t *testing.T) {
	few := func(e study.Experiment, sizes ...int) study.Experiment { e.Sizes = sizes; return e }
	items, err := rage.BenchmarkInstance(5, .1)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	add := func(table *tidy.Table, err error) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n%s%s\n\n", table.Title, golden.Steady(table.CSV()), strings.Join(table.Notes, "\n"))
	}
	add(theorems.ECAPE(2, few(ecape.Concept, 5, 10)))
	add(theorems.GEGEFixedBudget(3, few(gege.SyntheticBudget, 10, 20, 50), few(gege.EnergyBudget, 10000)))
	add(theorems.GEGEFixedConfidence(2, few(gege.SyntheticConfidence, 10, 20)))
	add(theorems.LinFACT(2, linfact.Synthetic, 2, 7))
	add(theorems.RAGELemma1(items))
	add(theorems.RAGEProposition1(rage.PropositionInstance, .1, 2, 4))
	golden.Check(t, "tables.txt", out.String())

	broken, none := few(ecape.Concept, 5, 6), errors.New("no table")
	broken.Instance = func(size, draw int) (*bandit.Instance, error) {
		if size == 6 {
			return nil, none
		}
		return ecape.Concept.Instance(size, draw)
	}
	if table, err := theorems.ECAPE(1, broken, broken); !errors.Is(err, none) || len(table.Rows) != 1 {
		t.Errorf("%v, %v", table, err)
	}
}
