// Package study holds what the reproductions of papers share: a [Study] makes a
// grid of runs, figures and tables of their rows, and claims of the paper with a
// verdict on each.
//
//	s := rage.Benchmark.Study()             // an experiment of package study/rage
//	g, err := s.Grid(study.Options{Reps: 5})
//	rows, err := g.Run(ctx)
//	fmt.Println(study.Judge(s.Claims(), rows).Text())
//
// An [Experiment] says in plain values what is run: sizes, instances, methods,
// bounds, claims. A [Paper] lists its experiments. Each paper is a package below
// this one.
package study

import (
	"strings"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Study is what is run, and reported on, as a whole: a Paper or one Experiment.
type Study struct {
	Name  string // as on the command line
	Title string
	Paper string // reference, or the place in the paper
	// Reps is the number of replicates by default: the paper's, the largest of all experiments.
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
	// Reps is the number of replicates of each method in each experiment. Zero means the
	// experiment's own; methods that have fewer replicates keep their proportion.
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

// Scaled returns the number of replicates of a part of a study. By default the part has own
// replicates and the whole study has reps; other numbers keep that proportion.
func (o Options) Scaled(own, reps int) int {
	if o.Reps == 0 {
		return own
	}
	return max(1, (own*o.Reps+reps-1)/reps)
}

// FileName is the name of a file of the study's rows, without ending.
func (s Study) FileName() string { return strings.ReplaceAll(s.Name, "/", "-") }
