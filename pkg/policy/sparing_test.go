package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ = register(sparingPlans)

func sparingPlans() []plan {
	cases := append(append(palPlainCases(), palLinearCases()...), palClose())
	for _, q := range relaxations[1:] {
		cases = append(cases, palRelaxed(q, palPlainCases()[0], palLinearCases()[0])...)
	}
	for i := range cases {
		cases[i].Solves, cases[i].Inexact = true, true
	}
	relaxed := palRelaxed(question.Pareto{Epsilon: .6}, palTight(), palTightLinear())
	rates := []rate{
		{palPlainCases()[0], .1, 100}, {palTight(), .1, 100}, {palTightLinear(), .1, 100},
		{palClose(), .1, 60},
		{relaxed[0], .1, 60}, {relaxed[1], .1, 60},
	}
	return []plan{
		{"Sparing", form(policy.Sparing{}), cases, rates},
		{"Sparing, any price", form(policy.Sparing{Price: -1}), cases[:1], rates[1:3]},
		{"Sparing, dear", form(policy.Sparing{Price: 1000, Radius: radius.Theory{}}), cases[:1], rates[1:3]},
	}
}

// The test checks the rules by brute force along noisy runs. An arm is dropped exactly when another arm is certainly
// better, and is not pulled afterwards. The run stops as soon as it is certain that no active arm is worse than
// another active arm by more than Epsilon in every objective. Without features, intervals are those of the radius;
// with features, the test computes intervals by dense algebra.
func TestSparingRules(t *testing.T) {
	for _, c := range []policytest.Case{
		palTight(), palTightLinear(),
		palRelaxed(question.Pareto{Epsilon: .6}, palTight())[0],
		palRelaxed(question.Pareto{Epsilon: .6}, palTightLinear())[0],
	} {
		k, d := c.Means().Dims()
		ses, err := explore.NewSession(new(policy.Sparing), c.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		smp := &palNoise{c.Means(), c.Problem.Sigma, rand.New(rand.NewPCG(3, 4)), nil}
		bonus := radius.KaufmannKoolen{}.Bind(radius.Params{
			Arms: k, Objectives: d, Sigma: c.Problem.Sigma, NormSigma: c.Problem.SigmaU(),
			Delta: .1,
		})
		eps := c.Problem.Question.(question.Pareto).Epsilon
		x := c.Problem.X
		if x == nil {
			x = mat.NewDense(k, k, nil)
			for i := range k {
				x.Set(i, i, 1)
			}
		}
		_, h := x.Dims()
		a, b := mat.NewDense(h, h, nil), mat.NewDense(h, d, nil)
		n, dropped, total, base := make([]int, k), make([]bool, k), 0, 0.
		for {
			pulls, err := ses.Ask()
			if err != nil {
				t.Fatal(err)
			}
			open := false
			if total > 0 {
				var inverse, theta, mean mat.Dense
				if err := inverse.Inverse(a); err != nil {
					t.Fatal(err)
				}
				theta.Mul(&inverse, b)
				mean.Mul(x, &theta)
				beta := func(i, j int) float64 {
					if c.Problem.X == nil {
						factor, _ := bonus.Factors(total)
						return factor * bonus.Pair(bonus.Term(n[i]), bonus.Term(n[j]))
					}
					var y mat.VecDense
					y.SubVec(x.RowView(i), x.RowView(j))
					return c.Problem.Sigma * math.Sqrt(
						2*policy.SelfNormalized{}.Beta(policy.Evidence{
							Delta: .1 / float64(d), Pulls: total, Rank: h,
							LogDet: math.Log(mat.Det(a)) - base,
						})*mat.Inner(&y, &inverse, &y))
				}
				next := slices.Clone(dropped)
				for i := range k {
					for j := range k {
						if i == j || dropped[i] || dropped[j] {
							continue
						}
						if pareto.Deficit(mean.RawRowView(i), mean.RawRowView(j)) > beta(i, j) {
							next[i] = true
						}
					}
				}
				dropped = next
				for i := range k {
					for j := range k {
						if i != j && !dropped[i] && !dropped[j] {
							open = open || pareto.Excess(mean.RawRowView(i), mean.RawRowView(j))+
								eps < beta(i, j)
						}
					}
				}
				answer := ses.Result().Answer
				for i := range k {
					if got := answer.Reasons[i].Class == explore.Dominated; got != dropped[i] {
						t.Fatalf("%s: after %d pulls arm %d is dropped: %v; want %v", c.Name, total, i, got, dropped[i])
					}
				}
				if open == (len(pulls) == 0) {
					t.Fatalf("%s: after %d pulls something is open: %v, and %v is asked for", c.Name, total, open, pulls)
				}
				if most := max(1, total/50); len(pulls) > 0 && sum(pulls) != most {
					t.Fatalf("%s: %d pulls after %d; want %d", c.Name, sum(pulls), total, most)
				}
			}
			if len(pulls) == 0 {
				break
			}
			for _, p := range pulls {
				if dropped[p.Arm] {
					t.Fatalf("%s: pulls arm %d, although it is known to be dominated", c.Name, p.Arm)
				}
			}
			obs, _ := smp.Sample(nil, pulls)
			if err := ses.Tell(obs); err != nil {
				t.Fatal(err)
			}
			for _, o := range obs {
				var xx, xy mat.Dense
				row := x.RowView(o.Arm)
				xx.Outer(float64(o.N), row, row)
				xy.Outer(1, row, mat.NewVecDense(d, o.Sum))
				a.Add(a, &xx)
				b.Add(b, &xy)
				n[o.Arm] += o.N
				total += o.N
			}
			if base == 0 {
				base = math.Log(mat.Det(a))
				if base == 0 {
					base = 1e-300
				}
			}
		}
		if r := ses.Result(); r.Status != explore.Stopped || !c.Problem.Question.Correct(c.Means(), r.Answer) {
			t.Errorf("%s: %+v", c.Name, r)
		}
	}
}

func sum(pulls []explore.Pull) (n int) {
	for _, p := range pulls {
		n += p.N
	}
	return n
}

// Certainly dominated arms are not pulled any longer.
func ExampleSparing() {
	problem := &explore.Problem{
		X:          mat.NewDense(4, 2, []float64{1, 0, 0, 1, .7, .7, .1, .2}),
		Objectives: 2, Sigma: .5, Question: question.Pareto{},
	}
	// Theta is the identity.
	test := policytest.Case{Instance: policytest.Gaussian("identity", problem, problem.X)}
	result, err := explore.Run(new(policy.Sparing), problem, test.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("Pareto set:", result.Answer.Items)
	fmt.Println(result.Answer.Reasons[3].Class, "by", result.Answer.Reasons[3].By)
	fmt.Println("it took less than a tenth of the pulls:", 10*result.ArmPulls[3] < result.Pulls)
	// Output:
	// Pareto set: [0 1 2]
	// dominated by 2
	// it took less than a tenth of the pulls: true
}
