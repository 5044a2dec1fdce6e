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
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
)

// ALBA is the method Adaptive Linear Best Arm with the subroutine Y-ElimTil (Tao, Blanco and Zhou,
// "Best Arm Identification in Linear Bandits with Linear Dimension Dependency", ICML 2018).
//
// Question: the best arm of a linear model, up to Epsilon of question.Best; the items are the arms.
// Fixed confidence.
//
// Assumptions: the means are linear in the features, with parameters whose norm is at most Norm.
// Rewards are sub-Gaussian of scale Problem.Sigma.
//
// Guarantee: the answer is right with probability at least 1 - Delta. The number of pulls is of the
// order of the sum, over the m smallest gaps, of 1/gap_i^2 log(...), where m is the rank of the
// features.
//
// Deviations from the paper: the paper assumes features of norm at most 1 and noise of scale 1.
// This implementation therefore divides features by the largest norm, multiplies Norm by this norm,
// and divides rewards and Norm by Sigma. The confidence widths follow from Bernstein's inequality,
// as in the public implementation by the authors of RAGE, but with corrected terms: see
// PublicWidths. With question.Best{Epsilon}, the run ends as soon as no arm can be better than the
// estimated best arm by more than Epsilon.
//
// After phase r, at most m/2^r arms are active. Each phase measures in steps, each about 1.21 times
// as long as the previous step. The arms to pull in a step are drawn from a G-optimal design over
// all arms in the span of the active arms. Estimates use the information matrix of the design, not
// that of the realized counts. For n active arms and a design of s arms, each step takes O(m^2 s +
// n m s) operations. Each phase computes one design.
type ALBA struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Norm is a bound on the Euclidean norm of theta, in reward units per unit of the features;
	// zero means 1, and the policy then adds a warning.
	Norm float64 `label:"norm %.4g" in:"[0,inf)" want:"a bound on the norm of theta"`
	// If PublicWidths is true, the confidence widths are those of the public implementation by the
	// authors of RAGE, to reproduce its results. No theorem supports the widths of the public
	// implementation. The public widths differ from the default widths in three terms:
	//
	//   - the accuracy of differences after step s is 1/2^(s+1), although the length of the step
	//     implies 2/1.1^s;
	//   - the term for the range of the rewards is half as large as in Bernstein's inequality;
	//   - widths and lengths use the dimension of the span of all arms, not of the active arms.
	PublicWidths bool `label:"public widths"`

	prob      *explore.Problem
	model     linear.Model
	survivors linear.Survivors
	rnd       *rand.Rand
	delta     float64
	norm      float64 // S: bound on the absolute means, in units of sigma
	longest   float64 // largest norm of an arm
	r, u      int     // phase, from 0; step, from 1
	k         int     // K_r: number of active arms at the start of the phase
	target    int

	arms    []int // arms of the design
	weights []float64
	m       int // rank of the active arms
	met     *lsq.Metric
	counts  []int
	length  float64 // l_s
	n       int     // n_s
	theta   []float64
	warn    []error
}

// Card implements explore.Describer.
func (p *ALBA) Card() explore.Card {
	return explore.Card{
		Name:      "ALBA",
		Answers:   []explore.Question{question.Best{}},
		Certifies: certifiesIf(!p.PublicWidths),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}, explore.Norm{Bound: p.Norm}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Bound:     "pulls of order sum over i ≤ m of 1/gap_i² log",
		Source:    "Tao, Blanco, Zhou 2018, with Y-ElimTil",
		Key:       "tao2018best",
	}
}

// String returns the name of the policy with its settings in parentheses.
func (p *ALBA) String() string { return named("ALBA", p) }

