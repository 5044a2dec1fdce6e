package policy_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/floats"
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

// anyProblem is a small random problem, and what is true of it: arms with and without features, of which some have the same,
// the same means or the same known values; Gaussian noise of known and unknown size, successes, rewards in a range.
type anyProblem struct {
	*bandit.Instance
	mu            *mat.Dense // of the items
	circumstances policy.Circumstances
	kind          string // in words: what a cell of a table has in common
}

// newAnyProblem draws a problem with the question of that number.
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
			if i > 0 && rnd.IntN(4) == 0 { // a twin
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
			if i > 0 && rnd.IntN(5) == 0 { // the same means
				mu.SetRow(i, mu.RawRowView(rnd.IntN(i)))
			}
		}
	}
	var variances = slices.Repeat([]float64{1}, d)
	if known { // prices, which are no function of the features
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

// thirds are rewards of 0, 1/2 and 1, which are neither successes nor Gaussian.
type thirds struct{ mu *mat.Dense }

func (l thirds) Dims() (k, d int)            { return l.mu.Dims() }
func (l thirds) Mean(dst []float64, arm int) { mat.Row(dst, arm, l.mu) }
func (l thirds) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	clear(dst)
	for range n {
		for c := range dst {
			m := l.mu.At(arm, c)
			half := math.Min(m, 1-m) // with this probability 1/2, else 0 or 1
			switch u := rnd.Float64(); {
			case u < half:
				dst[c] += .5
			case u < half+m-half/2:
				dst[c]++
			}
		}
	}
}

