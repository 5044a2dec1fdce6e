package main

import (
	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

func newSweep() *cobra.Command {
	return sweepcmd.New(func(name string, reps int, seed uint64) (*mc.Grid, error) {
		s, err := named(name)
		if err != nil {
			return nil, err
		}
		return s.Grid(study.Options{Reps: reps, Seed: seed})
	})
}
