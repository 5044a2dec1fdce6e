// Command example sweeps a policy that is not part of purexp over instances of its own. Copy it to
// a module of yours, and change policy and grid.
package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

func main() { sweepcmd.Main(grid) }

// grid returns the runs of a study. Its name is what "new" is called with; this program has only
// one.
func grid(study string, reps int, seed uint64) (*mc.Grid, error) {
	g := &mc.Grid{Study: study, Reps: reps, Seed: seed}
	if reps == 0 {
		g.Reps = 1000
	}
	for _, gap := range []float64{0.1, 0.2, 0.4} {
		inst, err := steps(gap)
		if err != nil {
			return nil, err
		}
		g.Instances = append(g.Instances, inst)
	}
	for _, n := range []int{10, 100} {
		g.Methods = append(g.Methods, mc.Method{
			Name: fmt.Sprintf("drop after %d", n),
			New:  func() explore.Policy { return &dropWorst{N: n} },
		})
	}
	return g, nil
}

// steps is an instance with 8 arms, each better than the one before it by gap.
func steps(gap float64) (*bandit.Instance, error) {
	means := mat.NewDense(8, 1, nil)
	for i := range 8 {
		means.Set(i, 0, gap*float64(i))
	}
	law, err := bandit.NewGaussian(means, mat.NewSymDense(1, []float64{1}))
	if err != nil {
		return nil, err
	}
	return &bandit.Instance{
		Name:    fmt.Sprintf("steps of %g", gap),
		Problem: &explore.Problem{Arms: 8, Sigma: 1, Question: question.Best{}},
		Law:     law,
	}, nil
}

// dropWorst pulls each arm that is left N times, drops the worst, and goes on until one is left.
// Settings are exported fields, by which files of rows tell policies apart; all randomness comes
// from the source that Init is given.
type dropWorst struct {
	N int

	left []int
	sum  []float64
}

func (p *dropWorst) Init(prob *explore.Problem, _ rand.Source) error {
	p.left, p.sum = nil, make([]float64, prob.K())
	for arm := range prob.K() {
		p.left = append(p.left, arm)
	}
	return nil
}

func (p *dropWorst) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if len(p.left) > 1 {
		for _, arm := range p.left {
			dst = append(dst, explore.Pull{Arm: arm, N: p.N})
		}
	}
	return dst, nil
}

func (p *dropWorst) Tell(obs []explore.Batch) error {
	for _, b := range obs {
		p.sum[b.Arm] += b.Sum[0]
	}
	worst := slices.MinFunc(p.left, func(a, b int) int { return cmp.Compare(p.sum[a], p.sum[b]) })
	p.left = slices.DeleteFunc(p.left, func(arm int) bool { return arm == worst })
	return nil
}

func (p *dropWorst) Answer() explore.Answer { return explore.Answer{Items: slices.Clone(p.left)} }
