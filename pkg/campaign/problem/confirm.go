package problem

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// Confirming measurements: so many of each of so many candidates.
const (
	Replicates = 3
	Finalists  = 4
)

// few is the number of replicates, results beyond the first of a candidate, below which noise that is
// larger than declared may not show.
const few = 4

// Confirming returns the number of confirming measurements with which a campaign ends after n
// measurements of each candidate: those of the candidates of the answer and their closest rivals.
// Where the method uses features they say without them whether the answer is as these let expect. Else
// they are replicates that show noise which is larger than declared, if there are hardly any, of
// candidates that were measured: what known values decide needs none. It is 0 if there is no need, and
// if Method.Confirm does not ask for them, or a fixed budget has no measurements left for it.
func (c *Compiled) Confirming(n []int) int {
	p, measured, replicates := c.Source, 0, 0
	for _, n := range n {
		measured += min(n, 1)
		replicates += max(n-1, 0)
	}
	switch {
	case p.Method.Confirm == nil || !*p.Method.Confirm || c.Budget > 0:
		return 0
	case c.Linear():
		return Replicates * min(Finalists, p.K())
	case replicates < few && c.declaresSD():
		return Replicates * min(Finalists, measured)
	}
	return 0
}

// declaresSD reports whether a standard deviation of noise is declared, which replicates can show to
// be too small.
func (c *Compiled) declaresSD() bool {
	return slices.ContainsFunc(c.Source.Objectives, func(o Objective) bool {
		return !o.Known && (o.Noise.SD != nil || o.Noise.Pilot != nil && o.Noise.Pilot.Rewards == 0)
	})
}

// Linear reports whether an answer rests on means that are linear in features of which there are
// fewer than candidates.
func (c *Compiled) Linear() bool {
	x := c.Source.Candidates.Features
	if x == nil || !c.Card.Uses.Has(explore.UsesFeatures) {
		return false
	}
	switch c.Problem.Question.(type) {
	case question.Best, question.AllEpsilonBest, question.Pareto:
	default:
		return false
	}
	all := mat.NewDense(len(x), len(x[0]), nil)
	for i, row := range x {
		all.SetRow(i, row)
	}
	return lsq.NewSpan(all).Rank() < len(x)
}
