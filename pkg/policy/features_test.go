package policy_test

import (
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Policies treat rare properties of problems as recorded in testdata/pins. These properties are costs, tolerances,
// known values, noise by objective, ties, items that are not arms, and rank-deficient features. Each policy runs once
// in rounds, and once in plates with late or lost results and a history of earlier rewards. The test compares the
// requested pulls, the answers and the reasons after 1, 2, 4, 8, ... rounds. Each form of a policy solves all its
// problems one after the other with the same policy value, which reuses its memory. After an intended change,
// PATHS=write rewrites the records.
func TestFeaturesStay(t *testing.T) {
	all, lines := featureForms(), map[string][]string{}
	for i, own := range inParallel(len(all), func(i int) (lines []string) {
		p := all[i].new()
		for _, s := range sites() {
			if d := s.digest(p); d != "" {
				lines = append(lines, fmt.Sprintf("%s, %s: %s", all[i].name, s.name, d))
			}
		}
		return lines
	}) {
		name := explore.TypeName(all[i].new())
		lines[name] = append(lines[name], own...)
	}
	golden.Pins(t, "pins", "problems", true, lines)
}

// inParallel returns the lines of f(0) to f(n-1), computed in parallel.
func inParallel(n int, f func(i int) []string) [][]string {
	lines := make([][]string, n)
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				lines[i] = f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return lines
}

// featureForms returns each policy of the catalogue once, and some again with other radii or small budgets.
func featureForms() (all []plan) {
	seen := map[string]bool{}
	add := func(p plan) {
		if v := fmt.Sprintf("%#v", p.new()); !seen[v] {
			seen[v] = true
			all = append(all, p)
		}
	}
	for _, new := range policy.Catalogue() {
		card := new().Card()
		add(plan{name: card.Name, new: func() explore.Policy { return budgeted(new(), 250) }})
	}
	for _, r := range []radius.Radius{radius.Mixture{}, radius.EmpiricalBernstein{},
		radius.Bernoulli{},
		radius.Each{radius.EmpiricalBernstein{}, radius.Bernoulli{Centered: true},
			radius.EmpiricalBernstein{}}} {
		for _, new := range policy.Catalogue() {
			for _, field := range []string{"Radius", "Rewards"} {
				p := new()
				f := reflect.ValueOf(p).Elem().FieldByName(field)
				if f.IsValid() && f.Type() == reflect.TypeFor[radius.Radius]() {
					add(plan{name: fmt.Sprintf("%s with %v", p.Card().Name, r),
						new: func() explore.Policy {
							p := new()
							reflect.ValueOf(p).Elem().FieldByName(field).Set(reflect.ValueOf(r))
							return p
						}})
				}
			}
		}
	}
	return all
}

// budgeted sets the budget of a fixed-budget policy.
func budgeted(p explore.Policy, budget int64) explore.Policy {
	if f := reflect.ValueOf(p).Elem().FieldByName("Budget"); f.IsValid() && f.Kind() == reflect.Int &&
		p.(explore.Describer).Card().Kind == explore.FixedBudget {
		f.SetInt(budget)
	}
	return p
}

// A site is a problem with a simulated laboratory.
type site struct {
	name string
	explore.Problem
	means []float64 // means of the arms, or their linear predictors
}

// sites returns the problems of TestFeaturesStay. Most problems need only a few hundred rewards.
func sites() []site {
	nan := math.NaN()
	table := func(cols int, x ...float64) *mat.Dense { return mat.NewDense(len(x)/cols, cols, x) }
	// The third feature is the sum of the other features. Arms 1 and 4 have the same features.
	x := table(3, 1, 0, 1, .6, .8, 1.4, 0, 1, 1, -.7, .7, 0, .6, .8, 1.4, .2, -.1, .1)
	bent := table(3, 1, 0, 0, 0, 1, 0, 0, 0, 1, .8, .5, .1, -.3, .6, .7, .9, -.2, .3)
	twins := table(2, 1, 0, 1, 0, 0, 1, 0, 1, .7, .7, .9, .1)
	axes := table(2, 1, 0, 0, 1, .7, .7, .9, .1)
	slanted, err := polyhedron.New(table(2, -1, -2, 1, 0), []float64{.3, 1.4}, nil)
	if err != nil {
		panic(err)
	}
	two := []float64{1, .2, .2, 1, 1, .2, .1, .1, .9, -.9} // two tied arms, another optimal arm, a dominated arm and an infeasible arm
	three := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, .1, .1, .1, -.5, -.5, -.5, .9, 0, .1}
	many := make([]float64, 80)
	for i := range 40 {
		a := math.Pi / 2 * float64(i) / 39
		r := 1 - .5*float64(i%3)
		many[2*i], many[2*i+1] = r*math.Cos(a), r*math.Sin(a)
	}
	prices := table(2, nan, .2, nan, 1, nan, .2, nan, .1, nan, -.9)
	front := question.FeasiblePareto{Region: atLeast(-.5, -.5)}
	lenient := front
	lenient.Tolerance, lenient.Slack = []float64{.3, .2}, []float64{.1, .2}
	setOnly := front
	setOnly.SetOnly = true
	rates := []float64{.95, .4, .3, .95, .2, .1, 1, .05, .1, .4}
	rated := question.FeasiblePareto{Region: atLeast(.3, .2), Tolerance: []float64{.1, .2}, Slack: []float64{.1, .1}}
	list := []site{
		{"one arm", explore.Problem{Question: question.Best{}}, []float64{1}},
		{"best, costs", explore.Problem{Question: question.Best{}, Costs: []float64{1, 25, .5, 3}},
			[]float64{0, 1, .4, -1}},
		{"best, a tie is tolerated", explore.Problem{Question: question.Best{Epsilon: .4}},
			[]float64{.2, 1, 1, .9, -1}},
		{"best, short of rank, costs", explore.Problem{Question: question.Best{Epsilon: .2}, X: x,
			Costs: []float64{1, 1, 2, 9, 3, .5}}, predicted(x, .3, .9, 0)},
		{"best of items", explore.Problem{Question: question.Best{Epsilon: .1}, X: axes,
			Z: table(2, 1, 1, 1, -1, 0, .5, 1, .9, 0, .5)}, predicted(axes, 1, -.5)},
		{"best rate", explore.Problem{Question: question.Best{}, Sigma: .5, X: axes},
			predicted(axes, .2, .9)},
		{"best, successes", explore.Problem{Question: question.Best{}, Link: explore.Logit, X: axes},
			predicted(axes, 2, -2)},
		{"all good, counts", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .6},
			Link: explore.Log, X: axes}, predicted(axes, 1.5, -1)},
		{"all good, costs", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .4},
			Costs: []float64{1, 5, 1, 1, 2}}, []float64{1, 1, .8, 0, -.4}},
		{"all good, fractions", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .3,
			Multiplicative: true, Zero: -1}}, []float64{1, .7, .1, -.4}},
		{"all good items", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .5}, X: axes,
			Z: table(2, 1, 1, 1, -1, 0, .5)}, predicted(axes, 1, -.5)},
		{"all good, short of rank", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .5},
			X: x}, predicted(x, .3, .9, 0)},
		{"front, costs", explore.Problem{Question: question.Pareto{}, Objectives: 2,
			Costs: []float64{1, 1, 9, .1, 2}}, []float64{1, .2, .2, 1, .7, .7, .1, .1, 0, -.5}},
		{"front, relaxed", explore.Problem{Question: question.Pareto{Epsilon: .3, Cover: .2},
			Objectives: 2, Sigmas: []float64{.12, .06}}, two},
		{"front of three objectives", explore.Problem{Question: question.Pareto{Epsilon: .2},
			Objectives: 3}, three},
		{"front, one is enough", explore.Problem{Question: question.Pareto{Epsilon: .1, AtMost: 1},
			Objectives: 2}, two},
		{"front, prices", explore.Problem{Question: question.Pareto{}, Objectives: 2,
			Known: prices, Costs: []float64{3, 1, 1, 1, 1}}, []float64{1, .2, .2, 1, .4, .2, .1, .1, .9, -.9}},
		{"front of forty", explore.Problem{Question: question.Pareto{Epsilon: .3}, Objectives: 2}, many},
		{"front, short of rank", explore.Problem{Question: question.Pareto{Epsilon: .3},
			Objectives: 2, X: x}, predicted2(x, [3]float64{1, -.5}, [3]float64{0, 1})},
		{"front, changing", explore.Problem{Question: question.Pareto{Epsilon: .5}, Objectives: 2,
			X: axes, Changing: true}, predicted2(axes, [3]float64{1, -.5}, [3]float64{0, 1})},
		{"feasible front", explore.Problem{Question: front, Objectives: 2,
			Costs: []float64{2, 1, 1, 9, 1}}, []float64{1, .2, .2, 1, .5, .1, .1, .1, .9, -1.2}},
		{"feasible front, lenient", explore.Problem{Question: lenient, Objectives: 2,
			Sigmas: []float64{.12, .06}, Costs: []float64{2, 1, 1, 9, 1}}, two},
		{"feasible front, prices", explore.Problem{Question: lenient, Objectives: 2, Known: prices}, two},
		{"feasible front, set only", explore.Problem{Question: setOnly, Objectives: 2}, two},
		{"feasible front, slanted", explore.Problem{Question: question.FeasiblePareto{
			Region: slanted}, Objectives: 2}, []float64{1, .2, .2, 1, -.8, -.3, .1, .1, 2, .9}},
		{"feasible front, slanted, slacks", explore.Problem{Question: question.FeasiblePareto{
			Region: slanted, Slack: []float64{.3, .1}}, Objectives: 2, Sigmas: []float64{.06, .12}},
			[]float64{1, .2, .2, 1, -.8, .2, .1, .1, 2, .9}},
		{"feasible front, simplex", explore.Problem{Question: question.FeasiblePareto{
			Region: polyhedron.Simplex(3)}, Objectives: 3, Sigma: .1}, three},
		{"feasible", explore.Problem{Question: question.Feasible{Region: slanted}, Objectives: 2},
			[]float64{1, .2, .2, 1, -.8, -.3, .1, .1, 2, .9}},
		{"best feasible", explore.Problem{Question: question.BestFeasible{Region: atLeast(-.5, -.5),
			Weights: []float64{2, -1}, Count: 2}, Objectives: 2},
			[]float64{1, .2, .2, 1, .9, .7, .1, .1, 1.2, -.9}},
		{"best feasible by one", explore.Problem{Question: question.BestFeasible{
			Region: atLeast(-.5, -.5), Weights: []float64{2, 0}}, Objectives: 2,
			Sigmas: []float64{.12, .1}}, []float64{1, .2, .2, 1, .5, .7, .1, .1, 1.2, -.9}},
		{"front of rates", explore.Problem{Question: question.Pareto{}, Objectives: 2, Sigma: .5,
			Costs: []float64{1, 2, 1, 1, 5}}, rates},
		{"feasible front of rates", explore.Problem{Question: rated, Objectives: 2, Sigma: .5}, rates},
		{"feasible front of rates, a known one", explore.Problem{Question: rated, Objectives: 2,
			Sigma: .5, Known: table(2, nan, nan, nan, .95, nan, nan, nan, nan, nan, nan)}, rates},
		{"best feasible rate", explore.Problem{Question: question.BestFeasible{
			Region: atLeast(.3, .2), Weights: []float64{3, 0}}, Objectives: 2, Sigma: .5}, rates},
		{"best, rank three", explore.Problem{Question: question.Best{}, X: bent},
			predicted(bent, 1, .3, -.4)},
		{"all good, rank three", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .4},
			X: bent, Costs: []float64{1, 2, 3, 1, 4, 1}}, predicted(bent, 1, .3, -.4)},
		{"front, rank three", explore.Problem{Question: question.Pareto{}, Objectives: 2, X: bent,
			Costs: []float64{1, 2, 3, 1, 4, 1}},
			predicted2(bent, [3]float64{1, -.5, .2}, [3]float64{0, 1, -.3})},
		{"feasible front, rank three", explore.Problem{Question: front, Objectives: 2, X: bent},
			predicted2(bent, [3]float64{1, -.5, .2}, [3]float64{0, 1, -.3})},
		{"feasible, prices", explore.Problem{Question: question.Feasible{Region: atLeast(-.5, -.5)},
			Objectives: 2, Known: prices}, two},
		{"best feasible, prices", explore.Problem{Question: question.BestFeasible{
			Region: atLeast(-.5, -.5)}, Objectives: 2, Known: prices}, two},
		{"best feasible by price", explore.Problem{Question: question.BestFeasible{
			Region: atLeast(.15, -2), Weights: []float64{0, -1}}, Objectives: 2, Known: prices}, two},
		{"feasible front, prices tie and are tolerated", explore.Problem{Question: question.FeasiblePareto{
			Region: atLeast(-.5, .15), Tolerance: []float64{.1, 0}, Slack: []float64{.1, .1}}, Objectives: 2,
			Known: table(2, nan, .2, nan, .2, .5, .2, nan, .1, nan, -.9, .5, .2)},
			[]float64{1, .2, .2, .2, .5, .2, .1, .1, .9, -.9, .5, .2}},
		{"feasible by price alone", explore.Problem{Question: question.Feasible{Region: atLeast(math.Inf(-1), .15)},
			Objectives: 2, Known: prices}, two},
		{"best feasible by price alone", explore.Problem{Question: question.BestFeasible{Region: atLeast(math.Inf(-1), .15),
			Weights: []float64{1, .5}, Count: 2}, Objectives: 2, Known: prices}, two},
		{"front, rank three, prices", explore.Problem{Question: question.Pareto{Epsilon: .1}, Objectives: 2, X: bent,
			Known: table(2, nan, 3, nan, 1, nan, 1, nan, 2, nan, 4, nan, 3)},
			predicted2(bent, [3]float64{1, -.5, .2}, [3]float64{0, 1, -.3})},
		{"best rate, below zero", explore.Problem{Question: question.Best{}, Sigma: .5}, []float64{-.1, -.5, -.9}},
		{"best of three that are the same", explore.Problem{Question: question.Best{},
			X: table(2, 1, .5, 1, .5, 2, 1), Z: table(2, 1, .5, 1, .5, 1, .5)}, []float64{1, 1, 2}},
		{"best, twins first", explore.Problem{Question: question.Best{}, X: twins}, predicted(twins, .4, .9)},
		{"all good, twins first", explore.Problem{Question: question.AllEpsilonBest{Epsilon: .5}, X: twins}, predicted(twins, .4, .9)},
		{"front, twins first", explore.Problem{Question: question.Pareto{}, Objectives: 2, X: twins,
			Costs: []float64{1, 2, 1, 1, 3, 1}}, predicted2(twins, [3]float64{1, -.5}, [3]float64{-.2, 1})},
		{"nobody feasible", explore.Problem{Question: question.FeasiblePareto{Region: atLeast(2, 2)},
			Objectives: 2}, two},
	}
	for i := range list {
		p := &list[i].Problem
		if p.Sigma == 0 {
			p.Sigma = .12
		}
		p.NormSigma, p.Arms = p.Sigma, len(list[i].means)/p.D()
	}
	return list
}

