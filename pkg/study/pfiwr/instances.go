package pfiwr

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are those of the paper's random instances.
const (
	arms     = 10  // K in the paper
	features = 10  // d in the paper
	delta    = .1  // error probability in all experiments
	spread   = 1.0 // radius within which changing contexts vary, before features are scaled
)

// Linear returns the reward distribution in sections 5.1 and 5.2. For each feature, the ten mean
// contexts are Gaussian with variance 1 and correlation rho. Contexts are constant, or change
// uniformly in balls of radius spread around their means. The noise of rewards has variance 1.
// Theta has a column for each objective. With one objective, all entries of theta are 1/sqrt(10),
// as in section 5.1. With several objectives, entries of theta are uniform in [-1, 1], as in
// section 5.2. Contexts are divided by the largest possible length of a context; see
// bandit.Contextual.Scale.
func Linear(rho, spread float64, objectives, draw int) (*bandit.Contextual, error) {
	if !(rho >= 0 && rho < 1) {
		return nil, fmt.Errorf("pfiwr: rho is %v; expected a correlation of at least 0 and below 1", rho)
	}
	if objectives < 1 {
		return nil, fmt.Errorf("pfiwr: %d objectives; expected at least 1", objectives)
	}
	rnd := study.Stream("pfiwr", objectives, draw)
	x, theta := mat.NewDense(arms, features, nil), mat.NewDense(features, objectives, nil)
	for j := range features {
		common := math.Sqrt(rho) * rnd.NormFloat64()
		for k := range arms {
			x.Set(k, j, common+math.Sqrt(1-rho)*rnd.NormFloat64())
		}
	}
	theta.Apply(func(_, _ int, _ float64) float64 {
		if objectives == 1 {
			return 1 / math.Sqrt(features)
		}
		return 2*rnd.Float64() - 1
	}, theta)
	return bandit.NewContextual(x, theta, spread, 1)
}

// fixed returns the instance in which the mean contexts of law are known features.
func fixed(name string, law *bandit.Contextual, eps float64) (*bandit.Instance, error) {
	return bandit.NewLinear(name, &explore.Problem{
		X: law.Features(), Objectives: law.Theta().RawMatrix().Cols, Sigma: 1, NormSigma: 1,
		Question: question.Pareto{Epsilon: eps},
	}, law.Theta())
}

// Epsilons are the relaxations in Table 1, and llvmNames are the names of the instances with these
// relaxations.
var (
	Epsilons  = []float64{.0001, .01, 1}
	llvmNames = []string{"SW-LLVM eps=0.0001", "SW-LLVM eps=0.01", "SW-LLVM eps=1"}
)

// llvm returns the instance SW-LLVM with a relaxation.
func llvm(size, _ int) (*bandit.Instance, error) {
	inst, err := dataset.LLVM{}.Instance()
	if err != nil {
		return nil, err
	}
	return dataset.Ask(inst, question.Pareto{Epsilon: Epsilons[size]})
}

var readingNames = []string{
	llvmNames[1], "objectives drawn separately", "flags as contexts", "flags as contexts, eps=1",
}

// reading returns the instance SW-LLVM under one of the readings.
func reading(size, _ int) (*bandit.Instance, error) {
	inst, err := dataset.LLVM{PerObjective: size == 1, Flags: size >= 2}.Instance()
	if err != nil {
		return nil, err
	}
	eps := Epsilons[1]
	if size == 3 {
		eps = Epsilons[2]
	}
	return dataset.Ask(inst, question.Pareto{Epsilon: eps})
}

// parameterNorm returns the maximum over objectives of the norm of the parameters of a linear
// instance.
func parameterNorm(t study.Task) float64 {
	most := 0.
	for c := range t.Instance.Problem.D() {
		most = max(most, mat.Norm(t.Instance.Theta.ColView(c), 2))
	}
	return most
}

// llvmNorm is a bound on the norm of the parameters of SW-LLVM, in units of its noise. Because
// features are unit vectors, the parameters of an objective are the 16 means.
const llvmNorm = 4.0

// widthNames are the names of the instances of Widths. The noise of rewards has variance 1.
var widthNames = []string{"easy", "easy, contexts change", "tight", "gap 0.005"}

// withWidth returns an instance of the experiment Widths.
func withWidth(size, _ int) (*bandit.Instance, error) {
	q, name := question.Pareto{}, widthNames[size]
	basis := func(theta *mat.Dense) (*bandit.Instance, error) {
		k, d := theta.Dims()
		return bandit.NewLinear(name, &explore.Problem{
			X: study.Basis(k, k), Objectives: d, Sigma: 1, NormSigma: 1, Question: q,
		}, theta)
	}
	// In both objectives, the mean of the second arm is 1.4 worse than that of the first arm.
	easy := mat.NewDense(2, 2, []float64{.7, .7, -.7, -.7})
	switch size {
	case 0:
		return basis(easy)
	case 2:
		return basis(mat.NewDense(4, 2, []float64{.5, -.1, .25, .15, 0, .4, 0, -.1}))
	case 3:
		return basis(mat.NewDense(2, 1, []float64{.0025, -.0025}))
	}
	easy.Scale(1/.8, easy)
	law, err := bandit.NewContextual(mat.NewDense(2, 2, []float64{.8, 0, 0, .8}), easy, .2, 1)
	if err != nil {
		return nil, err
	}
	return law.Instance(name, q), nil
}

// widthNorm is a bound on the norms of the parameters in the instances of Widths.
const widthNorm = 1.25
