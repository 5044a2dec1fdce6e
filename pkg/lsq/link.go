package lsq

import (
	"fmt"
	"math"
)

// A Link says how the mean of a reward depends on the linear predictor x'theta in a
// generalised linear model (McCullagh and Nelder, 1989). The zero value is Identity, the
// linear model. Each link is the canonical one of a family of distributions, in which the
// variance of a reward is the slope of its mean.
type Link int

// Links.
const (
	Identity Link = iota // means are predictors: Gaussian rewards
	Logit                // means are 1/(1 + exp(-predictor)): successes and failures
	Log                  // means are exp(predictor): counts
)

var linkNames = [...]string{"identity", "logit", "log"}

// String returns the name of the link.
func (l Link) String() string {
	if !l.Known() {
		return fmt.Sprintf("Link(%d)", int(l))
	}
	return linkNames[l]
}

// Known reports whether l is one of the links of this package.
func (l Link) Known() bool { return l >= 0 && int(l) < len(linkNames) }

// Mean returns the mean reward at the linear predictor eta: the inverse of the link.
func (l Link) Mean(eta float64) float64 {
	switch l {
	case Logit:
		if eta < 0 {
			e := math.Exp(eta)
			return e / (1 + e)
		}
		return 1 / (1 + math.Exp(-eta))
	case Log:
		return math.Exp(eta)
	}
	return eta
}

// Slope returns the derivative of Mean at eta: how much a reward tells about the
// predictor, and the variance of a reward where that depends on the mean.
func (l Link) Slope(eta float64) float64 {
	switch l {
	case Logit:
		e := math.Exp(-math.Abs(eta))
		return e / ((1 + e) * (1 + e))
	case Log:
		return math.Exp(eta)
	}
	return 1
}

// Predictor returns the linear predictor with the given mean, the inverse of Mean. It is
// infinite at the ends of the range of means, and NaN outside.
func (l Link) Predictor(mean float64) float64 {
	switch l {
	case Logit:
		return math.Log(mean) - math.Log1p(-mean)
	case Log:
		return math.Log(mean)
	}
	return mean
}

// Range returns the least and the largest reward.
func (l Link) Range() (least, largest float64) {
	switch l {
	case Logit:
		return 0, 1
	case Log:
		return 0, math.Inf(1)
	}
	return math.Inf(-1), math.Inf(1)
}

// cumulant returns the integral of Mean up to eta: the log-likelihood of n rewards with
// sum s is s eta - n cumulant(eta), but for a constant.
func (l Link) cumulant(eta float64) float64 {
	switch l {
	case Logit:
		return max(eta, 0) + math.Log1p(math.Exp(-math.Abs(eta)))
	case Log:
		return math.Exp(eta)
	}
	return eta * eta / 2
}