// predicted returns x'theta for the rows of x.
func predicted(x *mat.Dense, theta ...float64) (y []float64) {
	rows, _ := x.Dims()
	for i := range rows {
		v := 0.
		for j, t := range theta {
			v += x.At(i, j) * t
		}
		y = append(y, v)
	}
	return y
}

// predicted2 is predicted for two objectives.
func predicted2(x *mat.Dense, a, b [3]float64) (y []float64) {
	_, h := x.Dims()
	for i, v := range predicted(x, a[:h]...) {
		y = append(y, v, predicted(x, b[:h]...)[i])
	}
	return y
}

// digest runs p in rounds and, if p implements explore.Asynchronous, in plates. If p does not support the problem,
// digest returns "".
func (s *site) digest(p explore.Policy) (d string) {
	lab := laboratory{site: s, rnd: rand.New(rand.NewPCG(28, uint64(len(s.name)))), h: fnv.New64a()}
	new := func(src uint64) *explore.Session {
		ses, err := explore.NewSession(p, &s.Problem, &explore.Settings{MaxPulls: 1 << 22,
			MaxRounds: 250, Src: rand.NewPCG(28, src)})
		if err != nil {
			lab.h.Reset()
			return nil
		}
		return ses
	}
	ses := new(1)
	if ses == nil {
		return ""
	}
	if d = lab.end(ses, lab.rounds(ses)); strings.HasPrefix(d, "an error") {
		return "" // rewards are out of range
	}
	if _, open := p.(explore.Asynchronous); open && !s.Changing {
		if ses := new(2); ses != nil {
			d += "; " + lab.end(ses, lab.plates(ses))
		}
	}
	return d
}