// Init implements explore.Policy.
func (p *ALBA) Init(prob *explore.Problem, src rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if err := measurable(prob, "ALBA"); err != nil {
		return err
	}
	if err := p.model.Init(prob); err != nil {
		return err
	}
	p.prob, p.warn, p.norm, p.longest = prob, nil, p.Norm, 1
	if prob.X != nil {
		p.longest = 0
		for i := range p.model.K {
			p.longest = max(p.longest, floats.Norm(prob.X.RawRowView(i), 2))
		}
	}
	if p.Norm == 0 {
		p.norm = 1
		p.warn = append(p.warn, fmt.Errorf("policy: ALBA.Norm is 0; the guarantee holds only if the norm of theta is "+
			"at most 1; set Norm to a bound on the norm of theta"))
	}
	p.norm *= p.longest / p.model.Sigma
	p.survivors.Start(&p.model)
	p.survivors.Half = p.radius
	p.rnd, p.counts = rand.New(src), nil
	p.theta = memory.Zeroed(p.theta, p.model.Rank)
	p.met = lsq.NewMetric(p.model.Rank)
	p.r = -1
	p.target = p.model.N
	return nil
}

// Ask implements explore.Policy.
func (p *ALBA) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.survivors.Over {
		return dst, nil
	}
	if p.counts == nil {
		if err := p.plan(); err != nil {
			return dst, err
		}
	}
	return linear.Allocation(dst, p.counts), nil
}

// plan computes the pulls of the next step; after the end of a phase, plan first begins a new
// phase.
func (p *ALBA) plan() error {
	p.u++
	for p.r < 0 || len(p.survivors.Active) <= p.target {
		p.r++
		p.u, p.k = 1, len(p.survivors.Active)
		p.target = max(1, p.model.Rank>>p.r)
		if p.k > p.target {
			if err := p.design(); err != nil {
				return err
			}
		}
	}
	share := 6 / (math.Pi * math.Pi)
	deltaR := share * p.delta / float64((p.r+1)*(p.r+1))
	deltaS := share * deltaR / float64(p.u*p.u)
	c0, g, d := max(4*p.norm*p.norm, 3), math.Pow(1.1, float64(p.u)), p.dimension()
	p.length = 4 * c0 * (2 + (6+4/g)*d) * (g / 4) * (g / 4)
	n := p.length * math.Log(5*float64(p.k)*float64(p.k)/(2*deltaS))
	if n > linear.MostPulls {
		return p.survivors.Tied(p.prob, n)
	}
	p.n = linear.Ceil(n)
	p.counts = make([]int, p.model.K)
	for i, c := range linear.Draw(p.n, p.weights, p.rnd) {
		p.counts[p.arms[i]] = c
	}
	return nil
}

// dimension returns the dimension that appears in the formulas for step lengths and confidence
// widths.
func (p *ALBA) dimension() float64 {
	if p.PublicWidths {
		return float64(p.model.Rank)
	}
	return float64(p.m)
}

// design computes a G-optimal design over the arms in the span of the active arms.
func (p *ALBA) design() error {
	z := mat.NewDense(len(p.survivors.Active), p.model.Rank, nil)
	for r, i := range p.survivors.Active {
		z.SetRow(r, p.model.Item(i))
	}
	span := lsq.NewSpan(z)
	p.m = span.Rank()
	var within []int
	for i := range p.model.N {
		if span.Outside(p.model.Item(i)) < 10*lsq.RankTolerance {
			within = append(within, i)
		}
	}
	x := mat.NewDense(len(within), p.model.Rank, nil)
	for r, i := range within {
		x.SetRow(r, p.model.Item(i))
	}
	d, err := design.G(x, nil)
	if d == nil {
		return err
	}
	if err != nil {
		p.warn = append(p.warn, fmt.Errorf("policy: ALBA, phase %d: %w", p.r, err))
	}
	p.arms, p.weights = p.arms[:0], p.weights[:0]
	information := make([]float64, p.model.Rank*p.model.Rank)
	for _, r := range d.Support() {
		p.arms = append(p.arms, p.model.First[within[r]])
		p.weights = append(p.weights, d.Weights[r])
		row := x.RawRowView(r)
		for c, v := range row {
			floats.AddScaled(information[c*p.model.Rank:][:p.model.Rank], d.Weights[r]*v, row)
		}
	}
	if p.met.Factorize(information) {
		return nil
	}
	return p.survivors.Seen(p.survivors.Active, p.met.Outside)
}

