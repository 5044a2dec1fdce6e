package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/monitor"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// A noise is a law of which the declared scale is as small as it may be.
type noise string

const (
	gaussian  noise = "Gaussian"
	uniform   noise = "uniform"
	bernoulli noise = "Bernoulli"
	binomial  noise = "counts of 24"
)

// A world is a simulated laboratory: what is declared, and what is so.
type world struct {
	problem *explore.Problem
	assumed monitor.Assumptions
	means   *mat.Dense // K x d
	law     noise
	ratio   float64 // of the noise to the declared one
	drift   float64 // by plate
	plate   float64 // sd of the effects of plates
	slip    int     // the result that is a tenth of what was measured; 0: none
	rnd     *rand.Rand
	effect  map[int]float64
	session *explore.Session
	// Where means are linear: a fit of the results, and they.
	fit     *lsq.Fit
	history []reading
}

// sample returns a measurement on a plate.
func (w *world) sample(arm, plate int) []float64 {
	if _, ok := w.effect[plate]; !ok {
		w.effect[plate] = w.rnd.NormFloat64() * w.plate
	}
	y := make([]float64, w.problem.D())
	for c := range y {
		mean := w.means.At(arm, c) + w.effect[plate] + w.drift*float64(plate-1)
		switch w.law {
		case gaussian:
			y[c] = mean + w.ratio*w.rnd.NormFloat64()
		case uniform: // of variance 1, of which it is sub-Gaussian
			y[c] = mean + math.Sqrt(3)*(2*w.rnd.Float64()-1)
		case bernoulli:
			y[c] = distuv.Bernoulli{P: mean, Src: w.rnd}.Rand()
		case binomial:
			y[c] = distuv.Binomial{N: 24, P: mean, Src: w.rnd}.Rand()
		}
	}
	return y
}

// wells is the number of measurements of a plate.
const wells = 8

// A follow is what a campaign was like.
type follow struct {
	results  int
	warned   int // results until the average reached monitor.Warn, 0 if it never did
	alarm    int // until it reached monitor.Withdraw
	kind     monitor.Kind
	odd      int  // results that were odd
	asked    bool // the slip was odd
	finished bool // the policy stopped
}

// next says what to measure on the next plate; nothing ends the campaign.
type next func() (arms []int, tell func(y [][]float64), err error)

// inTurn measures the arms one after another.
func inTurn(k int) next {
	at := 0
	return func() ([]int, func([][]float64), error) {
		var arms []int
		for range wells {
			arms = append(arms, at%k)
			at++
		}
		return arms, func([][]float64) {}, nil
	}
}

// by measures what a policy asks for.
func by(s *explore.Session) next {
	return func() ([]int, func([][]float64), error) {
		orders, err := s.More(wells)
		var arms []int
		for _, o := range orders {
			arms = append(arms, o.Arm)
		}
		return arms, func(y [][]float64) {
			var reports []explore.Report
			for i, o := range orders {
				reports = append(reports, explore.Report{Ticket: o.Ticket, Batch: explore.Batch{
					Pull: explore.Pull{Arm: o.Arm, N: 1}, Sum: y[i]}})
			}
			if _, err := s.Report(reports); err != nil {
				panic(err)
			}
		}, err
	}
}

// run follows a campaign of at most some results, or until the alarm.
func (w *world) run(m *monitor.Monitor, n next, most int, onlyAlarm bool) (f follow, err error) {
	for plate := 1; f.results < most; plate++ {
		arms, tell, err := n()
		if err != nil {
			return f, err
		}
		if len(arms) == 0 {
			f.finished = true
			break
		}
		var all [][]float64
		for _, arm := range arms {
			y := w.sample(arm, plate)
			slip := w.slip == f.results+1
			if slip {
				y[0] /= 10
			}
			all = append(all, y)
			f.results++
			w.keep(arm, plate, y)
			if f.alarm == 0 {
				f.watch(m, arm, plate, y, slip)
			}
		}
		if f.alarm > 0 && onlyAlarm {
			return f, nil
		}
		tell(all)
	}
	m.Look()
	f.note(m)
	return f, nil
}

