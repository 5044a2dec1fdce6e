package policy

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

// gege is what GEGE shares between its two settings: stages of fresh rewards
// after a G-optimal design among the active arms (OptEstimator of the paper, its
// Algorithm 1).
type gege struct {
	o      outputs
	stage  int // r, from 1
	counts []int
	asked  bool // whether counts are those of the stage

	// The design is for solved active arms; active sets are nested.
	solved int
	rank   int              // h_r
	c      design.Criterion // nil if the active arms are independent
	d      *design.Design   // nil if the active arms are independent
	warn   []error
}

func (g *gege) init(prob *explore.Problem) error {
	g.stage, g.asked, g.solved, g.warn = 0, false, 0, nil
	if err := g.o.init(prob, true); err != nil {
		return err
	}
	g.counts = zeroed(g.counts, g.o.l.n)
	return nil
}

// solve computes the design for the active arms, unless they are those of the
// stage before. For independent arms, which every set of arms without features
// is, it is uniform.
func (g *gege) solve() error {
	active := g.o.active
	if g.solved == len(active) {
		return nil
	}
	g.solved, g.rank, g.c, g.d = len(active), len(active), nil, nil
	if g.o.fit == nil {
		return nil
	}
	x := mat.NewDense(len(active), g.o.l.m, nil)
	for r, i := range active {
		x.SetRow(r, g.o.l.item(i))
	}
	c, err := design.NewG(x)
	if err != nil {
		return err
	}
	if g.rank = c.Rank(); g.rank == len(active) {
		return nil
	}
	d, err := c.Solve(nil)
	if d == nil {
		return err
	}
	if err != nil {
		g.warn = append(g.warn, fmt.Errorf("policy: GEGE, stage %d: the design may need %.3g %% more pulls than the best one: %w", g.stage, 100*d.Gap(), err))
	}
	g.c, g.d = c, d
	return nil
}

// spend sets counts to at most n pulls, n being at least the rank: as many of
// each where the arms are independent, so that what is left over, which would
// improve no variance but some, is not spent.
func (g *gege) spend(n int) error {
	clear(g.counts)
	if g.d == nil {
		for _, i := range g.o.active {
			g.counts[i] = n / len(g.o.active)
		}
		return nil
	}
	a, err := design.Round(g.c, g.d.Weights, n, design.Best)
	if err != nil {
		return err
	}
	for p, i := range g.o.active {
		g.counts[i] = a.Counts[p]
	}
	return nil
}

// ask appends the pulls of the stage, which plan puts into counts when it
// begins.
func (g *gege) ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if g.o.over {
		return dst, nil
	}
	if !g.asked {
		g.stage++
		if err := g.solve(); err != nil {
			return dst, err
		}
		if err := plan(); err != nil {
			return dst, err
		}
		g.asked = true
	}
	for i, n := range g.counts {
		if n > 0 {
			dst = append(dst, explore.Pull{Arm: g.o.l.first[i], N: n})
		}
	}
	return dst, nil
}

// tell takes the rewards of a stage, which uses no others, and classifies the
// active arms.
func (g *gege) tell(obs []explore.Batch) error {
	g.asked = false
	g.o.forget()
	g.o.add(obs)
	if g.d == nil {
		g.o.averages()
	} else if err := g.o.leastSquares(); err != nil {
		return err
	}
	g.o.classify()
	return nil
}

// Warnings implements explore.Warner.
func (g *gege) Warnings() []error { return g.warn }
