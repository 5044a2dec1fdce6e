package pareto

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Stages is what GEGE shares between its two settings: stages of fresh rewards
// after a G-optimal design among the active arms (OptEstimator of the paper, its
// Algorithm 1).
type Stages struct {
	Outputs Outputs
	Stage   int // r, from 1
	counts  []int
	asked   bool // whether counts are those of the stage

	Method design.Method // computes designs

	// The design is for solved active arms; active sets are nested.
	solved    int
	Rank      int              // h_r
	criterion design.Criterion // nil if the active arms are independent
	Design    *design.Design   // nil if the active arms are independent
	Warn      []error
}

// Init prepares for prob.
func (g *Stages) Init(prob *explore.Problem) error {
	g.Stage, g.asked, g.solved, g.Warn = 0, false, 0, nil
	if err := g.Outputs.Init(prob, true); err != nil {
		return err
	}
	g.counts = memory.Zeroed(g.counts, g.Outputs.Model.N)
	return nil
}

// solve computes the design for the active arms, unless they are those of the
// stage before. For independent arms, which every set of arms without features
// is, it is uniform.
func (g *Stages) solve() error {
	active := g.Outputs.Active
	if g.solved == len(active) {
		return nil
	}
	g.solved, g.Rank, g.criterion, g.Design = len(active), len(active), nil, nil
	if g.Outputs.Fit == nil {
		return nil
	}
	x := mat.NewDense(len(active), g.Outputs.Model.Rank, nil)
	for r, i := range active {
		x.SetRow(r, g.Outputs.Model.Item(i))
	}
	c, err := design.NewG(x)
	if err != nil {
		return err
	}
	if g.Rank = c.Rank(); g.Rank == len(active) {
		return nil
	}
	d, err := c.Solve(&design.Options{Method: g.Method})
	if d == nil {
		return err
	}
	if err != nil {
		g.Warn = append(g.Warn, fmt.Errorf("policy: GEGE, stage %d: %w", g.Stage, d.Warning(err)))
	}
	g.criterion, g.Design = c, d
	return nil
}

// Spend sets counts to at most n pulls, n being at least the rank: as many of
// each where the arms are independent, so that what is left over, which would
// improve no variance but some, is not spent.
func (g *Stages) Spend(n int) error {
	clear(g.counts)
	if g.Design == nil {
		for _, i := range g.Outputs.Active {
			g.counts[i] = n / len(g.Outputs.Active)
		}
		return nil
	}
	a, err := design.Round(g.criterion, g.Design.Weights, n, design.Best)
	if err != nil {
		return err
	}
	for p, i := range g.Outputs.Active {
		g.counts[i] = a.Counts[p]
	}
	return nil
}

// Ask appends the pulls of the stage, which plan puts into counts when it
// begins.
func (g *Stages) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if g.Outputs.Over {
		return dst, nil
	}
	if !g.asked {
		g.Stage++
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
			dst = append(dst, explore.Pull{Arm: g.Outputs.Model.First[i], N: n})
		}
	}
	return dst, nil
}

// Tell takes the rewards of a stage, which uses no others, and classifies the
// active arms.
func (g *Stages) Tell(obs []explore.Batch) error {
	g.asked = false
	g.Outputs.Forget()
	g.Outputs.Add(obs)
	if g.Design == nil {
		g.Outputs.Averages()
	} else if err := g.Outputs.LeastSquares(); err != nil {
		return err
	}
	g.Outputs.Classify(nil)
	return nil
}

// Warnings implements explore.Warnings.
func (g *Stages) Warnings() []error { return g.Warn }

// Cover sets counts to n pulls in the proportions of the design, rounded up for
// each arm.
func (g *Stages) Cover(n float64) {
	clear(g.counts)
	for p, i := range g.Outputs.Active {
		w := 1 / float64(len(g.Outputs.Active))
		if g.Design != nil {
			w = g.Design.Weights[p]
		}
		g.counts[i] = linear.Ceil(n * w)
	}
}
