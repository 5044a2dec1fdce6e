package complexity

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// A Linear is a Pareto set of items that are linear in their features, in the terms in which the
// theorems about GEGE are written (Kone, Kaufmann and Richert, "Bandit Pareto Set Identification in
// a Multi-Output Linear Model", AISTATS 2025).
type Linear struct {
	Gaps
	// Sorted are the gaps in ascending order.
	Sorted []float64
	// Items and Objectives are their numbers, Rank is that of the features.
	Items, Objectives, Rank int
	// Sigma is the scale of the noise.
	Sigma float64
}

// NewLinear returns what the theorems say of p for means mu (M x d). It is an error if the question
// is not question.Pareto.
func NewLinear(p *explore.Problem, mu *mat.Dense) (*Linear, error) {
	q, ok := p.Question.(question.Pareto)
	if !ok {
		return nil, fmt.Errorf("complexity: the question is %T; the theorems about linear means "+
			"are about question.Pareto", p.Question)
	}
	l := &Linear{Items: p.K(), Objectives: p.D(), Rank: lsq.NewSpan(p.X).Rank(), Sigma: p.Sigma}
	l.Gaps = NewGaps(q, mu, l.Rank)
	l.Sorted = slices.Clone(l.Gaps.Gaps)
	slices.Sort(l.Sorted)
	return l, nil
}

// Rounds is ceil(log2 h), the number of rounds of Algorithm 2, at least 1.
func (l *Linear) Rounds() int { return max(1, bits.Len(uint(l.Rank-1))) }

// ErrorBound is the bound of Theorem 1 on the error probability of GEGE with a budget; it may
// exceed 1.
func (l *Linear) ErrorBound(budget float64) float64 {
	return math.Exp(-budget/(1200*l.scale()) + l.logC())
}

// scale is sigma^2 H_2,lin ceil(log2 h), the unit of budgets in Theorem 1.
func (l *Linear) scale() float64 {
	return l.Sigma * l.Sigma * l.H2Lin * float64(l.Rounds())
}

// logC is log C(h, d, K) of Theorem 1.
func (l *Linear) logC() float64 {
	return math.Log(float64(2 * l.Objectives * (l.Items + l.Rank + l.Rounds())))
}

// EnoughBudget is that with which Theorem 1 promises an error probability of at most delta.
func (l *Linear) EnoughBudget(delta float64) float64 {
	return max(1200*l.scale()*(l.logC()-math.Log(delta)), float64(45*l.Rank*l.Rounds()))
}

// LeastError is the bound of Theorem 2: whatever the method, some problem with this H_2,lin has at
// least this error probability with a budget.
func (l *Linear) LeastError(budget float64) float64 {
	return math.Exp(-2*budget/(l.Sigma*l.Sigma*l.H2Lin)) / 4
}

// MostPulls is the number of pulls of Theorem 3 with the constants of its proof, equations (31) and
// (46): 32 (1 + 3 eps_1) 256/3 sigma^2 times the sum, eps_1 = 1/4, and the rounds.
func (l *Linear) MostPulls(delta float64) float64 {
	sum := 0.
	for _, g := range l.Sorted[1:min(l.Rank, len(l.Sorted))] {
		sum += math.Log(float64(l.Items*l.Objectives)/delta*math.Log2(2/min(g, 1))) / (g * g)
	}
	return math.Log2(2/min(l.Sorted[0], 1)) + 32*(1+3./4)*256/3*l.Sigma*l.Sigma*sum
}

// Schedule adds up the rounds of Algorithm 3 when items stay in as long as Lemma 3 allows: the item
// of gap g until round ceil(log2(1/g)). The union bound is that of the proof: see
// policy.GEGEConstants. It never ends, and the pulls are infinite, if two items have no gap.
func (l *Linear) Schedule(delta float64) (pulls float64, rounds int) {
	if len(l.Sorted) > 1 && l.Sorted[1] == 0 {
		return math.Inf(1), math.MaxInt
	}
	for r := 1; ; r++ {
		active := 0
		for _, g := range l.Sorted {
			if float64(r) <= max(1, math.Ceil(math.Log2(1/g))) {
				active++
			}
		}
		if active <= 1 {
			return pulls, rounds
		}
		eps, share := math.Ldexp(1, -r-1), 6*delta/(math.Pi*math.Pi*float64(r*r))
		pulls += math.Ceil(32 * (1 + 3*eps) * l.Sigma * l.Sigma * float64(min(active, l.Rank)) /
			(eps * eps) * math.Log(2*float64(active*l.Objectives)/share))
		rounds++
	}
}

// Order is H_1,lin sigma^2 log(1/delta), which Theorem 4 states as a lower bound up to a constant
// that it does not give.
func (l *Linear) Order(delta float64) float64 {
	return l.Sigma * l.Sigma * l.H1Lin * math.Log(1/delta)
}
