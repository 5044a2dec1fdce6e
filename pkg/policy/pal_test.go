package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// palLinear returns a case about the Pareto set of arms x with means x theta', where theta has one
// row per objective.
func palLinear(name string, sigma float64, theta, x [][]float64) policytest.Case {
	p := &explore.Problem{X: rows(x), Objectives: len(theta), Sigma: sigma, Question: question.Pareto{}}
	var mu mat.Dense
	mu.Mul(p.X, rows(theta).T())
	return policytest.Case{
		Instance: policytest.Gaussian(name, p, &mu),
		MaxPulls: 500_000,
		Inexact:  true, // the choice of spanning arms depends on their order
	}
}

// palPlain returns a case about the Pareto set of arms without features.
func palPlain(name string, sigma float64, means ...[]float64) policytest.Case {
	return policytest.Case{
		Instance: policytest.Gaussian(name, &explore.Problem{
			Arms: len(means), Objectives: len(means[0]), Sigma: sigma, Question: question.Pareto{},
		}, rows(means)),
		MaxPulls: 500_000,
		Inexact:  true, // boxes of arms with equal counts have equal sizes up to rounding
	}
}

// palClose has two optimal arms whose means differ by less than the tolerance in each objective. The answer must
// contain both arms, unless the question has Cover, which allows the answer to omit one of them.
func palClose() policytest.Case {
	return palRelaxed(question.Pareto{Epsilon: .8},
		palPlain("close", .4, []float64{1, 0}, []float64{.99, .02}, []float64{-.5, -.5}))[0]
}

func palPlainCases() []policytest.Case {
	return []policytest.Case{
		palPlain("front of three", .4, []float64{2, 0}, []float64{1, 1.2}, []float64{0, 2},
			[]float64{.3, .4}, []float64{1, -.5}),
		palPlain("all optimal", .3, []float64{1, 0}, []float64{0, 1}),
		palPlain("one objective", .4, []float64{0}, []float64{1}, []float64{-.5}),
		palPlain("one arm", .4, []float64{1, 0}),
		palPlain("three objectives", .3, []float64{1, .2, .1}, []float64{.1, 1, .2},
			[]float64{.2, .1, 1}, []float64{-.3, -.4, -.2}),
	}
}

func palLinearCases() []policytest.Case {
	two := [][]float64{{1, 0}, {0, 1}}
	return []policytest.Case{
		palLinear("linear", .3, two, [][]float64{{1, 0}, {.8, .8}, {0, 1}, {-.2, .1}, {.3, .2}, {.2, -.5}}),
		palLinear("rank 2 of 3", .3, [][]float64{{1, 0, 0}, {0, 1, 0}},
			[][]float64{{1, 0, 1}, {0, 1, 1}, {.2, .1, .3}, {-.3, -.2, -.5}}),
		palLinear("twins", .3, two, [][]float64{{1, 0}, {0, 1}, {1, 0}, {-.2, -.1}, {0, 1}}),
		palLinear("a zero arm", .3, two, [][]float64{{1, .3}, {.3, 1}, {0, 0}}),
		palLinear("one linear arm", .3, two, [][]float64{{1, 2}}),
	}
}

// palTight has gaps of half a standard deviation, except for the last arm, which is far behind.
func palTight() policytest.Case {
	return palPlain("tight", 1, []float64{1.5, 0}, []float64{1, .5}, []float64{.5, 0}, []float64{-1, -1})
}

// palTightLinear is a tight case with six arms and two features.
func palTightLinear() policytest.Case {
	return palLinear("tight linear", 1, [][]float64{{1, 0}, {0, 1}},
		[][]float64{{1, .2}, {.5, .7}, {.1, .4}, {0, 1.2}, {-.4, -.4}, {.5, .1}})
}

// palRelaxed returns the cases with the question q.
func palRelaxed(q question.Pareto, cases ...policytest.Case) []policytest.Case {
	cases = slices.Clone(cases)
	for i := range cases {
		p := *cases[i].Problem
		p.Question = q
		cases[i].Problem = &p
		cases[i].Name += fmt.Sprintf(" %+v", q)
	}
	return cases
}

var _ = register(palPlans)

func palPlans() (all []plan) {
	cases := append(append(palPlainCases(), palLinearCases()...), palClose())
	var relaxed []policytest.Case
	for _, q := range relaxations[1:] {
		relaxed = append(relaxed, palRelaxed(q, palPlainCases()[0], palLinearCases()[0])...)
	}
	var rates []rate
	for _, c := range []policytest.Case{
		palPlainCases()[0], palTight(), palTightLinear(), palClose(),
		palRelaxed(question.Pareto{Epsilon: .6}, palTight())[0],
		palRelaxed(question.Pareto{Epsilon: .6, Cover: .3}, palTight())[0],
	} {
		rates = append(rates, rate{c, .1, 60})
	}
	for _, f := range []policy.PALForm{policy.PALBoxes, policy.PALRacing} {
		for _, width := range []policy.PALWidth{policy.PALTheory, policy.PALPaper} {
			p := policy.PAL{Form: f, Width: width}
			all = append(all, plan{name: explore.Name(&p), new: form(p), cases: cases})
		}
		name := fmt.Sprintf("PAL relaxed, form %d", f)
		all = append(all, plan{name, form(policy.PAL{Form: f}), relaxed, rates})
	}
	return all
}