// watch tells a monitor a result, and notes what it says.
func (f *follow) watch(m *monitor.Monitor, arm, plate int, y []float64, slip bool) {
	for c, e := range m.Expect(arm) {
		if e.Odd(y[c]) {
			f.odd++
			f.asked = f.asked || slip
		}
	}
	m.Observe(arm, plate, y)
	f.note(m)
}

// note notes whether a monitor warns or withdraws.
func (f *follow) note(m *monitor.Monitor) {
	r := m.Report()
	if f.warned == 0 && r.Level() >= monitor.Warning {
		f.warned = f.results
	}
	if f.alarm == 0 && r.Level() == monitor.Withdrawal {
		f.alarm, f.kind = f.results, r.Findings[0].Kind
	}
}

// A reading is a result.
type reading struct {
	arm, plate int
	values     []float64
}

// keep keeps a result of a linear world.
func (w *world) keep(arm, plate int, y []float64) {
	if w.fit != nil {
		w.fit.Add(w.problem.X.RawRowView(arm), 1, y)
		w.history = append(w.history, reading{arm, plate, y})
	}
}

// finalists returns the answer of a linear campaign, and its three closest rivals.
func (w *world) finalists() (chosen int, rivals []int) {
	w.fit.Solve()
	chosen = w.session.Result().Answer.Items[0]
	order := make([]int, 0, w.problem.K()-1)
	for i := range w.problem.K() {
		if i != chosen {
			order = append(order, i)
		}
	}
	mean := func(i int) float64 { return w.fit.Mean(w.problem.X.RawRowView(i), 0) }
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(mean(j), mean(i)) })
	return chosen, order[:3]
}

// extras are measurements after a certificate: 3 or 10 of each of four finalists or, for the monitor
// alone, one of each of the 40 arms that were measured least.
var extras = [...]string{"3 x 4", "10 x 4", "40 others"}

// confirm makes each of the extras, on a plate of its own, and returns whether the certificate is
// withdrawn, by the monitor or because a claim is contradicted.
func (w *world) confirm(m *monitor.Monitor, chosen int, rivals []int) (withdrawn [len(extras)]bool,
	err error) {
	other, err := monitor.New(w.assumed)
	if err != nil {
		return withdrawn, err
	}
	n := make([]int, w.problem.K())
	for _, y := range w.history {
		other.Observe(y.arm, y.plate, y.values)
		n[y.arm]++
	}
	last := 1 + w.history[len(w.history)-1].plate
	least := make([]int, len(n))
	for i := range least {
		least[i] = i
	}
	slices.SortStableFunc(least, func(i, j int) int { return cmp.Compare(n[i], n[j]) })
	for _, arm := range least[:40] {
		other.Observe(arm, last, w.sample(arm, last))
	}
	other.Look()
	withdrawn[2] = other.Report().Level() == monitor.Withdrawal

	var claims []monitor.Claim
	for _, r := range rivals {
		claims = append(claims, monitor.Claim{Ahead: chosen, Behind: r})
	}
	c := monitor.NewConfirmation(claims, 10, []float64{w.problem.Sigma}, .05)
	for made := range c.Replicates {
		for _, arm := range append(rivals, chosen) {
			y := w.sample(arm, last)
			m.Observe(arm, last, y)
			c.Observe(arm, y)
		}
		m.Look()
		if m.Report().Level() == monitor.Withdrawal || c.Verdict() == monitor.Contradicted {
			withdrawn[0], withdrawn[1] = withdrawn[0] || made < 3, true
		}
	}
	return withdrawn, nil
}

