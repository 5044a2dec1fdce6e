package monitor

import "math"

// Variances, relative to the declared one, of the alternatives of an outlier: the mean of the arm
// is elsewhere than assumed, and the new result has an effect of its own.
const (
	priorMean = 1
	priorSlip = 100
)

// oddity returns log E against "the result y, a mean of n measurements, has the mean of the results
// of a": the least over means of two factors, that of the earlier results and that of the new one.
func oddity(a *armSums, n, y float64) float64 {
	w1 := a.n * a.n * priorMean / (1 + a.n*priorMean)
	w2 := n * priorSlip / (1 + priorSlip)
	d := y - a.mean
	return -math.Log1p(a.n*priorMean)/2 - math.Log1p(priorSlip)/2 + w1*w2/(w1+w2)*d*d/2
}

// outlier is the e-process of Outlier, the sum over results t of oddities with the weights
// 1/(K t (t+1)). The K is the price of the arm: which arm is measured next depends on its values,
// but the factor of its earlier results is at most K times the average of those of all arms, which
// is an e-process.
type outlier struct {
	log  float64
	best Finding
}

func (p *outlier) observe(s *sums, r *result) {
	if s.k == 0 {
		p.log, p.best = math.Inf(-1), none(Outlier)
		p.best.LogE = p.log
	}
	a := &s.arm[r.arm]
	if a.k == 0 {
		return
	}
	t := float64(s.k + 1)
	log := oddity(a, r.n, r.y) - math.Log(float64(len(s.arm))) - math.Log(t*(t+1))
	p.log = logAdd(p.log, log)
	if log > p.best.LogE {
		p.best = Finding{Kind: Outlier, Arm: r.arm, Plate: r.plate, Result: r.number, LogE: log,
			Size: math.Abs(r.y - a.mean)}
	}
}

func (p *outlier) look(*sums) Finding {
	f := p.best
	f.LogE = p.log
	return f
}
