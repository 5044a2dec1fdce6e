package linfact

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// Threshold shows what a form of LinFACT knows after some rounds of the first run on an instance of
// e: the estimates of the arms with the intervals of the round in which they were last estimated,
// the threshold, and which arms are kept, rejected and undecided. Rounds that the run does not have
// are left out.
func Threshold(e study.Experiment, method string, size, draw, rounds int) (*fig.Figure, error) {
	if rounds < 1 {
		return nil, fmt.Errorf("linfact: Threshold after %d rounds; want at least 1", rounds)
	}
	m, ok := e.Method(method, Theory)
	if !ok {
		return nil, fmt.Errorf("linfact: %s has no %s with constants %q; it has %q", e.Name, method,
			Theory,
			e.MethodNames())
	}
	in, err := e.At(size, draw)
	if err != nil {
		return nil, err
	}
	know := &knowledge{x: in.Problem.X}
	k := in.Problem.K()
	know.arms = fig.ThresholdArms{
		Names: in.Problem.ArmNames, Estimates: make([]float64, k), Lo: make([]float64, k),
		Hi: make([]float64, k), Verdicts: make([]fig.Verdict, k),
		Truth: means(study.Task{Instance: in}),
	}
	set := &explore.Settings{MaxRounds: rounds, Recorder: know}
	r, err := e.Replay(m, in, size, 0, set)
	if err != nil && !errors.Is(err, explore.RoundLimit.Err()) {
		return nil, err
	}
	best := math.Inf(-1)
	for _, v := range know.arms.Estimates {
		best = max(best, v)
	}
	know.arms.Level = in.Problem.Question.(question.AllEpsilonBest).Threshold(best)
	return fig.Threshold(know.arms, &fig.ThresholdOptions{
		Title: fmt.Sprintf("%s on %s after %d rounds, %d pulls", method, in.Name, r.Rounds,
			r.Pulls),
	})
}

// knowledge is what a run knows, from what is recorded of it.
type knowledge struct {
	x    *mat.Dense
	arms fig.ThresholdArms
}

// Record implements explore.Recorder: arms that were undecided before the round, or kept and
// possibly the best, are estimated by least squares from its rewards.
func (k *knowledge) Record(e explore.Event) error {
	theta, err := leastSquares(k.x, e.Obs)
	if err != nil {
		return err
	}
	radius := math.Ldexp(1, -e.Round)
	for i, r := range e.Policy.Answer().Reasons {
		if k.arms.Verdicts[i] != fig.Undecided {
			continue
		}
		v := mat.Dot(k.x.RowView(i), theta)
		k.arms.Estimates[i], k.arms.Lo[i], k.arms.Hi[i] = v, v-radius, v+radius
		switch r.Class {
		case explore.Optimal:
			k.arms.Verdicts[i] = fig.Kept
		case explore.Dominated:
			k.arms.Verdicts[i] = fig.Rejected
		}
	}
	return nil
}

// leastSquares returns the parameter of least norm that fits rewards best.
func leastSquares(x *mat.Dense, obs []explore.Batch) (*mat.VecDense, error) {
	_, h := x.Dims()
	v, b := mat.NewSymDense(h, nil), mat.NewVecDense(h, nil)
	for _, o := range obs {
		v.SymRankOne(v, float64(o.N), x.RowView(o.Arm))
		b.AddScaledVec(b, o.Sum[0], x.RowView(o.Arm))
	}
	var svd mat.SVD
	if !svd.Factorize(v, mat.SVDThin) {
		return nil, errors.New("linfact: the information of a round cannot be factorised")
	}
	theta := mat.NewVecDense(h, nil)
	if rank := svd.Rank(1e-10); rank > 0 {
		svd.SolveVecTo(theta, b, rank)
	}
	return theta, nil
}