// newWorld returns the world of a problem in which all that is declared is true. Means are close to
// each other, so that policies go on.
func newWorld(p *explore.Problem, law noise, s seed.Seed) *world {
	w := &world{problem: p, law: law, ratio: 1, rnd: rand.New(s.Source()), effect: map[int]float64{}}
	o := monitor.Objective{Sigma: 1}
	center, spread := 0., .5
	switch law {
	case bernoulli:
		o = monitor.Objective{Sigma: .5, High: 1, Trials: 1}
		center, spread = .5, .1
	case binomial:
		o = monitor.Objective{Sigma: math.Sqrt(24) / 2, High: 24, Trials: 24}
		center, spread = .5, .05
	}
	p.Sigma = o.Sigma
	w.assumed = monitor.Assumptions{X: p.X, Arms: p.Arms}
	w.means = mat.NewDense(p.K(), p.D(), nil)
	for c := range p.D() {
		w.assumed.Objectives = append(w.assumed.Objectives, o)
		theta := make([]float64, p.H())
		for j := range theta {
			theta[j] = spread * (2*w.rnd.Float64() - 1) / math.Sqrt(float64(len(theta)))
		}
		for i := range p.K() {
			mean := spread * (2*w.rnd.Float64() - 1)
			if p.X != nil {
				mean = 0
				for j, v := range theta {
					mean += v * p.X.At(i, j)
				}
			}
			w.means.Set(i, c, center+mean)
		}
	}
	return w
}

// factorial returns the features of all combinations of some factors of two levels.
func factorial(factors int) *mat.Dense {
	x := mat.NewDense(1<<factors, factors+1, nil)
	for i := range 1 << factors {
		x.Set(i, 0, 1)
		for j := range factors {
			x.Set(i, j+1, float64(i>>j&1*2-1))
		}
	}
	return x
}

// A design is a way to sample.
type design string

const (
	turns   design = "in turn"
	topTwo  design = "top-two"
	eCAPE   design = "e-cAPE"
	linGapE design = "LinGapE"
	betting design = "betting"
)

// everywhere is a region without a bound that matters.
func everywhere(d int) *polyhedron.Polyhedron {
	a := mat.NewDense(1, d, nil)
	a.Set(0, 0, 1)
	p, err := polyhedron.New(a, []float64{1e3}, nil)
	if err != nil {
		panic(err)
	}
	return p
}

// begin returns a world with k arms and the way to sample in it, and a monitor.
func (d design) begin(k int, linear bool, law noise, delta float64, s seed.Seed) (*world, next,
	*monitor.Monitor, error) {
	var p explore.Policy
	prob := &explore.Problem{Arms: k, Question: question.Best{}}
	switch d {
	case topTwo:
		prob.Question = question.BestFeasible{Region: everywhere(1)}
		p = &policy.ConstrainedTopTwo{Delta: delta}
	case eCAPE:
		prob.Objectives, prob.Question = 2, question.FeasiblePareto{Region: everywhere(2)}
		p = &policy.ECAPE{Delta: delta}
	case linGapE:
		p = &policy.LinGapE{Delta: delta, Select: policy.LinGapEGreedy}
	case betting:
		p = &policy.BettingElimination{Delta: delta, Plate: wells}
	}
	if linear {
		prob.X = factorial(int(math.Log2(float64(k))))
	}
	w := newWorld(prob, law, s.Child("world"))
	if linear {
		w.fit = lsq.NewFit(prob.H(), 1)
	}
	m, err := monitor.New(w.assumed)
	if err != nil || p == nil {
		return w, inTurn(k), m, err
	}
	ses, err := explore.NewSession(p, prob, &explore.Settings{Src: s.Child("policy").Source()})
	if err == nil {
		err = ses.ByTickets()
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", d, err)
	}
	w.session = ses
	return w, by(ses), m, nil
}

// spread gives a linear world effects of .3 to 1, so that campaigns end.
func (w *world) spread() {
	x := w.problem.X
	theta := make([]float64, w.problem.H())
	for j := range theta {
		theta[j] = .3 + .7*w.rnd.Float64()
		if w.rnd.IntN(2) == 0 {
			theta[j] *= -1
		}
	}
	for i := range w.problem.K() {
		w.means.Set(i, 0, floats.Dot(x.RawRowView(i), theta))
	}
}
