package policy

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/lsq"
)

// slacks are the factors among which XYOracle chooses.
var slacks = []float64{1, 2, 4, 8, 16, 32}

// solved is a criterion whose design is known.
type solved struct {
	design.Criterion
	design *design.Design
	err    error
}

func (s solved) Solve(*design.Options) (*design.Design, error) { return s.design, s.err }

// slackened returns the design for arms x and directions y, each a difference over its
// gap, that lets sequential tests of all of them end earliest. Lambda* makes many of
// them equally slow, and then the last of many random times counts. A direction with
// the weight q in the mixture that proves lambda* optimal costs q times a change of its
// variance, to first order: those that cost little are divided by the slack. A fixed
// slack is taken as it is; 0 means the best of slacks.
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
			floats.ScaleTo(scaled.RawRowView(j), math.Sqrt(1+(slack-1)*(1-weight[j])),
				y.RawRowView(j))
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

// variances returns y'M(w)^-1 y for each direction.
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

// expectedMaximum returns the mean of the largest of independent times, at which
// sequential tests with variances u per pull, in units of the squared gap, reach the
// level a: a Brownian motion with drift 1/2 reaches it after a time of an inverse
// Gaussian law with mean 2 a and shape a^2, times u. Differences from one item are
// positively correlated, so that it is rather too large.
func expectedMaximum(u []float64, a float64) float64 {
	most := floats.Max(u)
	// The tail decays as exp(-t/8).
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

// inverseGaussian returns the probability that a variable of an inverse Gaussian law
// is at most x.
func inverseGaussian(x, mean, shape float64) float64 {
	phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	r := math.Sqrt(shape / x)
	return phi(r*(x/mean-1)) + math.Exp(2*shape/mean)*phi(-r*(x/mean+1))
}