// For is right as often as delta says, whatever is asked, known and declared: of each kind of problem, and of each policy,
// no more answers are wrong than an exact limit that an error probability of delta exceeds once in a million.
// PUREXP_ERRORS is the number of problems.
func TestForIsRight(t *testing.T) {
	n, delta, most := fewer(600, 3), .01, 20000
	if s := os.Getenv("PUREXP_ERRORS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	type cell struct{ runs, wrong int }
	cells := map[string]*cell{}
	stopped := 0
	for run := range n {
		rnd := rand.New(rand.NewPCG(uint64(run), 4))
		a := newAnyProblem(t, rnd, run%asks)
		a.circumstances.Delta = delta
		r, err := policy.For(a.Problem, a.circumstances)
		if errors.Is(err, explore.ErrQuestion) && a.circumstances.UnknownSigma {
			continue // no method takes a pilot
		}
		if err != nil {
			t.Errorf("problem %d, %s: %v", run, a.kind, err)
			continue
		}
		result, err := explore.Run(r.Make(), a.Problem, a.Sampler(seed.New(uint64(run))), &explore.Settings{MaxPulls: most})
		if err != nil {
			t.Errorf("problem %d, %s, %s: %v", run, a.kind, r.Name, err)
			continue
		}
		if result.Status != explore.Stopped {
			continue // a tie, or nearly one
		}
		stopped++
		wrong := !a.Problem.Question.Correct(a.mu, result.Answer)
		for _, key := range []string{a.kind, r.Name, "all"} {
			c := cells[key]
			if c == nil {
				c = new(cell)
				cells[key] = c
			}
			c.runs++
			if wrong {
				c.wrong++
			}
		}
		if wrong {
			t.Logf("problem %d, %s, %s: the answer %v is wrong", run, a.kind, r.Name, result.Answer.Items)
		}
	}
	for key, c := range cells {
		if limit := policytest.MostErrors(c.runs, delta); c.wrong > limit {
			t.Errorf("%s: %d of %d wrong; at most %d", key, c.wrong, c.runs, limit)
		}
	}
	t.Logf("%d of %d stopped, %d wrong", stopped, n, cells["all"].wrong)
	if stopped < n/2 {
		t.Errorf("%d of %d stopped", stopped, n)
	}
}

// Where items have the same features, the same means or the same known values, every policy of the catalogue gives a right
// answer to every question that it answers, or none: matrix of policies, questions and problems.
func TestTwins(t *testing.T) {
	const delta, most = .01, 3000
	runs, wrongs, questions := map[string]int{}, map[string]int{}, map[string]bool{}
	n := 60 * asks
	if testing.Short() {
		n /= 3
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
	if len(questions) < 50 {
		t.Errorf("only %d pairs of a policy and a question: %v", len(questions), slices.Sorted(maps.Keys(questions)))
	}
}

// No valid method of the catalogue takes less than half of the measurements of the recommended one: geometric means over the
// problems of a kind on which every run of both stops.
func TestForIsCheap(t *testing.T) {
	const delta, most, least = .01, 10000, 5
	type cell struct {
		n   int
		log float64 // of the method's measurements over those of the recommended one
	}
	cells := map[string]map[string]*cell{}
	for run := range 20 * asks {
		rnd := rand.New(rand.NewPCG(uint64(run), 6))
		a := newAnyProblem(t, rnd, run%asks)
		a.circumstances.Delta = delta
		c := a.circumstances
		if c.UnknownSigma {
			continue // it measures what no other method knows
		}
		pulls := func(p explore.Policy) float64 {
			r, err := explore.Run(p, a.Problem, a.Sampler(seed.New(uint64(run))), &explore.Settings{MaxPulls: most})
			if err != nil || r.Status != explore.Stopped {
				return math.NaN()
			}
			return float64(r.Pulls)
		}
		r, err := policy.For(a.Problem, c)
		if err != nil {
			t.Fatal(err)
		}
		own := pulls(r.Make())
		if math.IsNaN(own) {
			continue
		}
		what := fmt.Sprintf("%T, features %v, any sampling %v", a.Problem.Question, a.Problem.X != nil, c.AnySampling)
		kind := cells[what]
		if kind == nil {
			kind = map[string]*cell{}
			cells[what] = kind
		}
		for _, p := range valid(a, delta) {
			name := p.Card().Name
			x := kind[name]
			if x == nil {
				x = new(cell)
				kind[name] = x
			}
			if n := pulls(p); n > 0 {
				x.n++
				x.log += math.Log(n / own)
			}
		}
	}
	compared := 0
	for kind, methods := range cells {
		for name, x := range methods {
			if x.n >= least {
				compared++
			}
			if ratio := math.Exp(x.log / float64(x.n)); x.n >= least && ratio < .5 {
				t.Errorf("%s: %s takes %.2f times the measurements of the recommended method (%d problems)", kind, name, ratio, x.n)
			}
		}
	}
	if t.Logf("%d pairs of a kind and a method", compared); compared < 50 {
		t.Errorf("only %d pairs of a kind and a method were compared", compared)
	}
}

// valid returns the policies of the catalogue that certify an answer to a problem, for an error probability.
func valid(a anyProblem, delta float64) (list []explore.Carded) {
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

// Where measurements come late, the recommended method takes at most twice as many as the one that uses features where it does
// not, or does not use them where it does: factorial designs, two categories, directions in the plane and in five dimensions.
func TestFeaturesOrNot(t *testing.T) {
	const delta, most, runs = .05, 15000, 20
	rnd := rand.New(rand.NewPCG(3, 4))
	factorial := mat.NewDense(32, 6, nil)
	factorial.Apply(func(i, j int, _ float64) float64 {
		if j == 0 {
			return 1
		}
		return float64(2*(i>>(j-1)&1) - 1)
	}, factorial)
	categories := mat.NewDense(60, 15, nil)
	for i := range 60 {
		categories.Set(i, i%10, 1)
		if i >= 10 {
			categories.Set(i, 9+i/10, 1)
		}
	}
	sphere := func(k, h int) *mat.Dense {
		x := mat.NewDense(k, h, nil)
		x.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, x)
		for i := range k {
			row := x.RawRowView(i)
			floats.Scale(1/floats.Norm(row, 2), row)
		}
		return x
	}
	for _, design := range []struct {
		name string
		x    *mat.Dense
	}{{"five factors", factorial}, {"10 by 6", categories}, {"plane", sphere(8, 2)}, {"sphere", sphere(10, 5)},
		{"many on a sphere", sphere(100, 5)}} {
		name, x := design.name, design.x
		k, h := x.Dims()
		if testing.Short() && k > 32 {
			continue
		}
		for _, q := range []explore.Question{question.Best{Epsilon: .3}, question.AllEpsilonBest{Epsilon: .6}, question.Pareto{Epsilon: .3}} {
			d := 1
			if _, ok := q.(question.Pareto); ok {
				d = 2
			}
			sum, n := 0., 0
			for run := range runs {
				theta := mat.NewDense(h, d, nil)
				theta.Apply(func(int, int, float64) float64 { return 2 * rnd.NormFloat64() }, theta)
				var mu mat.Dense
				mu.Mul(x, theta)
				linear := explore.Problem{X: x, Sigma: 1, NormSigma: 1, Objectives: d, Question: q}
				plain := linear
				plain.X, plain.Arms = nil, k
				variances := slices.Repeat([]float64{1}, d)
				law, err := bandit.NewGaussian(&mu, mat.NewDiagDense(d, variances))
				if err != nil {
					t.Fatal(err)
				}
				pulls := func(p explore.Policy, prob *explore.Problem) float64 {
					r, err := explore.Run(p, prob, bandit.NewSampler(law, seed.New(uint64(run))), &explore.Settings{MaxPulls: most})
					if err != nil || r.Status != explore.Stopped {
						return math.NaN()
					}
					return float64(r.Pulls)
				}
				c := policy.Circumstances{Delta: delta, AnySampling: true}
				own, err := policy.For(&linear, c)
				if err != nil {
					t.Fatal(err)
				}
				other, err := policy.For(&plain, c)
				if err != nil {
					t.Fatal(err)
				}
				alternative, at := other.Make, &plain
				if own.Name == other.Name { // it does not use features: what would?
					at = &linear
					alternative = map[int]func() explore.Policy{
						0: func() explore.Policy { return &policy.LinGapE{Delta: delta} },
						1: func() explore.Policy { return &policy.AllEpsilonGame{Delta: delta} },
						2: func() explore.Policy { return &policy.Sparing{Delta: delta} },
					}[map[string]int{"question.Best": 0, "question.AllEpsilonBest": 1, "question.Pareto": 2}[fmt.Sprintf("%T", q)]]
				}
				if x := math.Log(pulls(own.Make(), &linear) / pulls(alternative(), at)); !math.IsNaN(x) {
					sum += x
					n++
				}
			}
			t.Logf("%s, %T: %.2f times the measurements of the other method (%d runs)", name, q, math.Exp(sum/float64(max(n, 1))), n)
			if ratio := math.Exp(sum / float64(max(n, 1))); ratio > 2 {
				t.Errorf("%s, %T: %.2f times the measurements of the other method", name, q, ratio)
			}
		}
	}
}