// Tell implements explore.Policy.
func (p *ALBA) Tell(obs []explore.Batch) error {
	// The estimate of theta is (n M)^-1 times the sum, over the n pulls, of the reward times the
	// features of the arm. Here, M is the information matrix of the design.
	b := make([]float64, p.model.Rank)
	for _, o := range obs {
		floats.AddScaled(b, o.Sum[0]/float64(p.n), p.model.Arm(o.Arm))
	}
	p.met.Solve(p.theta, b)
	for _, i := range p.survivors.Active {
		p.survivors.Mean[i] = floats.Dot(p.theta, p.model.Item(i))
	}
	p.survivors.Sort()
	kept := p.survivors.Order[:1]
	best := kept[0]
	for _, i := range p.survivors.Order[1:] {
		gap, radius := p.survivors.Mean[best]-p.survivors.Mean[i], p.radius(best, i)
		if gap > radius {
			p.survivors.Reasons[i] = explore.Reason{Class: explore.Dominated, By: best, Margin: gap,
				MarginRadius: radius}
		} else {
			kept = append(kept, i)
		}
	}
	p.survivors.Keep(kept)
	p.survivors.Over = p.survivors.Ahead()
	p.counts = nil
	return nil
}

// radius returns the half-width of the interval for the difference of items i and j. The half-width
// is the smaller of two bounds: only the second bound depends on the estimated means.
func (p *ALBA) radius(i, j int) float64 {
	l, d, s := p.length, p.dimension(), p.norm
	y, u := make([]float64, p.model.Rank), make([]float64, p.model.Rank)
	floats.SubTo(y, p.model.Item(i), p.model.Item(j))
	v2 := p.met.Squared(y)
	v := math.Sqrt(v2)
	noise := v2/l*math.Sqrt(3*d/l) + v2/l
	prior := math.Sqrt2*s*v/math.Sqrt(l) + 2*s*(p.distance(i, j)+v*math.Sqrt(d))/(3*l) + math.Sqrt(2*noise)

	// err bounds the error of an estimated difference after step u: it is half of the accuracy
	// 4/1.1^u that determines the length of the step.
	err, twice := 2*math.Pow(1.1, -float64(p.u)), 2.
	if p.PublicWidths {
		err, twice = math.Ldexp(1, -p.u)/2, 1
	}
	p.met.Solve(u, y)
	e := 0.
	for r, a := range p.arms {
		x := p.model.Arm(a)
		t := floats.Dot(u, x) * (math.Abs(floats.Dot(x, p.theta))/p.model.Sigma + err)
		e += p.weights[r] * t * t
	}
	size := math.Abs(floats.Dot(y, p.theta)) / p.model.Sigma
	own := math.Sqrt(2*e/l) + (2*(size+err)+twice*s*v*math.Sqrt(d))/(3*l) + math.Sqrt(2*noise)
	return p.model.Sigma * min(prior, own)
}

// distance returns the Euclidean distance between the features of items i and j, in units of the
// largest norm.
func (p *ALBA) distance(i, j int) float64 {
	if p.prob.X == nil {
		return math.Sqrt2
	}
	return floats.Distance(p.prob.X.RawRowView(p.model.First[i]), p.prob.X.RawRowView(p.model.First[j]), 2) / p.longest
}

// Answer implements explore.Policy.
func (p *ALBA) Answer() explore.Answer { return p.survivors.Answer() }

// Warnings implements explore.Warnings. Warnings warns about a missing bound on the norm of theta,
// and about designs that miss their tolerance.
func (p *ALBA) Warnings() []error { return p.warn }