// A laboratory measures a site and keeps a digest of the requests and results.
type laboratory struct {
	*site
	rnd *rand.Rand
	h   hash.Hash64
}

// measure returns the sum of n rewards of an arm. Rewards are the mean plus or minus sigma, successes, or counts.
func (l *laboratory) measure(arm, n int, x *mat.Dense) explore.Batch {
	d := l.D()
	b := explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: make([]float64, d)}
	if n > 1 && d > 1 && n%2 == 0 {
		b.Squares = make([]float64, d)
	}
	for c := range d {
		mean, sigma := l.means[arm*d+c], l.SigmaOf(c)
		if x != nil { // changing features change the mean
			mean += .2 * (x.At(arm, 0) - l.X.At(arm, 0))
		}
		if l.Known != nil && !math.IsNaN(l.Known.At(arm, c)) {
			mean, sigma = l.Known.At(arm, c), 0
		}
		switch {
		case l.Link == explore.Logit:
			b.Sum[c] = l.heads(n, 1/(1+math.Exp(-mean)))
			continue
		case l.Link == explore.Log:
			rate := math.Exp(mean) * float64(n)
			b.Sum[c] = math.Max(0, math.Round(rate+math.Sqrt(rate)*l.rnd.NormFloat64()))
			continue
		case l.Sigma == .5: // success rates
			if b.Sum[c] = l.heads(n, math.Abs(mean)); mean < 0 {
				b.Sum[c] *= -1
			}
			if sigma == 0 {
				b.Sum[c] = float64(n) * mean
			}
			if b.Squares != nil {
				b.Squares[c] = math.Abs(b.Sum[c])
			}
			continue
		}
		ahead := 2*l.heads(n, .5) - float64(n)
		b.Sum[c] = float64(n)*mean + sigma*ahead
		if b.Squares != nil {
			b.Squares[c] = float64(n)*(mean*mean+sigma*sigma) + 2*mean*sigma*ahead
		}
	}
	return b
}

