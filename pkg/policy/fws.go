package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

var _ explore.Policy = (*FWS)(nil)

// FWS is Frank-Wolfe-based Sampling (Wang, Tzeng and Proutiere, "Fast Pure
// Exploration via Frank-Wolfe", NeurIPS 2021, Algorithm 1), for linear models.
//
// Question: the best item z, by z'theta, when rewards of arms x have mean
// x'theta, up to question.Best{Epsilon}. Items need not be arms. Fixed
// confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of
// scale Problem.Sigma, differences of items lie in the span of the arms.
//
// Guarantee: with SelfNormalized, whatever arms are pulled, the answer is right
// with probability at least 1 - Delta. The paper proves that pulls are of order
// T* log(1/Delta) for small Delta, T* the characteristic time, for its own
// threshold.
//
// Deviations from the paper: the default threshold is one for linear models
// that a theorem supports for this start. With Epsilon > 0, gaps are enlarged by
// it. Ties go to the lowest index.
//
// Each round takes a Frank-Wolfe step for F(w) = min_j f_j(w), the information
// per pull about the leader against item j, f_j = gap_j^2/(2 sigma^2
// ||z_b - z_j||^2) in the norm of the inverse information of proportions w. As F
// has kinks, the step maximises the least derivative of all f_j within
// r_t = t^(-9/10)/K of F: a matrix game. The arm is pulled that lags furthest
// behind the proportions, as a ratio. Cost: O(m^2 + (K + n) m) a round for n
// distinct items and rank m, plus O(K m) and a small linear program where
// several f_j compete.
type FWS struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means SelfNormalized{};
	// Heuristic{} is common in experiments.
	Threshold Threshold

	s     sequential
	delta float64
	beta  Threshold
	aim   *lsq.Tracker // of t x, for the proportions x that are to be tracked
	tx    []float64    // K: t x
	near  []int        // items whose f_j is close to the least
	f     []float64    // their f_j
	slope [][]float64  // K each: their gradients
	y     []float64    // m
}

// String returns the name with the settings.
func (p *FWS) String() string { return linearName("FWS", p.Delta) + thresholdName(p.Threshold) }

// Init implements explore.Policy.
func (p *FWS) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	if p.beta, err = threshold(p.Threshold); err != nil {
		return err
	}
	if err := p.s.init(prob, 0, false); err != nil {
		return err
	}
	p.aim = lsq.NewTracker(p.s.x, p.s.z, 0)
	p.tx, p.y, p.slope = make([]float64, p.s.k), make([]float64, p.s.m), nil
	for i := range p.tx {
		p.tx[i] = 1
	}
	p.load()
	return nil
}

// load makes aim follow tx from scratch.
func (p *FWS) load() {
	p.aim.Reset()
	for i, w := range p.tx {
		p.aim.Add(i, w, 0)
	}
	p.aim.Solve()
}

// Ask implements explore.Policy.
func (p *FWS) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.s.ask(dst), nil }

// Tell implements explore.Policy.
func (p *FWS) Tell(obs []explore.Batch) error {
	s := &p.s
	if err := s.tell(obs); err != nil {
		return err
	}
	if s.test(p.beta.Beta(s.evidence(p.delta))); s.over {
		return nil
	}
	p.step()
	n, most := s.fit.Weights(), -inf
	for i, w := range p.tx {
		if lag := w / n[i]; lag > most {
			s.next, most = i, lag
		}
	}
	return nil
}

// step adds to tx the direction of the round: a probability vector.
func (p *FWS) step() {
	s := &p.s
	mean, tied := s.fit.Means(), false
	for i, v := range mean {
		tied = tied || i != s.best && v == mean[s.best]
	}
	if tied || isSquare(s.pulls/s.k) {
		for i := range p.tx {
			p.tx[i] += 1 / float64(s.k)
		}
		p.load()
		return
	}
	p.compete()
	if len(p.near) == 1 {
		p.add(floats.MaxIdx(p.slope[0]), 1)
		return
	}
	// The least derivative along z - x, maximised over z: the column player of
	// the game -h'(z - x), who wants it small.
	game := mat.NewDense(len(p.near), s.k, nil)
	for r := range p.near {
		for k, v := range p.slope[r] {
			game.Set(r, k, p.f[r]-v)
		}
	}
	_, z, _ := design.Game(game)
	for k, w := range z {
		if w > 0 {
			p.add(k, w)
		}
	}
}

func (p *FWS) add(arm int, w float64) {
	p.tx[arm] += w
	p.aim.Add(arm, w, 0)
}

// isSquare reports whether n is the square of an integer.
func isSquare(n int) bool {
	r := int(math.Round(math.Sqrt(float64(n))))
	return r*r == n
}

// compete sets near to the items with f_j within r_t of the least, f to their
// values and slope to their gradients.
func (p *FWS) compete() {
	s := &p.s
	t, mean, v := float64(s.pulls), s.fit.Means(), p.aim.Against(s.best)
	value := func(j int) float64 {
		gap := (mean[s.best] - mean[j] + s.epsilon) / s.sigma
		return gap * gap / (2 * t * v[j]) // v is that of t x
	}
	least := inf
	for j := range s.n {
		if j != s.best {
			least = min(least, value(j))
		}
	}
	p.near, p.f = p.near[:0], p.f[:0]
	within := least + math.Pow(t+1, -.9)/float64(s.k)
	for j := range s.n {
		if j == s.best {
			continue
		}
		fj := value(j)
		if !(fj < within) {
			continue
		}
		p.near, p.f = append(p.near, j), append(p.f, fj)
		if len(p.slope) < len(p.near) {
			p.slope = append(p.slope, make([]float64, s.k))
		}
		h := p.slope[len(p.near)-1]
		floats.SubTo(p.y, s.item(s.best), s.item(j))
		p.aim.Covariances(h, p.y)
		for k, c := range h {
			h[k] = fj * t * c * c / v[j]
		}
	}
}

// Answer implements explore.Policy.
func (p *FWS) Answer() explore.Answer { return p.s.Answer() }
