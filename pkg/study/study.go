// Package study is what the reproductions of papers share: a study is a grid of
// runs, figures and tables of their rows, and claims of the paper with a verdict
// on each. The studies themselves are the packages below this one.
package study

import (
	"fmt"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Study reproduces the experiments of a paper.
type Study struct {
	Name  string // as on the command line
	Title string
	Paper string // reference
	// Reps is the number of replicates by default: the paper's.
	Reps int
	// Grid returns the runs of the study.
	Grid func(Options) (*mc.Grid, error)
	// Tables and Figures present rows; Claims judges them.
	Tables  func(rows []mc.Row) ([]*tidy.Table, error)
	Figures func(rows []mc.Row) ([]Figure, error)
	Claims  func() []Claim
}

// Options of a study. The zero value is the study as published here.
type Options struct {
	// Reps is the number of replicates. Zero means the study's own; the
	// parts of a study that have fewer replicates keep their proportion.
	Reps int
	// Seed is the root of all random streams. Zero means 1.
	Seed uint64
	// Workers and Shard are as in mc.Grid.
	Workers int
	Shard   mc.Shard
}

// Root returns the seed.
func (o Options) Root() uint64 {
	if o.Seed == 0 {
		return 1
	}
	return o.Seed
}

// Scaled returns how many replicates a part of a study has that has own ones
// when the whole has reps.
func (o Options) Scaled(own, reps int) int {
	if o.Reps == 0 {
		return own
	}
	return max(1, (own*o.Reps+reps-1)/reps)
}

// A Drawing can be written to a file whose name's ending gives its format.
type Drawing interface {
	WriteFile(path string) error
}

// A Figure is a drawing with its place in a report.
type Figure struct {
	Name    string // of its file, without ending
	Caption string
	Drawing Drawing
}

// A Claim is what a paper asserts about its experiments.
type Claim struct {
	ID        string
	Source    string // "Fig. 4, left"
	Statement string
	// Check judges the claim by the rows of the study.
	Check func(rows []mc.Row) Verdict
}

// An Outcome is the result of judging a claim.
type Outcome int

// The outcomes.
const (
	NotComparable Outcome = iota // what the paper did cannot be known, or was not run
	Agrees
	Differs
)

// String returns the outcome in words.
func (o Outcome) String() string {
	return [...]string{"not comparable", "agrees", "differs"}[o]
}

// A Verdict is a judgement with what was measured, intervals included, and one
// sentence of why.
type Verdict struct {
	Outcome  Outcome
	Measured string
	Why      string
}

// Judge returns the table of claims with their verdicts on rows.
func Judge(claims []Claim, rows []mc.Row) *tidy.Table {
	t := &tidy.Table{
		Title:   "Claims",
		Columns: []tidy.Column{{Name: "claim"}, {Name: "source"}, {Name: "statement"}, {Name: "verdict"}, {Name: "measured"}, {Name: "why"}},
	}
	count := map[Outcome]int{}
	for _, c := range claims {
		v := c.Check(rows)
		count[v.Outcome]++
		t.Rows = append(t.Rows, []any{c.ID, c.Source, c.Statement, v.Outcome.String(), v.Measured, v.Why})
	}
	t.Notes = []string{fmt.Sprintf("%d agree, %d differ, %d not comparable.", count[Agrees], count[Differs], count[NotComparable])}
	return t
}

// Missing is the verdict where rows that a claim needs were not run.
func Missing(what string) Verdict {
	return Verdict{NotComparable, "-", "no runs of " + what}
}
