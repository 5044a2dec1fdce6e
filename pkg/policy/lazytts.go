package policy

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// LazyTrackAndStop is Lazy Track-and-Stop (Jedra and Proutiere, "Optimal Best-Arm
// Identification in Linear Bandits", NeurIPS 2020, Algorithm 1).
//
// Question: the best item z, by z'theta, when rewards of arms x have mean
// x'theta, up to question.Best{Epsilon}. Items need not be arms. Fixed
// confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of
// scale Problem.Sigma, differences of items lie in the span of the arms.
//
// Guarantee: with SelfNormalized the answer is right with probability at least
// 1 - Delta; the paper proves that pulls are of order T* log(1/Delta)
// for small Delta, T* the characteristic time, for its own threshold.
//
// Deviations from the paper: the spanning arms are chosen by pivoting, and
// pulled (the authors' code adds them to the information without rewards). The
// least eigenvalue that calls for exploration is measured relative to the
// information of the spanning arms, so that units of features do not matter;
// this explores at least as much. The determinant in the threshold is bounded
// likewise: see [SelfNormalized]. With Epsilon > 0, gaps are enlarged by it. Ties
// go to the lowest index.
//
// Each round pulls the next spanning arm if the least eigenvalue of the
// information is below sqrt(t/m), and otherwise the arm that lags furthest
// behind the average of the designs so far. A design for the differences
// (z_b - z_j)/gap_j from the leader is computed only when t passes a power of
// Lazy. Cost: O(m^2 + (K + n) m) a round, O(m^3) in the rare rounds in which the
// eigenvalue needs a look.
type LazyTrackAndStop struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means SelfNormalized{}, whose U
	// is the paper's u; Heuristic{} has no guarantee.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Lazy is the factor by which the number of pulls grows between designs.
	// Zero means 2.
	Lazy float64 `label:"lazy %v" usual:"2" in:"(1,16]" want:"a factor above 1 between designs, at most 16"`
	// Tol is the relative gap of the designs. Zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	lazyDesigns
}

// Card implements explore.Carded.
func (p *LazyTrackAndStop) Card() explore.Card {
	return explore.Card{
		Name:      "Lazy TTS",
		Answers:   []explore.Question{question.Best{}},
		Certifies: certifiesIf(proved(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations,
		Bound:     "asymptotically optimal",
		Source:    "Jedra, Proutiere 2020",
		Key:       "jedra2020optimal",
	}
}

// String returns the name with the settings.
func (p *LazyTrackAndStop) String() string { return named("Lazy TTS", p) }

// Init implements explore.Policy.
func (p *LazyTrackAndStop) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.init(p, prob, p.Delta, p.Threshold); err != nil {
		return err
	}
	if err := p.sequential.Init(prob, 0, true); err != nil {
		return err
	}
	return p.rule.Init(&p.sequential, "LazyTrackAndStop", p.Lazy, p.Tol)
}

// Tell implements explore.Policy.
func (p *LazyTrackAndStop) Tell(obs []explore.Batch) error {
	if over, err := p.test(obs); err != nil || over {
		return err
	}
	p.rule.Add(obs)
	return p.rule.Choose(p.gaps)
}

// gaps returns the directions of the design for the estimated gaps, scaled by the least. Where
// the leader is tied there are none.
func (p *LazyTrackAndStop) gaps() *mat.Dense {
	s := &p.sequential
	mean := s.Fit.Means()
	top, least := mean[s.Best]+s.Epsilon, inf
	for i, v := range mean {
		if i != s.Best {
			least = min(least, top-v)
		}
	}
	if least <= 0 {
		return nil
	}
	y := mat.NewDense(s.N, s.Rank, nil)
	for i, v := range mean {
		if i != s.Best {
			row := y.RawRowView(i)
			floats.SubTo(row, s.Item(s.Best), s.Item(i))
			floats.Scale(least/(top-v), row)
		}
	}
	return y
}