// heads returns the number of heads of n coins with probability p, or a normal approximation for large n.
func (l *laboratory) heads(n int, p float64) (sum float64) {
	if n > 100 {
		mean := float64(n) * p
		return math.Round(math.Min(math.Max(mean+math.Sqrt(mean*(1-p))*l.rnd.NormFloat64(), 0), float64(n)))
	}
	for range n {
		if l.rnd.Float64() < p {
			sum++
		}
	}
	return sum
}

// rounds runs a session in rounds.
func (l *laboratory) rounds(ses *explore.Session) error {
	for round := 1; ; round++ {
		var x *mat.Dense
		if ses.ReadsContexts() {
			x = mat.DenseCopyOf(l.X)
			for i := range l.K() {
				x.Set(i, 0, x.At(i, 0)+l.rnd.NormFloat64()/4)
			}
			if err := ses.Observe(x); err != nil {
				return err
			}
		}
		pulls, err := ses.Ask()
		if err != nil || len(pulls) == 0 {
			return err
		}
		fmt.Fprintln(l.h, pulls)
		var obs []explore.Batch
		for _, q := range pulls {
			obs = append(obs, l.measure(q.Arm, q.N, x))
		}
		if err := ses.Tell(obs); err != nil {
			return err
		}
		if round&(round-1) == 0 {
			l.write(ses.Result())
		}
	}
}

