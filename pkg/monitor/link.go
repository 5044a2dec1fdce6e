package monitor

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

// link is the e-process of Link: the likelihood of the results under a mixture of means for each
// arm, over the largest that means of the declared form have (universal inference; Wasserman, Ramdas
// and Balakrishnan, 2020). Successes have the mixture of Krichevsky and Trofimov (1981), counts
// Gamma mixtures.
type link struct {
	line  *line
	link  explore.Link
	sigma float64
}

// rates are those of the Gamma mixtures for counts: a mean of 1/rate is expected.
var rates = [...]float64{1, 1e-2, 1e-4}

func (p *link) observe(*sums, *result) {}

func (p *link) look(s *sums) Finding {
	f := none(Link)
	fit := lsq.NewGLM(p.link, p.line.m)
	for _, i := range s.measured {
		a := &s.arm[i]
		fit.Add(p.line.x[i], int(a.n), a.n*a.mean*p.sigma)
	}
	if _, err := fit.Solve(); err != nil {
		return f // no mean is most likely; more results will tell
	}
	for _, i := range s.measured {
		a := &s.arm[i]
		sum, eta := a.n*a.mean*p.sigma, fit.Predictor(p.line.x[i])
		f.LogE += p.mixture(a.n, sum) - p.likelihood(a.n, sum, eta)
	}
	return f
}

// mixture returns the log-likelihood of n results that sum to sum under the mixture, and likelihood
// that at a linear predictor, both but for the same constant.
func (p *link) mixture(n, sum float64) float64 {
	if p.link == explore.Logit {
		return mathext.Lbeta(sum+.5, n-sum+.5) - math.Log(math.Pi)
	}
	var logs []float64
	for _, rate := range rates {
		gamma, _ := math.Lgamma(sum + .5)
		logs = append(logs, gamma+math.Log(rate/math.Pi)/2-(sum+.5)*math.Log(n+rate))
	}
	return logMean(logs)
}

func (p *link) likelihood(n, sum, eta float64) float64 {
	if p.link == explore.Logit {
		return sum*eta - n*(max(eta, 0)+math.Log1p(math.Exp(-math.Abs(eta))))
	}
	return sum*eta - n*math.Exp(eta)
}
