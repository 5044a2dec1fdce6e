package policy_test

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// A budgetPolicy is a fixed-budget policy with a test problem and two budgets. For the sufficient budget,
// a theorem or a union bound gives the error probability budgetDelta. For the scarce budget, errors are common.
type budgetPolicy struct {
	name           string
	new            func(T int) explore.Policy
	c              policytest.Case
	scarce, enough float64
}

const budgetDelta = .05

// budgetPolicies returns policies for problems with sigma = 1. G is the smallest gap.
func budgetPolicies() []budgetPolicy {
	linear, plain := gegeTight(), gegePlainTight()
	const d = 2.
	K, h := float64(plain.Problem.K()), 3.
	lin := complexity.NewGaps(question.Pareto{}, linear.Means(), int(h))
	H := complexity.NewGaps(question.Pareto{}, plain.Means(), plain.Problem.K())
	G := slices.Min(H.Gaps)
	front := 2.        // arms 0 and 1
	few := K / (G * G) // T/K pulls each: the variance of a difference is 2 G^2
	logbar := .5
	for i := 2.; i <= K; i++ {
		logbar += 1 / i
	}

	best := tightLinear()
	n, m := float64(best.Problem.K()), 2.
	gap := best.Means().At(0, 0) - best.Means().At(1, 0)
	rho, err := design.Pairs(best.Problem.X, best.Problem.X, nil)
	if err != nil {
		panic(err)
	}
	// If each of two orthogonal directions gets half of the pulls, the estimated difference of the two best arms has
	// the variance 2 gap^2.
	apart := math.Hypot(best.Problem.X.At(0, 0)-best.Problem.X.At(1, 0), best.Problem.X.At(1, 1))
	tie := (apart / gap) * (apart / gap)
	epochs := max(2, math.Ceil(math.Log2(rho.Value)))
	return []budgetPolicy{
		// Theorem 1 of the GEGE paper bounds the error probability by exp(-T/(1200 H2lin R) + log(2 d (K + h + R))),
		// with R = ceil(log2 h) = 2.
		{
			"GEGE", func(T int) explore.Policy { return &policy.GEGEFixedBudget{Budget: T} },
			linear, lin.H2Lin / 16, 1200 * lin.H2Lin * 2 * math.Log(2*d*(5+h+2)/budgetDelta),
		},
		// The theorem about EGE-SH bounds the error probability by exp(-T/(288 H2 log2 K) + log(2 d (K - 1) |S*| log2
		// K)).
		{
			"EGESH", func(T int) explore.Policy { return &policy.EGESH{Budget: T} },
			plain, few, 288 * H.H2 * math.Log2(K) * math.Log(2*d*(K-1)*front*math.Log2(K)/budgetDelta),
		},
		// As in EGE-SH, deviations of 1/12 of the corresponding gap are allowed. After stage r of EGE-SR, each active
		// arm has n_r >= (T - K)/(logbar (K + 1 - r)) pulls. There are K - 1 stages of at most K arms.
		{
			"EGESR", func(T int) explore.Policy { return &policy.EGESR{Budget: T} },
			plain, few, K + 288*H.H2*logbar*math.Log(2*d*K*(K-1)/budgetDelta),
		},
		// Some difference deviates by the smallest gap with probability at most d K (K - 1) exp(-G^2 (T/K)/4).
		{
			"UniformBudget", func(T int) explore.Policy { return &policy.UniformBudget{Budget: T} },
			plain, few, K + 4*K/(G*G)*math.Log(d*K*(K-1)/budgetDelta),
		},
		// The error probability is at most (4 K/m + 3 log2 m) exp(-T'/(16 H2lin)). For m = 2, there is one round, and
		// H2lin = 2/gap^2. Here T' = T - m (m + 1)/2 - 1 = T - 4.
		{
			"ODLinBAI", func(T int) explore.Policy { return &policy.ODLinBAI{Budget: T} },
			best, tie, 4 + 16*2/(gap*gap)*math.Log((4*n/m+3*math.Log2(m))/budgetDelta),
		},
		// The run has three stages, whose designs give each mean the variance m/(T/3), plus up to 10 %
		// because of whole pulls. A difference has at most four times this variance.
		{
			"GSE", func(T int) explore.Policy { return &policy.GSE{Budget: T} },
			best, tie, 3 * 8.8 * m / (gap * gap) * math.Log(n*3/budgetDelta),
		},
		// The designs of the epochs give each difference the variance rho/(T/epochs), plus up to 10 % for whole pulls.
		{
			"PEACE", func(T int) explore.Policy { return &policy.PEACE{Budget: T} },
			best, tie, epochs * 2.2 * rho.Value / (gap * gap) * math.Log(n*epochs/budgetDelta),
		},
	}
}

var _ = register(budgetPlans)

// budgetPlans returns the plans for the suite, and plans with sufficient budgets.
func budgetPlans() []plan {
	all := append(budgets(400), gegeBudgetPlans()...)
	for _, p := range budgetPolicies() {
		T := int(math.Ceil(p.enough))
		all = append(all, plan{
			name:  p.name + ", enough",
			new:   func() explore.Policy { return p.new(T) },
			rates: []rate{{p.c, budgetDelta, 200}},
		})
	}
	return all
}
