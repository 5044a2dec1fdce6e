package lsq

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// The methods of a GLM return the following errors; test for them with errors.Is.
var (
	// ErrSeparated means that no maximum-likelihood estimate exists: the likelihood keeps
	// increasing as some predictors tend to infinity. Rewards are separated if a plane divides the
	// points with the largest possible rewards from the points with the smallest possible rewards.
	// A simple example is an arm whose rewards are all successes.
	ErrSeparated = errors.New("the rewards are separated, so no maximum-likelihood estimate exists")
	// ErrReward means that rewards are outside the range of the link.
	ErrReward = errors.New("rewards are outside the range of the link")
)

// A GLM is a maximum-likelihood fit of a generalised linear model from batches: call Add for each
// batch, then Solve, then read the estimates. Rewards have a single objective, the mean
// link.Mean(x'theta), and a likelihood from the family of distributions that belongs to the link.
type GLM struct {
	// After Solve, Metric is the metric of the information matrix at the estimate: Squared(y) is the
	// asymptotic variance of the estimate of y'theta.
	*Metric

	link   Link
	x      []float64 // one point per row
	n, sum []float64
	total  int
	theta  []float64 // m
	a      []float64 // m x m
	score  []float64 // m
	step   []float64 // m
	next   []float64 // m
	eta    []float64 // predictors, one for each point

	scaled *Metric   // metric of the information in scaled units
	unit   []float64 // m
	b      []float64 // m x m

	// Iterations is the number of Newton steps in the last call of Solve.
	Iterations int
}

// The following constants control the iteration of Solve.
const (
	glmSteps   = 100  // largest number of Newton steps of one Solve
	glmHalves  = 60   // largest number of halvings of a Newton step
	glmTol     = 1e-9 // tolerance: change of predictors, in standard deviations of the estimate
	glmFar     = 18   // only predictors above this absolute value may be considered unbounded
	glmRunaway = 3    // number of steps after which a growing predictor is considered unbounded
)

// NewGLM returns an empty fit for m features. NewGLM panics if the link is unknown.
func NewGLM(link Link, m int) *GLM {
	if !link.Known() {
		panic("lsq: unknown link")
	}
	v := func() []float64 { return make([]float64, m) }
	return &GLM{Metric: NewMetric(m), link: link, theta: v(), score: v(), step: v(), next: v(),
		a: make([]float64, m*m), b: make([]float64, m*m), unit: v(), scaled: NewMetric(m)}
}

// Reset removes all batches.
func (g *GLM) Reset() {
	g.x, g.n, g.sum, g.total = g.x[:0], g.n[:0], g.sum[:0], 0
	clear(g.theta)
}

// Add adds n rewards at the point x, whose sum is sum. Consecutive batches at the same point are
// merged. Add panics if x does not have m features, or if n is negative.
func (g *GLM) Add(x []float64, n int, sum float64) {
	if len(x) != g.m {
		panic(panicLength)
	}
	if n < 0 {
		panic("lsq: negative number of rewards")
	}
	if n == 0 {
		return
	}
	g.total += n
	if last := len(g.n) - 1; last >= 0 && floats.Equal(g.point(last), x) {
		g.n[last] += float64(n)
		g.sum[last] += sum
		return
	}
	g.x = append(g.x, x...)
	g.n, g.sum = append(g.n, float64(n)), append(g.sum, sum)
}

// N returns the number of rewards added so far.
func (g *GLM) N() int { return g.total }

func (g *GLM) point(i int) []float64 { return g.x[i*g.m:][:g.m] }

// Solve computes the estimate from all batches. Solve solves the estimating equation, sum over
// batches of (sum - n Mean(x'theta)) x = 0 ((39) in the LinFACT paper), by iteratively reweighted
// least squares. Each Newton step is halved until the likelihood increases. The first step of Solve
// starts from the previous estimate. A step costs O(b m^2 + m^3) for b batches, and few steps are
// necessary.
//
// Solve reports whether the points span all directions. If they do not, several estimates have the
// same likelihood; use the estimate only for directions with Outside near 0. If a reward is
// impossible for the link, the error wraps ErrReward. If no estimate exists, the error wraps
// ErrSeparated and names a batch that causes the separation; the estimate is then the last iterate.
// If the iteration does not converge, Solve returns another error. After an error, the caller can
// add batches and call Solve again.
func (g *GLM) Solve() (spans bool, err error) {
	low, high := g.link.Range()
	for i, s := range g.sum {
		if n := g.n[i]; !(s >= low*n && s <= high*n) || math.IsNaN(s) || math.IsInf(s, 0) {
			return false, fmt.Errorf(
				"lsq: batch %d: %v rewards sum to %v; with the link %v, each reward must be between %v and %v: "+
					"%w", i, n, s, g.link, low, high, ErrReward)
		}
	}
	if cap(g.eta) < len(g.n) {
		g.eta = make([]float64, len(g.n))
	}
	g.eta = g.eta[:len(g.n)]
	value := g.likelihood(g.theta)
	defer func() { spans = g.Factorize(g.a) }()
	running := 0
	for g.Iterations = 1; ; g.Iterations++ {
		g.newton()
		if math.Sqrt(max(0, floats.Dot(g.score, g.step))) <= glmTol {
			break
		}
		at := g.runaway()
		if at < 0 {
			running = 0
		} else if running++; running > glmRunaway {
			return false, fmt.Errorf(
				"lsq: the predictor of batch %d, with %v rewards that sum to %v, tends to "+
					"infinity; measure more, at this point or at other points: %w",
				at, g.n[at], g.sum[at], ErrSeparated)
		}
		if g.Iterations == glmSteps {
			return false, fmt.Errorf(
				"lsq: the estimate did not converge in %d steps; scale the features to similar sizes", glmSteps)
		}
		grew := false
		for scale, h := 1., 0; h < glmHalves; scale, h = scale/2, h+1 {
			floats.AddScaledTo(g.next, g.theta, scale, g.step)
			if v := g.likelihood(g.next); v > value {
				value, grew = v, true
				copy(g.theta, g.next)
				break
			}
		}
		if !grew { // the iteration has converged up to rounding
			g.likelihood(g.theta)
			break
		}
	}
	return true, nil
}

