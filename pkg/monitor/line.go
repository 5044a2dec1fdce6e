package monitor

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// A line is the linear model: coordinates of the arms in the span of the features, in which the sum
// over arms of x x' is K/m times the identity, so that a parameter of unit variance in each
// direction gives the means of the arms unit variance on average.
type line struct {
	m      int
	x      [][]float64 // by arm
	metric *lsq.Metric
	a, b   []float64
	theta  []float64
	// blurred: the last fit lacks a direction in which the measured arms differ too little to be
	// reckoned with. What it leaves over says nothing then.
	blurred bool
}

// newLine returns the model with features x.
func newLine(x *mat.Dense) *line {
	k, _ := x.Dims()
	span := lsq.NewSpan(x)
	m := span.Rank()
	if m == 0 {
		x, span, m = mat.NewDense(k, 1, nil), nil, 1
	} else {
		x = span.Coordinates(x)
	}
	l := &line{m: m, metric: lsq.NewMetric(m), a: make([]float64, m*m), b: make([]float64, m),
		theta: make([]float64, m)}
	for i := range k {
		l.outer(l.a, x.RawRowView(i), float64(m)/float64(k))
	}
	l.metric.Factorize(l.a)
	for i := range k {
		y := make([]float64, m)
		l.metric.Whiten(y, x.RawRowView(i))
		l.x = append(l.x, y)
	}
	return l
}

// outer adds w x x' to a.
func (l *line) outer(a, x []float64, w float64) {
	for i, v := range x {
		floats.AddScaled(a[i*l.m:][:l.m], w*v, x)
	}
}

// fit makes theta the parameters for which the sum over measured arms of weight(arm) (mean -
// x'theta)^2 is least, and returns that, or 0 if it is blurred. O(K m^2 + m^3).
func (l *line) fit(s *sums, weight func(a *armSums) float64) (least float64) {
	clear(l.a)
	for _, i := range s.measured {
		l.outer(l.a, l.x[i], weight(&s.arm[i]))
	}
	l.blurred = !l.metric.Factorize(l.a) && l.lacks(s, weight)
	clear(l.b)
	for _, i := range s.measured {
		a := &s.arm[i]
		floats.AddScaled(l.b, weight(a)*a.mean, l.x[i])
	}
	l.metric.Solve(l.theta, l.b)
	if l.blurred {
		return 0
	}
	for _, i := range s.measured {
		a := &s.arm[i]
		least += weight(a) * square(a.mean-l.mean(i))
	}
	return least
}

// lacks reports whether the fit has fewer directions than the measured arms.
func (l *line) lacks(s *sums, weight func(a *armSums) float64) bool {
	if len(s.measured) == 0 {
		return false
	}
	x := mat.NewDense(len(s.measured), l.m, nil)
	rank := 0. // the trace of N^+ N
	for j, i := range s.measured {
		x.SetRow(j, l.x[i])
		rank += weight(&s.arm[i]) * l.metric.Squared(l.x[i])
	}
	return rank < float64(lsq.NewSpan(x).Rank())-.5
}

// mean returns the fitted mean of an arm.
func (l *line) mean(i int) float64 { return floats.Dot(l.theta, l.x[i]) }

func square(x float64) float64 { return x * x }

// misfit is the e-process of Misfit: the means of all arms differ from linear ones by independent
// amounts of variance rho.
type misfit struct {
	line *line
	logs []float64
}

func (p *misfit) observe(*sums, *result) {}

func (p *misfit) look(s *sums) Finding {
	f := none(Misfit)
	p.logs = p.logs[:0]
	most := math.Inf(-1)
	for _, rho := range []float64{.05, .2, .8, 3.2} {
		weight := func(a *armSums) float64 { return a.n * a.n * rho / (1 + a.n*rho) }
		log := p.line.fit(s, weight) / 2
		for _, i := range s.measured {
			log -= math.Log1p(s.arm[i].n*rho) / 2
		}
		p.logs = append(p.logs, log)
		if log <= most {
			continue
		}
		most = log
		worst := -1.
		for _, i := range s.measured {
			a := &s.arm[i]
			r := a.mean - p.line.mean(i)
			if e := weight(a) * r * r; e > worst {
				worst, f.Arm, f.Size = e, i, math.Abs(r)
			}
		}
	}
	f.LogE = logMean(p.logs)
	return f
}

// scatter is the e-process of Scatter: noise about linear means is larger than declared.
type scatter struct {
	line *line
	logs []float64
}

func (p *scatter) observe(*sums, *result) {}

func (p *scatter) look(s *sums) Finding {
	f := none(Scatter)
	ss := s.ss + p.line.fit(s, func(a *armSums) float64 { return a.n })
	p.logs = excess(p.logs[:0], s.k, ss)
	f.LogE = logMean(p.logs)
	f.Size = math.Sqrt(ss / float64(max(s.k-min(p.line.m, len(s.measured)), 1)))
	return f
}