// Two arms have means 1 and 0 in one objective, with sigma = 0.1 and without noise. At delta = 0.1
// and K d = 2, b = 2 log(2 pi^2 t^2/0.6) and beta = 0.1 sqrt(b/n).
//
// Boxes: after the start, t = 2, b = 9.7595 and beta = 0.3124. The boxes are [0.6876, 1.3124] and
// [-0.3124, 0.3124], so arm 1 is discarded and arm 0 accepted.
//
// With sigma = 0.2, beta = 0.6248 at t = 2, and the boxes are [0.3752, 1.6248] and [-0.6248, 0.6248]. Arm 0 has the
// first of the largest boxes. At t = 3, b = 11.3813 and beta_0 = 0.2 sqrt(b/2) = 0.4771, so the lower corner of arm 0
// is 0.5229. The box of arm 1 is now the largest. At t = 4, b = 12.5320 and beta_1 = 0.5006. The run ends, because
// 0.5229 > 0.5006.
func TestPALByHand(t *testing.T) {
	for _, c := range []struct {
		sigma float64
		form  policy.PALForm
		width policy.PALWidth
		want  []int // pulls of the arms
	}{
		{.1, policy.PALBoxes, policy.PALTheory, []int{1, 1}},
		{.2, policy.PALBoxes, policy.PALTheory, []int{2, 2}},
		{.2, policy.PALBoxes, policy.PALPaper, []int{2, 2}},
		// With a fifth of b, beta is 0.2794 at t = 2.
		{.2, policy.PALBoxes, policy.PALTuned, []int{1, 1}},
		// Racing stops once 2 beta = 0.4 sqrt(b/n) < 1, with t = 2n. The value of 2 beta is 1.2496 for
		// n = 1, 1.0013 for n = 2 (b = 12.5320), and 0.8688 for n = 3 (b = 14.1539).
		{.2, policy.PALRacing, policy.PALTheory, []int{3, 3}},
		// In round r = 1, b = log(2 pi^2 r^2/0.6)/5 = 0.6987 and 2 beta = 0.4 sqrt(b) = 0.3343.
		{.2, policy.PALRacing, policy.PALTuned, []int{1, 1}},
		// With sigma = 0.4, 2 beta is 0.8 sqrt(b/r) = 0.6687.
		{.4, policy.PALRacing, policy.PALTuned, []int{1, 1}},
		// With sigma = 0.7, 2 beta is 1.4 sqrt(0.6987) = 1.170 in round 1, and 1.4 sqrt(0.9759/2) = 0.9780 in round 2.
		{.7, policy.PALRacing, policy.PALTuned, []int{2, 2}},
		// With PALCode, 2 beta is 2 sqrt(b/r) for any sigma. In rounds 1 to 6, it is 1.6717, 1.3971, 1.2319, 1.1195,
		// 1.0363 and 0.9714.
		{.7, policy.PALRacing, policy.PALCode, []int{6, 6}},
		{.1, policy.PALRacing, policy.PALCode, []int{6, 6}},
	} {
		test := palPlain("by hand", c.sigma, []float64{1}, []float64{0})
		r, err := explore.Run(&policy.PAL{Form: c.form, Width: c.width, Delta: .1}, test.Problem, test.Exact(), nil)
		if err != nil || r.Status != explore.Stopped || !slices.Equal(r.ArmPulls, c.want) ||
			!slices.Equal(r.Answer.Items, []int{0}) {
			t.Errorf("sigma = %v, form %d, width %v: %+v, %v; want pulls %v", c.sigma, c.form, c.width, r, err, c.want)
		}
	}
}

