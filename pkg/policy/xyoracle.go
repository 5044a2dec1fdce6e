package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// XYOracle follows a static allocation that is computed from the true means and is close to the
// optimal allocation lambda* (RAGE paper, equation (1)). XYOracle serves as a reference in
// simulations; it cannot be used in practice.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: the same as those of RAGE, and Gaussian rewards unless Test is XYOracleUnion. The
// true means have one best item.
//
// Guarantee: whatever the true means are, the answer is wrong with probability at most Delta. The
// policy returns z*, the best item according to Means, only with evidence that no other item is
// better. If Means are the true means, a run takes about 2 sigma^2 psi* log(1/Delta) pulls. Up to a
// term of lower order, every method with error probability at most Delta needs at least this number
// of pulls.
//
// The test is sequential, like Wald's test. To compare z* with an item z, let g be the estimated
// difference, v the variance of g, and D the difference according to Means. The test stops as soon
// as all items z other than z* satisfy
//
//	L = D (g - D/2)/v >= log(1/Delta).
//
// Proof: for a sequence of arms fixed in advance, the covariance of the least-squares estimates at
// two times equals the variance at the later time. Hence, g/v has independent increments, whose
// variances are the increments of 1/v (Jennison and Turnbull 1997, for group sequential tests). If
// z is better than z*, the mean of g is below 0, and exp(L) is a supermartingale in v that starts
// at 1. By Ville's inequality, the probability that exp(L) ever reaches 1/Delta is at most Delta. A
// wrong answer requires that exp(L) reaches 1/Delta for the best item z, so no union bound over
// items or times is needed. Because the test uses only sums of many rewards, other distributions
// behave similarly, but there is no proof for rewards that are not Gaussian.
//
// Deviations from the paper: the test is sequential, the design need not be lambda*, and numbers of
// pulls are rounded up. Under the design lambda*, many differences have equal precision, so the
// test waits for the last of these differences (see Slack). All three deviations make XYOracle a
// stronger reference than the method of the paper, whose test has a union bound over items and
// phases. On the paper's benchmark example, the paper's version needs four times as many pulls as
// XYOracle, or six times as many with a certified lambda*. The fields Test, Slack, Draw and Design
// select the printed variants; [XYOraclePrinted] selects all four.
//
// A run of XYOracle takes as long as a run of XYStatic would take with n - 1 directions instead of
// n(n-1)/2.
type XYOracle struct {
	// Means are the true means of the items, in the order of the problem.
	Means []float64
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Test is the stopping rule.
	Test XYOracleTest `label:"|union bound" in:"[0,1]" want:"XYOracleRatio or XYOracleUnion"`
	// Growth is the factor by which the total number of pulls grows in a phase; zero means 1.01, or
	// the paper's 1.1 for XYOracleUnion.
	Growth float64 `label:"growth %v" in:"(1,16]" want:"a growth factor above 1, at most 16"`
	// Slack is the largest factor by which the design may divide the variance of a difference,
	// compared with lambda*. The design deviates from lambda* where more precise estimates of
	// differences cost little. If Slack is 1, the design is lambda* itself. A zero Slack means 1
	// or, for XYOracleRatio with certified designs, the factor among 1, 2, 4, ..., 32 for which a
	// run is expected to be shortest.
	Slack float64 `label:"slack %v" in:"[1,inf)" want:"a factor of at least 1, or 0 for automatic"`
	// If Draw is true, the arms of a phase are drawn at random from the design, as printed.
	// XYOracleRatio remains valid, because the draws do not depend on rewards.
	Draw bool `label:"arms drawn"`
	// Design is the method that computes the design. Tol is the relative gap to which designs are
	// computed; zero means design.DefaultTol.
	Design design.Method `label:"design %v" in:"[0,1]" want:"design.Certified or design.FrankWolfePaper"`
	Tol    float64       `in:"[0,inf)" want:"a relative gap, at least 0"`

	static
}

// Card implements explore.Describer.
func (p *XYOracle) Card() explore.Card {
	return explore.Card{
		Name:      "XY-oracle",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesSet,
		Needs: []explore.Need{explore.Known{What: explore.KnownMeans, Given: p.Means != nil},
			explore.SubGaussian{}, explore.Linear{}},
		Uses:   explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations,
		Bound:  "a reference for simulations",
		Source: "Fiez, Jain, Jamieson, Ratliff 2019, section 2.1",
		Key:    "fiez2019sequential",
	}
}

// XYOracleTest is a stopping rule of XYOracle.
type XYOracleTest int

// The following constants are the stopping rules.
const (
	// XYOracleRatio tests one likelihood ratio for each item other than z*.
	XYOracleRatio XYOracleTest = iota
	// XYOracleUnion is the test in appendix F of the RAGE paper: differences must exceed their
	// half-widths, with a union bound over items and phases. XYOracleUnion is valid for all
	// sub-Gaussian rewards.
	XYOracleUnion
)

// growth returns the default value of Growth for the test.
func (v XYOracleTest) growth() float64 {
	if v == XYOracleUnion {
		return 1.1
	}
	return 1.01
}

// XYOraclePrinted returns the method in appendix F of the RAGE paper: arms are drawn from a design
// by plain Frank-Wolfe iterations, and the test has a union bound.
func XYOraclePrinted(delta float64, means []float64) *XYOracle {
	return &XYOracle{Means: means, Delta: delta, Test: XYOracleUnion, Draw: true, Design: design.FrankWolfePaper}
}

// String returns the name of the policy, followed by its settings.
func (p *XYOracle) String() string {
	return named("XY-oracle, knows the means", p)
}

