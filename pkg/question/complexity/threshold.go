package complexity

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// Margins say how far from the threshold the nearest arms are for all epsilon-best arms: Alpha above
// it, Beta below it; an infinity if there is none. The theorems about LinFACT are written in them
// (Li, Ma, Hua and Zhu, "Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits").
type Margins struct{ Alpha, Beta float64 }

// NewMargins returns those of q for means mu (K x 1).
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

// Rounds is R_upper of Theorem 4.2, after which every arm is classified if no estimate is further
// off than it should be.
func (m Margins) Rounds() int {
	return max(1, int(math.Ceil(math.Log2(4/min(m.Alpha, m.Beta)))))
}

// MostPulls is what (21) asks for in Rounds if no arm is ever dropped, with the rounding up of at
// most d(d+1)/2 shares: Theorem 4.1 with its constants.
func (m Margins) MostPulls(p *explore.Problem, delta float64) float64 {
	k := float64(p.K())
	d := float64(lsq.NewSpan(p.X).Rank())
	sum := 0.
	for r := 1.; r <= float64(m.Rounds()); r++ {
		sum += 2*d*math.Pow(4, r)*p.Sigma*p.Sigma*math.Log(2*k*r*(r+1)/delta) + d*(d+1)/2
	}
	return sum
}