// plates runs a session in forty plates of five wells (forty wells for success rates), with two plates pending at a
// time. Some measurements fail, and other measurements are late. Two arms have a few results from before the run, and
// arm 1 receives many more results in the middle of the run.
func (l *laboratory) plates(ses *explore.Session) error {
	var out, late []explore.Order
	history := func(arm, n int) error {
		_, err := ses.Report([]explore.Report{{Batch: l.measure(arm, n, nil)}})
		return err
	}
	if err := errors.Join(history(0, 3), history(l.K()-1, 1)); err != nil {
		return err
	}
	size := 5
	if l.Sigma == .5 { // success rates: more rewards, so that half-widths can adapt to the rates
		size = 40
	}
	for plate := 1; plate <= 40; plate++ {
		orders, err := ses.More(size)
		if err != nil {
			return err
		}
		for _, o := range orders {
			fmt.Fprint(l.h, o.Arm, " ")
		}
		back := append(late, out...)
		late, out = nil, orders
		var reports []explore.Report
		for _, o := range back {
			switch u := l.rnd.Float64(); {
			case u < .1:
				if err := ses.Forget(o.Ticket); err != nil {
					return err
				}
			case u < .4:
				late = append(late, o)
			default:
				reports = append(reports, explore.Report{Ticket: o.Ticket, Batch: l.measure(o.Arm, 1, nil)})
			}
		}
		if _, err := ses.Report(reports); err != nil {
			return err
		}
		switch plate {
		case 12:
			err = history(1%l.K(), 1<<20+3)
		case 15:
			err = history(l.K()-1, 12)
		}
		if err != nil || ses.Status() != explore.Running {
			return err
		}
		if plate&(plate-1) == 0 || plate == 13 {
			l.write(ses.Result())
		}
	}
	return nil
}

// end returns the status of a run with the digest of its path.
func (l *laboratory) end(ses *explore.Session, err error) string {
	r := ses.Result()
	l.write(r)
	fmt.Fprintln(l.h, r.ArmPulls, len(r.Warnings))
	how := r.Status.String()
	switch {
	case errors.Is(err, policy.ErrUndecidable):
		how = "undecidable"
	case err != nil:
		how = "an error"
	}
	s := fmt.Sprintf("%s after %d, %08x", how, r.Pulls, uint32(l.h.Sum64()))
	l.h.Reset()
	return s
}

// write adds an answer to the digest.
func (l *laboratory) write(r *explore.Result) {
	fmt.Fprintln(l.h, r.Status, r.Answer.Items)
	for _, x := range r.Answer.Reasons {
		fmt.Fprintf(l.h, "%v %d %.6g %.6g %d %.6g %.6g %v\n", x.Class, x.By, x.Margin,
			x.MarginRadius, x.Constraint, x.Slack, x.SlackRadius, x.Estimated)
	}
}
