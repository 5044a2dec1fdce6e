package complexity

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// A Linear is the complexity of finding the Pareto set of a linear model, with the bounds of the
// theorems about GEGE (Kone, Kaufmann and Richert, "Bandit Pareto Set Identification in a
// Multi-Output Linear Model", AISTATS 2025).
type Linear struct {
	Gaps
	// Sorted contains the gaps in ascending order.
	Sorted []float64
	// Items, Objectives and Rank are the number of items, the number of objectives and the rank of
	// the features.
	Items, Objectives, Rank int
	// Sigma is the scale of the noise.
	Sigma float64
}

// NewLinear returns the complexity of p for means mu (M x d). If the question is not
// question.Pareto, NewLinear returns an error.
func NewLinear(p *explore.Problem, mu *mat.Dense) (*Linear, error) {
	q, ok := p.Question.(question.Pareto)
	if !ok {
		return nil, fmt.Errorf("complexity: the question is %T; expected "+
			"question.Pareto", p.Question)
	}
	l := &Linear{Items: p.K(), Objectives: p.D(), Rank: lsq.NewSpan(p.X).Rank(), Sigma: p.Sigma}
	l.Gaps = NewGaps(q, mu, l.Rank)
	l.Sorted = slices.Clone(l.Gaps.Gaps)
	slices.Sort(l.Sorted)
	return l, nil
}

// Rounds returns the number of rounds of Algorithm 2: ceil(log2 h) for features of rank h, but at
// least 1.
func (l *Linear) Rounds() int { return max(1, bits.Len(uint(l.Rank-1))) }

// ErrorBound returns the bound of Theorem 1 on the error probability of GEGE with the given budget.
// The returned bound may exceed 1.
func (l *Linear) ErrorBound(budget float64) float64 {
	return math.Exp(-budget/(1200*l.scale()) + l.logC())
}

// scale returns sigma^2 H_2,lin ceil(log2 h), the unit of budgets in Theorem 1.
func (l *Linear) scale() float64 {
	return l.Sigma * l.Sigma * l.H2Lin * float64(l.Rounds())
}

func (l *Linear) logC() float64 {
	return math.Log(float64(2 * l.Objectives * (l.Items + l.Rank + l.Rounds())))
}

// EnoughBudget returns the budget for which Theorem 1 guarantees an error probability of at most
// delta.
func (l *Linear) EnoughBudget(delta float64) float64 {
	return max(1200*l.scale()*(l.logC()-math.Log(delta)), float64(45*l.Rank*l.Rounds()))
}

// LeastError returns the bound of Theorem 2: with the given budget, every method has at least this
// error probability on some problem with the same H_2,lin.
func (l *Linear) LeastError(budget float64) float64 {
	return math.Exp(-2*budget/(l.Sigma*l.Sigma*l.H2Lin)) / 4
}

// MostPulls returns the number of pulls in Theorem 3, with the constants of its proof, equations
// (31) and (46). The number of pulls is 32 (1 + 3 eps_1) 256/3 sigma^2 times the sum of Theorem 3,
// with eps_1 = 1/4, plus the number of rounds.
func (l *Linear) MostPulls(delta float64) float64 {
	sum := 0.
	for _, g := range l.Sorted[1:min(l.Rank, len(l.Sorted))] {
		sum += math.Log(float64(l.Items*l.Objectives)/delta*math.Log2(2/min(g, 1))) / (g * g)
	}
	return math.Log2(2/min(l.Sorted[0], 1)) + 32*(1+3./4)*256/3*l.Sigma*l.Sigma*sum
}

// Schedule returns the total number of pulls in the rounds of Algorithm 3, if items stay active as
// long as Lemma 3 permits. An item of gap g stays active until round ceil(log2(1/g)). The union
// bound is that of the proof; see policy.GEGEConstants. If two items have gap 0, the number of
// pulls is infinite.
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

// Order returns H_1,lin sigma^2 log(1/delta); according to Theorem 4, a constant multiple of Order
// is a lower bound.
func (l *Linear) Order(delta float64) float64 {
	return l.Sigma * l.Sigma * l.H1Lin * math.Log(1/delta)
}

