package linfact

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// Settings is the number of settings in Table 1: settings 1 to 6 are adaptive, settings 7 to 9 are
// static.
const Settings = 9

const (
	// expectedGood is m, the expected number of epsilon-best arms, in all settings (section EC.12).
	// Methods for the top m arms receive expectedGood as m.
	expectedGood = 4
	// expectedThreshold is X, the expected threshold of adaptive settings (section EC.12.1).
	// Methods for thresholds receive expectedThreshold in adaptive settings. In static settings,
	// the threshold is always half of the paper's delta, the mean of the epsilon-best arms.
	expectedThreshold = 1
	// goodVariance is the variance of the number of epsilon-best arms (section 7.1).
	goodVariance = 3
	// thresholdSD is the standard deviation of the threshold; this project chose the value.
	thresholdSD = .1
	// staticGap is the mean of the epsilon-best arms of static settings (Table 1).
	staticGap = 1
	half      = staticGap / 2.
)

// The following variables are the dimensions and tolerances of the settings in Table 1, indexed
// from 1. In static settings, epsilon is half of delta (section EC.12.2).
var (
	dimensions = [Settings + 1]int{0, 8, 8, 8, 12, 12, 12, 8, 12, 16}
	tolerances = [Settings + 1]float64{0, .1, .2, .3, .1, .2, .3, half, half, half}
)

// Instance is a random instance of a setting in Table 1, with the values that were drawn for the
// instance.
type Instance struct {
	*bandit.Instance
	// Good is the number of epsilon-best arms (m-tilde in the paper).
	Good int
	// Threshold is the smallest mean of an epsilon-best arm (X-tilde in the paper, or half of
	// delta).
	Threshold float64
}

func static(setting int) bool { return setting > 6 }

// Setting returns a random instance of a setting in Table 1. The argument setting is 1 to 9; draw
// is the number of the instance, counted from 0. The instance depends only on the arguments setting
// and draw. Rewards of the instance are Gaussian with standard deviation 1. The number m-tilde of
// epsilon-best arms is drawn from N(4, 3).
//
// In adaptive settings (section EC.12.1), the arms are e_1, ..., e_d and n = max(0, 6 - m-tilde)
// disturbing arms. With the threshold X drawn around 1, theta = (X + eps, X + (m-tilde-1)
// eps/m-tilde, ..., X + eps/m-tilde, 0, ..., 0). The disturbing arms have unit length and evenly
// spaced means X - eps, ..., X - eps/n; only their first and last features are not zero.
//
// In static settings (section EC.12.2), the arms are e_1, ..., e_d; m-tilde arms have mean 1 and
// the other arms mean 0; eps = 1/2.
//
// The notes of the instance list the assumptions that were made where the paper does not state
// details or contradicts itself.
func Setting(setting, draw int) (*Instance, error) {
	if setting < 1 || setting > Settings {
		return nil, fmt.Errorf("linfact: setting %d; expected one of Table 1, from 1 to %d", setting, Settings)
	}
	d, eps := dimensions[setting], tolerances[setting]
	// Settings that differ only in epsilon use the same random draws.
	kind := "adaptive"
	if static(setting) {
		kind = "static"
	}
	rnd := study.Stream("linfact", kind, d, draw)
	good := int(math.Round(expectedGood + math.Sqrt(goodVariance)*rnd.NormFloat64()))
	good = min(max(good, 1), d-1)
	if static(setting) {
		return staticInstance(setting, d, good, draw)
	}
	threshold := expectedThreshold + thresholdSD*rnd.NormFloat64()
	for threshold <= 2*tolerances[3] { // the features of disturbing arms must be real numbers
		threshold = expectedThreshold + thresholdSD*rnd.NormFloat64()
	}
	return adaptiveInstance(setting, d, good, eps, threshold, draw)
}

// adaptiveInstance returns the instance of an adaptive setting with the given random values.
func adaptiveInstance(setting, d, good int, eps, threshold float64, draw int) (*Instance, error) {
	n := max(0, expectedGood*3/2-good)
	theta := make([]float64, d)
	for i := range good {
		theta[i] = threshold + float64(good-i)*eps/float64(good)
	}
	x, names := basis(d, n)
	for i := range n {
		first := (threshold - float64(n-i)*eps/float64(n)) / theta[0]
		x.Set(d+i, 0, first)
		x.Set(d+i, d-1, math.Sqrt(1-first*first))
	}
	return instance(setting, draw, x, names, theta, eps, good, threshold,
		"the threshold is drawn from N(1, 0.1^2); the standard deviation is an assumption, because the paper states "+
			"only the mean",
		"the means of disturbing arms are X - (n - i + 1) eps/n, as in the paper's figure; according to its text, "+
			"the last arm is on the threshold, where no method can decide",
		"d is taken from Table 1; section EC.12.1 states d = 10")
}

// staticInstance returns the instance of a static setting with the given number of epsilon-best
// arms.
func staticInstance(setting, d, good, draw int) (*Instance, error) {
	theta := make([]float64, d)
	for i := range good {
		theta[i] = staticGap
	}
	x, names := basis(d, 0)
	return instance(setting, draw, x, names, theta, tolerances[setting], good, staticGap/2.)
}

// basis returns the features e_1, ..., e_d, followed by n rows of zeros, and names for all rows.
func basis(d, n int) (*mat.Dense, []string) {
	return study.Basis(d+n, d), append(study.Numbered("e", d), study.Numbered("x", n)...)
}

func instance(setting, draw int, x *mat.Dense, names []string, theta []float64, eps float64,
	good int, threshold float64, notes ...string) (*Instance, error) {
	in, err := bandit.NewLinear(fmt.Sprintf("setting %d, draw %d", setting, draw), &explore.Problem{
		X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: eps},
	}, mat.NewDense(len(theta), 1, theta))
	if err != nil {
		return nil, fmt.Errorf("linfact: %w", err)
	}
	in.Notes = append(notes, "the number of epsilon-best arms is drawn from N(4, 3), rounded, and clipped to [1, d "+
		"- 1]", "the standard deviation of rewards, 1, is an assumption; the paper states none")
	return &Instance{Instance: in, Good: good, Threshold: threshold}, nil
}
