package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// Gaps say how hard it is to find a Pareto set: sums and maxima of 1/gap^2 over the gaps
// of the items, which times sigma^2 and a logarithm are numbers of pulls. All are infinite
// if a gap is 0.
type Gaps struct {
	// Gaps of the items, as in pareto.Gaps; but at least Epsilon/2, for the
	// question's Epsilon.
	Gaps []float64
	// H1 is the sum of 1/gap^2, which methods with a given confidence pay that
	// know no structure; H2 is the largest i/gap_(i)^2, gap_(i) being the i-th
	// smallest gap, which methods with a given budget pay. H2 <= H1 <= (1 +
	// log K) H2.
	H1, H2 float64
	// H1Lin and H2Lin are the same for the h smallest gaps, which methods pay
	// that know a linear model with features of rank h.
	H1Lin, H2Lin float64
}

const panicRank = "complexity: the rank of the features is less than 1"

// NewGaps computes the gap complexities of q for means mu (M x d) and features of
// rank h; h above M counts as M, which is right for items without features.
// Items with the same features should be given once, as their gaps are 0. It
// panics if h is less than 1.
//
// Sources: H1 and H2, Kone, Kaufmann and Richert, "Bandit Pareto Set
// Identification: the Fixed Budget Setting" (AISTATS 2024); H1Lin, H2Lin and the gaps with
// Epsilon, by the same, "Bandit Pareto Set Identification in a Multi-Output
// Linear Model", sections 2 and E.5.
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