// With features, beta_i is sigma sqrt(b x'W x). Arms e_1, e_2 and (1, 1), each pulled once, give W
// = (2 -1; -1 2)/3 and x'W x = 2/3 for all three.
func TestPALLinearWidth(t *testing.T) {
	c := palLinear("width", .1, [][]float64{{1, 0}, {0, 1}}, [][]float64{{1, 0}, {0, 1}, {1, 1}})
	ses, err := explore.NewSession(&policy.PAL{Form: policy.PALRacing, Width: policy.PALPaper, Delta: .1}, c.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	pulls, err := ses.Ask()
	if err != nil || len(pulls) != 3 {
		t.Fatal(pulls, err)
	}
	obs, _ := c.Exact().Sample(nil, pulls)
	if err := ses.Tell(obs); err != nil {
		t.Fatal(err)
	}
	// At t = 3 and K d = 6, b is 2 log(6 pi^2 * 9/0.6).
	want := 2 * .1 * math.Sqrt(2*math.Log(90*math.Pi*math.Pi)*2/3)
	r := ses.Result().Answer.Reasons[0]
	if math.Abs(r.MarginRadius-want) > 1e-12 {
		t.Errorf("%+v; want a radius of %v", r, want)
	}
}

// Margins and widths after many rewards are those of least squares, recomputed from a log of all rewards.
func TestPALLeastSquares(t *testing.T) {
	c := palTightLinear()
	k, h := c.Problem.X.Dims()
	for n, limit := range []int{2, 3, 50, 800, 2, 3, 50, 800} {
		rec, width := &palLog{}, policy.PALWidth(n/4)
		r, err := explore.Run(&policy.PAL{Width: width}, c.Problem,
			&palNoise{c.Means(), 1, rand.New(rand.NewPCG(2, 3)), nil},
			&explore.Settings{MaxPulls: limit, Recorder: rec})
		if err != nil || r.Pulls != limit {
			t.Fatalf("%+v, %v", r, err)
		}
		info, xr, start := mat.NewDense(h, h, nil), mat.NewDense(h, 2, nil), 0.
		for q, i := range rec.arms {
			x := c.Problem.X.RowView(i)
			var outer mat.Dense
			outer.Outer(1, x, x)
			if info.Add(info, &outer); q == h-1 {
				start = mat.Det(info)
			}
			outer.Reset()
			outer.Outer(1, x, mat.NewVecDense(2, rec.sums[q]))
			xr.Add(xr, &outer)
		}
		var w, theta, mean mat.Dense
		if err := w.Inverse(info); err != nil {
			t.Fatal(err)
		}
		theta.Mul(&w, xr)
		mean.Mul(c.Problem.X, &theta)
		b := 2 * math.Log(float64(k*2)*math.Pi*math.Pi*float64(limit*limit)/(6*.1))
		if width == policy.PALTheory {
			b = 2 * policy.SelfNormalized{}.Beta(policy.Evidence{Delta: .1 / 2, Pulls: limit,
				Rank: h, LogDet: math.Log(mat.Det(info) / start)})
		}
		beta := func(i int) float64 {
			x := c.Problem.X.RowView(i)
			return math.Sqrt(b * mat.Inner(x, &w, x))
		}
		undecided := 0
		for i, a := range r.Answer.Reasons {
			if a.Class != explore.Undecided {
				continue
			}
			undecided++
			margin := max(mean.At(i, 0)-mean.At(a.By, 0), mean.At(i, 1)-mean.At(a.By, 1))
			if math.Abs(a.Margin-margin) > 1e-9 || math.Abs(a.MarginRadius-beta(i)-beta(a.By)) > 1e-9 {
				t.Errorf("after %d pulls, arm %d: %+v; want margin %v, radius %v", limit, i, a, margin, beta(i)+beta(a.By))
			}
		}
		if undecided == 0 {
			t.Errorf("nothing undecided after %d pulls", limit)
		}
	}
}

// palLog records rewards.
type palLog struct {
	arms []int
	sums [][]float64
}

func (l *palLog) Record(e explore.Event) error {
	for _, b := range e.Obs {
		l.arms, l.sums = append(l.arms, b.Arm), append(l.sums, slices.Clone(b.Sum))
	}
	return nil
}

func ExamplePAL() {
	// Means are linear in two features; the question is about both objectives.
	problem := &explore.Problem{
		X:          mat.NewDense(4, 2, []float64{1, 0, 0, 1, .7, .6, .1, .1}),
		Objectives: 2, Sigma: .2, Question: question.Pareto{},
	}
	// Theta is the identity.
	test := policytest.Case{Instance: policytest.Gaussian("identity", problem, problem.X)}
	result, err := explore.Run(&policy.PAL{Delta: .1}, problem, test.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("Pareto set:", result.Answer.Items)
	fmt.Println(result.Answer.Reasons[3].Class, "by", result.Answer.Reasons[3].By)
	// Output:
	// Pareto set: [0 1 2]
	// dominated by 2
}

// palNoise samples Gaussian rewards.
type palNoise struct {
	mu    *mat.Dense
	sigma float64
	rnd   *rand.Rand
	sum   []float64
}

func (s *palNoise) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	_, d := s.mu.Dims()
	if need := len(pulls) * d; len(s.sum) < need {
		s.sum = make([]float64, need)
	}
	for q, p := range pulls {
		sum := s.sum[q*d:][:d]
		for c, m := range s.mu.RawRowView(p.Arm) {
			sum[c] = float64(p.N)*m + math.Sqrt(float64(p.N))*s.sigma*s.rnd.NormFloat64()
		}
		dst = append(dst, explore.Batch{Pull: p, Sum: sum})
	}
	return dst, nil
}