// likelihood returns the log-likelihood at theta up to a constant, and stores the predictors in eta.
func (g *GLM) likelihood(theta []float64) float64 {
	s := 0.
	for i := range g.n {
		g.eta[i] = floats.Dot(g.point(i), theta)
		s += g.sum[i]*g.eta[i] - g.n[i]*g.link.cumulant(g.eta[i])
	}
	return s
}

// newton computes score, a and step: the gradient of the log-likelihood at theta, the information
// matrix, and the Newton step. The slice eta must contain the predictors at theta.
func (g *GLM) newton() {
	clear(g.a)
	clear(g.score)
	for i, n := range g.n {
		x := g.point(i)
		u := n * g.link.Slope(g.eta[i])
		for c, v := range x {
			floats.AddScaled(g.a[c*g.m:][:g.m], u*v, x)
		}
		floats.AddScaled(g.score, g.sum[i]-n*g.link.Mean(g.eta[i]), x)
	}
	// Scale the features so that each has the same information; then the matrix is singular only if
	// the points do not span all directions.
	for c := range g.unit {
		g.unit[c] = 1
		if d := g.a[c*g.m+c]; d > 0 {
			g.unit[c] = 1 / math.Sqrt(d)
		}
	}
	for c, u := range g.unit {
		for e, v := range g.unit {
			g.b[c*g.m+e] = u * v * g.a[c*g.m+e]
		}
		g.next[c] = u * g.score[c]
	}
	g.scaled.Factorize(g.b)
	g.scaled.Solve(g.step, g.next)
	floats.Mul(g.step, g.unit)
}

// runaway returns a batch whose predictor tends to infinity, or -1 if there is none. In a batch
// whose predictor tends to infinity, all rewards are the smallest or the largest possible, the
// predictor is large, and the next step would make it larger. If no estimate exists, each step
// changes such a predictor by about 1, because the slope decreases as fast as the score. If an
// estimate exists, steps become small near it.
func (g *GLM) runaway() int {
	least, largest := g.link.Range()
	for i, eta := range g.eta {
		move := floats.Dot(g.point(i), g.step)
		low := g.sum[i] == least*g.n[i] && eta < -glmFar && move < -.5
		high := g.sum[i] == largest*g.n[i] && eta > glmFar && move > .5
		if low || high {
			return i
		}
	}
	return -1
}

// Theta returns the estimate, m numbers. The returned slice belongs to the GLM and must not be
// changed.
func (g *GLM) Theta() []float64 { return g.theta }

// Predictor returns y'theta.
func (g *GLM) Predictor(y []float64) float64 { return floats.Dot(g.theta, y) }

// Mean returns the estimated mean reward at the point y.
func (g *GLM) Mean(y []float64) float64 { return g.link.Mean(g.Predictor(y)) }

// A Link describes how the mean of a reward depends on the linear predictor x'theta in a
// generalised linear model (McCullagh and Nelder, 1989). The zero Link is Identity, the linear
// model. Each link is the canonical link of a family of distributions; in these families, the
// variance of a reward is the slope of Mean.
type Link int

// The following constants are the links of this package.
const (
	Identity Link = iota // means are equal to predictors: Gaussian rewards
	Logit                // means are 1/(1 + exp(-predictor)): rewards are successes and failures
	Log                  // means are exp(predictor): rewards are counts
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

// Mean returns the mean reward at the linear predictor eta. As a function of eta, it is the inverse
// of the link function.
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

// Slope returns the derivative of Mean at eta. Slope is the information of a reward about the
// predictor, and also the variance of a reward for links other than Identity.
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

// Predictor returns the linear predictor at which the mean reward is mean; it is the inverse of
// Mean. At the ends of the range of means, Predictor is infinite; outside the range, it is NaN.
func (l Link) Predictor(mean float64) float64 {
	switch l {
	case Logit:
		return math.Log(mean) - math.Log1p(-mean)
	case Log:
		return math.Log(mean)
	}
	return mean
}

// Range returns the smallest and the largest possible reward.
func (l Link) Range() (least, largest float64) {
	switch l {
	case Logit:
		return 0, 1
	case Log:
		return 0, math.Inf(1)
	}
	return math.Inf(-1), math.Inf(1)
}

// cumulant returns an antiderivative of Mean at eta. The log-likelihood of n rewards with sum s is
// s eta - n cumulant(eta), up to a constant.
func (l Link) cumulant(eta float64) float64 {
	switch l {
	case Logit:
		return max(eta, 0) + math.Log1p(math.Exp(-math.Abs(eta)))
	case Log:
		return math.Exp(eta)
	}
	return eta * eta / 2
}
