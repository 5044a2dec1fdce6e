package policy_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// anyProblem is a small random problem and its true means. Some arms have equal features, equal
// means or equal known values. The noise is Gaussian with a known or unknown scale, or the rewards
// are successes and failures, or bounded.
type anyProblem struct {
	*bandit.Instance
	mu            *mat.Dense // true means of the items
	circumstances policy.Circumstances
	kind          string // short description, used to group the cells of a table
}

// newAnyProblem draws a problem with question number ask.
func newAnyProblem(t *testing.T, rnd *rand.Rand, ask int) anyProblem {
	t.Helper()
	d := 1
	if ask >= 3 {
		d += rnd.IntN(2)
	}
	if ask == 3 || ask == 4 { // Pareto sets
		d = 2
	}
	k := 3 + rnd.IntN(5)
	a := anyProblem{circumstances: policy.Circumstances{AnySampling: rnd.IntN(2) == 0, Gaussian: true}}
	p := &explore.Problem{Objectives: d, Sigma: 1, NormSigma: 1}
	noise := []string{"Gaussian", "unknown noise", "successes", "range"}[rnd.IntN(4)]
	features, known := rnd.IntN(2) == 0, d > 1 && rnd.IntN(3) == 0
	mu := mat.NewDense(k, d, nil)
	if features {
		h := 2 + rnd.IntN(2)
		p.X = mat.NewDense(k, h, nil)
		theta := mat.NewDense(h, d, nil)
		theta.Apply(func(_, _ int, _ float64) float64 { return 2 * rnd.NormFloat64() }, theta)
		for i := range k {
			p.X.Set(i, 0, 1)
			for j := 1; j < h; j++ {
				p.X.Set(i, j, math.Round(8*rnd.Float64()-4)/4)
			}
			if i > 0 && rnd.IntN(4) == 0 { // copy the features of another arm
				p.X.SetRow(i, p.X.RawRowView(rnd.IntN(i)))
			}
		}
		mu.Mul(p.X, theta)
	} else {
		p.Arms = k
		for i := range k {
			for c := range d {
				mu.Set(i, c, math.Round(12*rnd.Float64()-6)/3+.05*rnd.NormFloat64())
			}
			if i > 0 && rnd.IntN(5) == 0 { // copy the means of another arm
				mu.SetRow(i, mu.RawRowView(rnd.IntN(i)))
			}
		}
	}
	var variances = slices.Repeat([]float64{1}, d)
	if known { // prices, which are not a function of the features
		p.Known = mat.NewDense(k, d, nil)
		for i := range k {
			mu.Set(i, d-1, math.Round(3*rnd.Float64())/2)
			for c := range d {
				p.Known.Set(i, c, math.NaN())
			}
			p.Known.Set(i, d-1, mu.At(i, d-1))
		}
		variances[d-1] = 0
	}
	switch noise {
	case "unknown noise":
		a.circumstances.UnknownSigma = true
		scale := math.Exp(4*rnd.Float64() - 2)
		mu.Scale(scale, mu)
		if p.Known != nil {
			p.Known.Scale(scale, p.Known)
		}
		for c := range variances {
			variances[c] *= scale * scale
		}
	case "successes", "range":
		if known || features {
			noise = "Gaussian"
			break
		}
		a.circumstances.Radius = radius.Bernoulli{}
		p.Sigma, p.NormSigma = .5, .5
		mu.Apply(func(_, _ int, v float64) float64 { return .02 + .96/(1+math.Exp(-1.5*v)) }, mu)
	}
	region := func() *polyhedron.Polyhedron {
		least := make([]float64, d)
		for c := range least {
			x := mat.Col(nil, c, mu)
			slices.Sort(x)
			at := rnd.IntN(k - 1)
			least[c] = x[at] + (x[at+1]-x[at])*(.3+.4*rnd.Float64())
		}
		r, err := polyhedron.AtLeast(least, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	unit := math.Max(math.Sqrt(variances[0]), 0)
	if noise == "successes" || noise == "range" {
		unit = .3
	}
	switch ask {
	case 0:
		p.Question = question.Best{}
	case 1:
		p.Question = question.Best{Epsilon: .3 * unit}
	case 2:
		p.Question = question.AllEpsilonBest{Epsilon: (.3 + rnd.Float64()) * unit}
	case 3:
		p.Question = question.Pareto{}
	case 4:
		p.Question = question.Pareto{Epsilon: .3 * unit}
	case 5:
		p.Question = question.FeasiblePareto{Region: region()}
	case 6:
		q := question.FeasiblePareto{Region: region(), Tolerance: slices.Repeat([]float64{.2 * unit}, d)}
		if rnd.IntN(2) == 0 {
			q.Slack = slices.Repeat([]float64{.2 * unit}, d)
			if rnd.IntN(2) == 0 {
				q.Tolerance = nil
			}
		}
		p.Question = q
	case 7:
		p.Question = question.Feasible{Region: region()}
	case 8:
		p.Question = question.BestFeasible{Region: region(), Count: 1 + rnd.IntN(3)}
	case 9:
		p.Question = question.BestFeasible{Region: polyhedron.Whole(d), Count: 1 + rnd.IntN(3)}
	}
	var law bandit.Law
	var err error
	switch noise {
	case "successes":
		law, err = bandit.NewBernoulli(mu)
	case "range":
		law = thirds{mu}
	default:
		law, err = bandit.NewGaussian(mu, mat.NewDiagDense(d, variances))
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Instance, a.mu = &bandit.Instance{Name: "any", Problem: p, Law: law}, mu
	a.kind = fmt.Sprintf("%T %s", p.Question, noise)
	for _, x := range []struct {
		is   bool
		word string
	}{{features, " features"}, {known, " known"}, {a.circumstances.AnySampling, " any sampling"}} {
		if x.is {
			a.kind += x.word
		}
	}
	return a
}

const asks = 10

// thirds samples rewards of 0, 1/2 and 1, which are neither Bernoulli nor Gaussian.
type thirds struct{ mu *mat.Dense }

func (l thirds) Dims() (k, d int)            { return l.mu.Dims() }
func (l thirds) Mean(dst []float64, arm int) { mat.Row(dst, arm, l.mu) }
func (l thirds) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	clear(dst)
	for range n {
		for c := range dst {
			m := l.mu.At(arm, c)
			half := math.Min(m, 1-m) // probability of 1/2; otherwise 0 or 1
			switch u := rnd.Float64(); {
			case u < half:
				dst[c] += .5
			case u < half+m-half/2:
				dst[c]++
			}
		}
	}
}

// On problems with equal features, means or known values, every policy of the catalogue gives a
// right answer, or no answer, to every question that it supports.
func TestTwins(t *testing.T) {
	const delta, most = .01, 3000
	runs, wrongs, questions := map[string]int{}, map[string]int{}, map[string]bool{}
	n := 60 * asks
	if testing.Short() {
		n /= 10
	}
	for run := range n {
		rnd := rand.New(rand.NewPCG(uint64(run), 5))
		a := newAnyProblem(t, rnd, run%asks)
		if a.circumstances.AnySampling = false; a.circumstances.UnknownSigma {
			continue
		}
		for _, p := range valid(a, delta) {
			card := p.Card()
			result, err := explore.Run(p, a.Problem, a.Sampler(seed.New(uint64(run))), &explore.Settings{MaxPulls: most})
			if err != nil || result.Status != explore.Stopped {
				continue
			}
			ask := a.Problem.Question
			if q, ok := ask.(question.FeasiblePareto); ok {
				q.SetOnly = card.Certifies < explore.CertifiesReasons
				ask = q
			}
			key := fmt.Sprintf("%s, %T", card.Name, ask)
			questions[key] = true
			runs[key]++
			if !ask.Correct(a.mu, result.Answer) {
				wrongs[key]++
				t.Logf("%s, problem %d, %s: %v is wrong", card.Name, run, a.kind, result.Answer.Items)
			}
		}
	}
	for key, of := range runs {
		if limit := policytest.MostErrors(of, delta); wrongs[key] > limit {
			t.Errorf("%s: %d of %d wrong; at most %d", key, wrongs[key], of, limit)
		}
	}
	t.Logf("%d pairs of a policy and a question", len(questions))
	if len(questions) < 40 {
		t.Errorf("only %d pairs of a policy and a question: %v", len(questions), slices.Sorted(maps.Keys(questions)))
	}
}

// valid returns the policies of the catalogue that certify an answer to a problem with error probability at most
// delta.
func valid(a anyProblem, delta float64) (list []explore.Describer) {
	declared := &explore.Declaration{Problem: a.Problem, Gaussian: a.circumstances.Radius == nil, Independent: true,
		Bounded: a.circumstances.Radius != nil}
	for _, make := range policy.Catalogue() {
		p := make()
		card := p.Card()
		nonlinear := a.Problem.Known != nil && a.Problem.X != nil && card.Uses.Has(explore.UsesFeatures) &&
			!card.Uses.Has(explore.UsesKnownValues)
		if card.Kind != explore.FixedConfidence || card.Certifies < explore.CertifiesSet || !card.Suits(a.Problem.Question) ||
			a.circumstances.AnySampling && card.Evidence != explore.AnySampling ||
			len(card.Lacks(declared)) > 0 || nonlinear {
			continue
		}
		v := reflect.ValueOf(p).Elem()
		v.FieldByName("Delta").SetFloat(delta)
		if f := v.FieldByName("Radius"); f.IsValid() && a.circumstances.Radius != nil {
			f.Set(reflect.ValueOf(a.circumstances.Radius))
		}
		if p.Init(a.Problem, seed.New(1).Source()) == nil {
			list = append(list, p)
		}
	}
	return list
}
