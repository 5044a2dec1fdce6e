package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/wire"
)

// A guest policy joins each cell whose question it answers, once. The guest has its own name, the error
// probability of the cell, and as many replicates as the method with the most replicates.
func TestJoin(t *testing.T) {
	light(t)
	bin := filepath.Join(installed(t), "purexp")
	e, err := named("ecape")
	if err != nil {
		t.Fatal(err)
	}
	grid, err := e.Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		instance     string
		size, budget int
		delta        float64
	}
	most := map[place]int{}
	at := func(c mc.Cell) place { return place{c.Instance.Name, c.Size, c.Budget, c.Method.Delta} }
	for i := range grid.Cells {
		c := &grid.Cells[i]
		c.Method.Reps += i % 3 // some methods have more replicates
		most[at(*c)] = max(most[at(*c)], c.Method.Reps)
	}
	again := grid.Cells[0] // the same cell with another error probability
	again.Method.Delta = .01
	grid.Cells, most[at(again)] = append(grid.Cells, again), again.Method.Reps
	own := len(grid.Cells)
	for _, x := range []struct {
		policy string
		joins  bool
	}{{"e-cAPE", true}, {"LUCB", false}} {
		g := guestFlag{exec: bin + " policy " + x.policy, quiet: true}
		pool := wire.NewPool(wire.Options{Command: []string{bin, "policy", x.policy}})
		got := &mc.Grid{Cells: grid.Cells[:own:own]}
		err := g.join(got, pool, "mine")
		pool.Close()
		if !x.joins {
			if err == nil || len(got.Cells) != own || !strings.Contains(err.Error(), x.policy+": the policy answers none of the questions") {
				t.Errorf("%s joins a study of questions that it does not answer: %v", x.policy, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		joined := map[place]int{}
		for _, c := range got.Cells[own:] {
			if joined[at(c)]++; c.Method.Name != "mine" || c.Method.Reps != most[at(c)] {
				t.Errorf("%+v: %s joins with %d replicates; want mine, with %d", at(c), c.Method.Name,
					c.Method.Reps, most[at(c)])
			}
		}
		for p := range most {
			if joined[p] != 1 {
				t.Errorf("%+v: joined %d times", p, joined[p])
			}
		}
	}
}

// In a study with fixed budgets, a guest policy gets the budget of each cell that it joins. In other studies, the
// guest gets the error probability of the cell.
func TestJoinBudgets(t *testing.T) {
	bin := filepath.Join(installed(t), "purexp")
	for name, policy := range map[string]string{"gege/noc-budget": "EGE-SR", "gege/noc-confidence": "APE", "rage/fixed-budget": "PEACE", "linfact/free-wilson-synthetic": "LinFACT-G"} {
		e, err := named(name)
		if err != nil {
			t.Fatal(err)
		}
		grid, err := e.Grid(study.Options{Reps: 1})
		if err != nil {
			t.Fatal(err)
		}
		own := len(grid.Cells)
		g := guestFlag{exec: bin + " policy " + policy, quiet: true}
		pool := wire.NewPool(wire.Options{Command: []string{bin, "policy", policy}})
		err = g.join(grid, pool, "mine")
		pool.Close()
		if err != nil || len(grid.Cells) == own {
			t.Fatalf("%s: %d of %d cells, %v", name, len(grid.Cells)-own, own, err)
		}
		type place struct {
			instance     string
			size, budget int
			delta        float64
		}
		joined := map[place]int{}
		for i, c := range grid.Cells {
			p := place{c.Instance.Name, c.Size, c.Budget, c.Method.Delta}
			switch {
			case i >= own:
				joined[p]++
			case c.Budget == 0 || c.Budget >= c.Instance.Problem.K(): // the budget is large enough to begin
				joined[p] = 0
			}
		}
		for p, n := range joined {
			if n != 1 {
				t.Errorf("%s: %+v has %d guests; want one", name, p, n)
			}
		}
		for _, c := range grid.Cells[own:] {
			guest := c.Method.New().(*entrant).Guest
			if guest.Budget != c.Budget || (c.Budget > 0) != strings.HasSuffix(name, "-budget") || c.Budget == 0 && guest.Delta != c.Method.Delta {
				t.Errorf("%s, budget %d, delta %v: the guest has %d and %v", name, c.Budget, c.Method.Delta, guest.Budget, guest.Delta)
			}
		}
	}
}