// Init implements explore.Policy.
func (p *XYOracle) Init(prob *explore.Problem, src rand.Source) error {
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	l := &p.phases.Model
	if err := l.Init(prob); err != nil {
		return err
	}
	if len(p.Means) != prob.M() {
		return fmt.Errorf("policy: XYOracle.Means has %d numbers; expected the true means of %d items",
			len(p.Means), prob.M())
	}
	means := make([]float64, l.N)
	for c, i := range l.First {
		means[c] = p.Means[i]
	}
	var c design.Criterion
	o := &design.Options{Tol: p.Tol, Method: p.Design}
	if l.N > 1 {
		y, err := complexity.Towards(l.Z, means)
		if err != nil {
			return fmt.Errorf("policy: XYOracle: %w", err)
		}
		if c, err = slackened(l.X, y, delta, p.slack(), o); err != nil {
			return err
		}
	}
	err = p.phases.Start(prob, "XYOracle", delta, p.Growth, p.Test.growth(), float64(l.N), c, o)
	if p.Draw {
		p.phases.Random(src)
	}
	if err == nil && p.Test == XYOracleRatio {
		p.ratio(means, delta)
	}
	return err
}

// slack returns the value of Slack, or 0 if XYOracle has to choose the best factor.
func (p *XYOracle) slack() float64 {
	if p.Slack == 0 && (p.Test != XYOracleRatio || p.Design != design.Certified) {
		return 1
	}
	return p.Slack
}

// ratio sets the half-width for the difference between the best item and item i to D/2 + v
// log(1/delta)/D. Here v is the variance of the estimated difference, and D is the difference
// according to the means, plus Epsilon. The estimated difference plus Epsilon exceeds the
// half-width if and only if the likelihood ratio exceeds 1/delta.
func (p *XYOracle) ratio(means []float64, delta float64) {
	s := &p.phases.Survivors
	best := floats.MaxIdx(means)
	s.Known = best + 1
	s.Half = func(i, _ int) float64 {
		gap := means[best] - means[i] + s.Epsilon
		v := s.Sigma * s.Sigma * s.Squared(i, best)
		return gap/2 - v*math.Log(delta)/gap
	}
}

// slacks are the values of Slack from which XYOracle chooses.
var slacks = []float64{1, 2, 4, 8, 16, 32}

// solved is a design criterion together with its optimal design.
type solved struct {
	design.Criterion
	design *design.Design
	err    error
}

func (s solved) Solve(*design.Options) (*design.Design, error) { return s.design, s.err }

// slackened returns the design of arms x for which sequential tests in all directions y are
// expected to end earliest. Each direction in y is a difference of two items, divided by the gap of
// the two items. Under lambda*, many tests take equally long on average, and the last of many
// random times determines the end of the run. To first order, the cost of changing the variance of
// a direction is proportional to its weight in the mixture that proves the optimality of lambda*.
// Therefore, the variances of directions with small weights are divided by a factor of up to the
// slack. If the argument fixed is positive, it is the slack; if it is zero, the best value in
// slacks is used.
func slackened(x, y *mat.Dense, delta, fixed float64, o *design.Options) (best solved, err error) {
	n, _ := y.Dims()
	among := slacks
	if fixed > 0 {
		among = []float64{1, fixed}
	}
	if fixed == 1 {
		among = among[:1]
	}
	weight, least := make([]float64, n), inf
	scaled := mat.DenseCopyOf(y)
	for _, slack := range among {
		for j := range n {
			floats.ScaleTo(scaled.RawRowView(j), math.Sqrt(1+(slack-1)*(1-weight[j])), y.RawRowView(j))
		}
		c, err := design.NewXY(x, scaled)
		if err != nil {
			return best, err
		}
		d, err := c.Solve(o)
		if d == nil {
			return best, err
		}
		if best.design == nil {
			for _, r := range d.Critical {
				weight[r.I] = r.Weight
			}
		}
		v := expectedMaximum(variances(x, y, d.Weights), -math.Log(delta))
		if v < least || fixed > 0 {
			best, least = solved{c, d, err}, v
		}
	}
	return best, nil
}

// variances returns the variance y'M(w)^-1 y for each direction y.
func variances(x, y *mat.Dense, w []float64) []float64 {
	_, m := x.Dims()
	info := make([]float64, m*m)
	for i, v := range w {
		row := x.RawRowView(i)
		for c, f := range row {
			floats.AddScaled(info[c*m:][:m], v*f, row)
		}
	}
	met := lsq.NewMetric(m)
	met.Factorize(info)
	n, _ := y.Dims()
	u := make([]float64, n)
	for j := range u {
		u[j] = met.Squared(y.RawRowView(j))
	}
	return u
}

// expectedMaximum estimates the mean of the largest of several stopping times, as if the times were
// independent. Each stopping time is the time at which a sequential test with variance u per pull,
// in units of the squared gap, reaches the level a. The stopping time of a test is u times the time
// at which a Brownian motion with drift 1/2 reaches a. The time of the Brownian motion has an
// inverse Gaussian distribution with mean 2 a and shape a^2. The estimate is too large, because
// differences from the same item are positively correlated.
func expectedMaximum(u []float64, a float64) float64 {
	most := floats.Max(u)
	// The tail of each distribution decays as exp(-t/8).
	const step, steps = 1.05, 160
	t, below, sum := .1, 0., .1
	for range steps {
		all := 1.
		for _, v := range u {
			all *= inverseGaussian(step*t*most/v, 2*a, a*a)
		}
		sum += t * (step - 1) * (1 - (below+all)/2)
		below, t = all, step*t
	}
	return most * sum
}

// inverseGaussian returns the distribution function of an inverse Gaussian distribution at x.
func inverseGaussian(x, mean, shape float64) float64 {
	phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	r := math.Sqrt(shape / x)
	return phi(r*(x/mean-1)) + math.Exp(2*shape/mean)*phi(-r*(x/mean+1))
}
