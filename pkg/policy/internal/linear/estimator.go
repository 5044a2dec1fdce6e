package linear

import "github.com/purexp/purexp/pkg/lsq"

// An Estimator estimates means from all rewards at once, and says how well it
// knows them. Estimators and Trackers are the one door through which policies for
// linear models estimate: a model whose means are another function of the features
// than a linear one needs another of each, and no other change; Likelihood is that
// of models with a link. (ALBA weighs rewards by its design and PSIPS samples from a
// Gaussian posterior; these two are about linear means by their nature.)
type Estimator interface {
	// Reset forgets all rewards.
	Reset()
	// Add takes n rewards at x that sum to sum, one number an objective.
	Add(x []float64, n int, sum []float64)
	// Solve estimates. It reports whether the rewards span all directions.
	Solve() (spans bool)
	// Mean returns the estimated mean of objective c at y.
	Mean(y []float64, c int) float64
	// Whiten sets dst to coordinates of y in which the length of a vector is the
	// standard deviation of the estimate along it, for noise of variance 1.
	Whiten(dst, y []float64)
	// Outside returns how much of y, between 0 and 1, is in directions that the
	// rewards say nothing about.
	Outside(y []float64) float64
}

// A Tracker estimates the means of the distinct items after every reward. Slices
// that it returns are its own.
type Tracker interface {
	// Add takes n rewards of an arm that sum to sum.
	Add(arm int, n, sum float64)
	// Solve begins to estimate. It reports whether there is a unique estimate.
	Solve() (unique bool)
	// Weights returns the number of rewards of each arm.
	Weights() []float64
	// Means returns the estimated means of the items, Best the item that has the
	// largest.
	Means() []float64
	Best() int
	// Mean returns the estimated mean at y.
	Mean(y []float64) float64
	// Against returns the variances of the estimated differences of all items from
	// item b, Leverages those of the estimated means of the arms, for noise of
	// variance 1.
	Against(b int) []float64
	Leverages() []float64
	// Squared returns the variance of the estimate along y, for noise of variance 1.
	Squared(y []float64) float64
	// Gains sets dst to what a reward of each arm takes from the variance of the
	// estimate along y.
	Gains(dst, y []float64)
	// LogDet returns log det of the information.
	LogDet() float64
}

// Estimator returns an estimator without rewards: least squares.
func (l *Model) Estimator(objectives int) Estimator { return lsq.NewFit(l.Rank, objectives) }

// Likelihood returns the estimator for models with a link, without rewards: linear predictors by
// maximum likelihood, which may not exist. With the identity it is least squares.
func (l *Model) Likelihood() *lsq.GLM { return lsq.NewGLM(l.Link, l.Rank) }

// Tracker returns a tracker without rewards: least squares with the weight reg of
// the squared norm of theta.
func (l *Model) Tracker(reg float64) Tracker { return lsq.NewTracker(l.X, l.Z, reg) }
