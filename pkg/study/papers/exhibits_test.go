package papers_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/study/designs"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/study/rage"
	"github.com/purexp/purexp/pkg/study/theorems"
	"github.com/purexp/purexp/pkg/tidy"
)

// Tables, figures and verdicts of the published rows have the digests in testdata. Two small selections of the rows
// also have digests. One selection has three runs of each method (with -short, only this selection is tested). Another
// selection has one run, and every third method is missing at each size. `purexp report STUDY --output FOLDER` shows
// the exhibits behind a changed line.
func TestExhibits(t *testing.T) {
	all := []study.Study{arena.Study()}
	parts := map[string][]study.Study{"arena": all}
	for _, p := range papers.All() {
		all = append(all, p.Study())
		for _, e := range p.Experiments {
			parts[p.Name] = append(parts[p.Name], e.Study())
		}
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			if t.Parallel(); testing.Short() && s.Name == "arena" {
				t.Skip("skipped: bounds are solved anew, which takes a while")
			}
			var rows []mc.Row
			for _, e := range parts[s.Name] {
				own, _, err := published.Read(e)
				if err != nil {
					t.Fatal(err)
				}
				rows = append(rows, own...)
			}
			var out strings.Builder
			if !testing.Short() {
				exhibits(t, &out, s, rows)
				golden.Check(t, s.Name+".txt", out.String())
			}
			if s.Name == "arena" { // the tables of the arena are slow, because bounds are computed again each time
				return
			}
			cells := map[mc.Key]int{}
			for i := range rows {
				if _, ok := cells[rows[i].Key()]; !ok {
					cells[rows[i].Key()] = len(cells)
				}
			}
			var few, gaps []mc.Row
			for _, r := range rows {
				if r.Rep < 3 {
					few = append(few, r)
				}
				if r.Rep == 0 && cells[r.Key()]%3 > 0 {
					gaps = append(gaps, r)
				}
			}
			out.Reset()
			exhibits(t, &out, s, few)
			golden.Check(t, s.Name+"-few.txt", out.String())
			if testing.Short() {
				return
			}
			out.Reset()
			exhibits(t, &out, s, gaps)
			golden.Check(t, s.Name+"-gaps.txt", out.String())
		})
	}
}

// exhibits writes a line for each table, figure and verdict of rows.
func exhibits(t *testing.T, out *strings.Builder, s study.Study, rows []mc.Row) {
	t.Helper()
	line := func(kind, name string, content []byte) {
		sum := sha256.Sum256(content)
		fmt.Fprintf(out, "%s %s: %x\n", kind, name, sum[:8])
	}
	tables, err := s.Tables(rows)
	if err != nil { // too many rows are missing
		line("no tables,", err.Error(), nil)
	}
	for _, x := range tables {
		if !strings.HasPrefix(x.Title, "Runtime") { // tables of run times depend on this machine's clock
			line("table", x.Title, []byte(x.Markdown()))
		}
	}
	figures, err := s.Figures(rows)
	if err != nil {
		figures = nil
		line("no figures,", err.Error(), nil)
	}
	for _, f := range figures {
		path := filepath.Join(t.TempDir(), "figure.svg")
		if err := f.Drawing.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		drawing, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line("figure", f.Name, drawing)
	}
	claims := slices.DeleteFunc(s.Claims(), func(c study.Claim) bool { return c.Basis == study.Clock })
	for _, row := range study.Judge(claims, rows).Rows {
		line("claim", fmt.Sprintf("%v, %v", row[0], row[5]), fmt.Append(nil, row...))
	}
}

// Exhibits that notebooks make from instances instead of rows also have the digests in testdata.
func TestExhibitsOfInstances(t *testing.T) {
	plane, err := rage.ManyArmsNormalInstance(12, .3, 0)
	if err != nil {
		t.Fatal(err)
	}
	items, err := rage.BenchmarkInstance(5, .1)
	if err != nil {
		t.Fatal(err)
	}
	few := func(e study.Experiment, sizes ...int) study.Experiment {
		e.Sizes = sizes
		return e
	}
	s := study.Study{
		Claims: func() []study.Claim { return nil },
		Tables: func([]mc.Row) (all []*tidy.Table, err error) {
			var errs []error
			add := func(x *tidy.Table, err error) { all, errs = append(all, x), append(errs, err) }
			add(theorems.ECAPE(3, few(ecape.Concept, ecape.Concept.Sizes[:2]...), ecape.ClinicalTrials))
			add(theorems.GEGEFixedBudget(3, few(gege.SyntheticBudget, 10, 20), gege.NoCBudget, gege.EnergyBudget))
			add(theorems.GEGEFixedConfidence(3, few(gege.SyntheticConfidence, 10, 20)))
			add(theorems.LinFACT(5, linfact.Synthetic, 1, 2, 3, 7, 8, 9))
			add(theorems.RAGELemma1(items))
			add(theorems.RAGEProposition1(rage.PropositionInstance, .1, 2, 4, 8))
			add(designs.Shares(plane))
			add(designs.Certificates(plane, items))
			add(designs.MirrorDescent(plane, 1e-3))
			add(designs.Roundings(plane, 20, 30, 45))
			add(designs.LastStage(gege.EnergyBudget, 10000))
			add(designs.LastStage(gege.NoCBudget, 4000))
			return all, errors.Join(errs...)
		},
		Figures: func([]mc.Row) ([]study.Figure, error) { return nil, nil },
	}
	var out strings.Builder
	exhibits(t, &out, s, nil)
	golden.Check(t, "instances.txt", out.String())
}