// Gaps contains complexities of finding a Pareto set, which are computed from the gaps of the
// items. To obtain a number of pulls, multiply a complexity by sigma^2 and a logarithm. If some gap
// is 0, all complexities are infinite.
type Gaps struct {
	// The field Gaps contains the gaps that pareto.Gaps returns for the items; gaps below Epsilon/2
	// are replaced by Epsilon/2, where Epsilon is that of the question.
	Gaps []float64
	// H1 is the sum of 1/gap^2 over all items; the cost of fixed-confidence methods without
	// features is of order H1. H2 is the maximum of i/gap_(i)^2, where gap_(i) is the i-th smallest
	// gap; the cost of fixed-budget methods is of order H2. The complexities satisfy H2 <= H1 <= (1
	// + log K) H2.
	H1, H2 float64
	// H1Lin and H2Lin are defined like H1 and H2, but use only the h smallest gaps. H1Lin and H2Lin
	// determine the costs of methods that use a linear model with features of rank h.
	H1Lin, H2Lin float64
}

const panicRank = "complexity: the rank of the features is less than 1"

// NewGaps computes the complexities of q for means mu (M x d) and features of rank h. If h exceeds
// M, NewGaps replaces h by M, which is right for items without features. If several items have the
// same features, include only one of them, because the gaps of equal items are 0. NewGaps panics if
// h is less than 1.
//
// Sources: H1 and H2, Kone, Kaufmann and Richert, "Bandit Pareto Set Identification: the Fixed
// Budget Setting" (AISTATS 2024); H1Lin, H2Lin and the gaps with Epsilon, by the same authors,
// "Bandit Pareto Set Identification in a Multi-Output Linear Model", sections 2 and E.5.
func NewGaps(q question.Pareto, mu *mat.Dense, h int) Gaps {
	if h < 1 {
		panic(panicRank)
	}
	c := Gaps{Gaps: pareto.Gaps(mu)}
	for i, g := range c.Gaps {
		c.Gaps[i] = math.Max(g, q.Epsilon/2)
	}
	sorted := slices.Clone(c.Gaps)
	slices.Sort(sorted)
	for i, g := range sorted {
		cost := 1 / (g * g)
		c.H1 += cost
		c.H2 = math.Max(c.H2, float64(i+1)*cost)
		if i+1 == min(h, len(sorted)) {
			c.H1Lin, c.H2Lin = c.H1, c.H2
		}
	}
	return c
}

// Margins contains two distances from the threshold above which arms are epsilon-best. Alpha is the
// distance of the nearest arm in the set, and Beta is the distance of the nearest arm below the
// threshold. If no arm is on one side of the threshold, the margin of this side is +Inf. The
// theorems about LinFACT use these margins (Li, Ma, Hua and Zhu, "Identifying All epsilon-Best Arms
// in (Misspecified) Linear Bandits").
type Margins struct{ Alpha, Beta float64 }

// NewMargins returns the margins of the question q for means mu (K x 1).
func NewMargins(q question.AllEpsilonBest, mu *mat.Dense) Margins {
	level := q.Threshold(mat.Max(mu))
	m := Margins{math.Inf(1), math.Inf(1)}
	for _, v := range mat.Col(nil, 0, mu) {
		if v >= level {
			m.Alpha = min(m.Alpha, v-level)
		} else {
			m.Beta = min(m.Beta, level-v)
		}
	}
	return m
}

// Rounds returns R_upper of Theorem 4.2 of the LinFACT paper. After round R_upper, every arm is
// classified if the estimates of each round r are accurate to 2^-r.
func (m Margins) Rounds() int {
	return max(1, int(math.Ceil(math.Log2(4/min(m.Alpha, m.Beta)))))
}

// MostPulls returns the bound of Theorem 4.1 with the constants of its proof. The bound is the
// number of pulls that equation (21) requires in m.Rounds() rounds if no arm is dropped, plus
// d(d+1)/2 pulls per round for rounding up. The number d is the rank of the features.
func (m Margins) MostPulls(p *explore.Problem, delta float64) float64 {
	k := float64(p.K())
	d := float64(lsq.NewSpan(p.X).Rank())
	sum := 0.
	for r := 1.; r <= float64(m.Rounds()); r++ {
		sum += 2*d*math.Pow(4, r)*p.Sigma*p.Sigma*math.Log(2*k*r*(r+1)/delta) + d*(d+1)/2
	}
	return sum
}
