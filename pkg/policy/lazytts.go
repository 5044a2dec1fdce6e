package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/question"
)

// LazyTrackAndStop is Lazy Track-and-Stop (Jedra and Proutiere, "Optimal Best-Arm Identification in
// Linear Bandits", NeurIPS 2020, Algorithm 1).
//
// Question: the item z with the largest mean z'theta, up to the Epsilon of question.Best; a reward
// of arm x has mean x'theta. Items may be different from arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms.
//
// Guarantee: if Threshold is SelfNormalized, the answer is right with probability at least 1 -
// Delta. For its own threshold, the paper proves that the number of pulls is of order T*
// log(1/Delta) for small Delta, where T* is the characteristic time.
//
// Deviations from the paper: the policy chooses spanning arms by pivoting and pulls them; the
// authors' code adds their information without pulling them. Exploration depends on the least
// eigenvalue of the information matrix relative to that of the spanning arms. Therefore, the policy
// does not depend on the units of features, and explores at least as much as in the paper. The
// determinant in the threshold is also relative to that of the spanning arms: see [SelfNormalized].
// With Epsilon > 0, gaps are enlarged by Epsilon. Ties are broken in favour of the lowest index.
//
// If the least eigenvalue of the information matrix is below sqrt(t/m), where m is the rank of the
// features, a round pulls the next spanning arm. If the least eigenvalue is large enough, a round
// pulls the arm that lags furthest behind the average of the designs so far. The policy computes a
// new design only when t passes a power of Lazy. The design is optimal for the differences (z_b -
// z_j)/gap_j between the leader b and each other item j. For n distinct items, each round takes
// O(m^2 + (K + n) m) operations, or O(m^3) in the rare rounds that compute the eigenvalue.
type LazyTrackAndStop struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold; nil means SelfNormalized{}, whose U is the paper's u.
	// Heuristic{} has no guarantee.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Lazy is the factor by which the number of pulls grows between designs; zero means 2.
	Lazy float64 `label:"lazy %v" usual:"2" in:"(1,16]" want:"a growth factor above 1, at most 16"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	lazyDesigns
}

// Card implements explore.Describer.
func (p *LazyTrackAndStop) Card() explore.Card {
	return linearBest(explore.Card{
		Name:      "Lazy TTS",
		Evidence:  explore.AnySampling,
		Certifies: certifiesIf(proved(p.Threshold)),
		Bound:     "asymptotically optimal",
		Source:    "Jedra, Proutiere 2020",
		Key:       "jedra2020optimal",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *LazyTrackAndStop) String() string { return named("Lazy TTS", p) }

// Init implements explore.Policy.
func (p *LazyTrackAndStop) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.begin(p, prob, p.Delta, p.Threshold, true); err != nil {
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

// gaps returns the directions of the design for the estimated gaps, multiplied by the smallest gap.
// If the leader is tied, gaps returns nil.
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

// LazyThreshold is lazy track-and-stop for a threshold on means (Rivera and Tewari, "Optimal
// Thresholding Linear Bandit", arXiv 2402.09467, 2024); it extends [LazyTrackAndStop].
//
// Question: the arms of a linear model whose mean is at least Level, up to Tolerance. The LinFACT
// paper uses this method to find all epsilon-best arms (question.AllEpsilonBest). For
// question.AllEpsilonBest, the answer is right if Level separates the good arms from the other
// arms; to choose such a Level, the best mean must be known. Fixed confidence.
//
// Assumptions: the means are linear in the features, and rewards are sub-Gaussian of scale
// Problem.Sigma. If Tolerance is 0 and the mean of an arm equals Level, the run does not stop.
//
// Guarantee: if Threshold is SelfNormalized, all arms whose means differ from Level by more than
// Tolerance are classified correctly with probability at least 1 - Delta. The number of pulls is of
// order T* log(1/Delta) for small Delta, where T* is the characteristic time.
//
// Deviations from the paper: the same as those of LazyTrackAndStop. The authors of the paper have
// not published their code. This project derived the test statistic and the design from the
// characteristic time. The answer has no reasons, because the verdicts are relative to Level, not
// to other arms.
//
// The run stops when, for all arms k, (|mean_k - Level| + Tolerance)^2/(2 sigma^2 ||x_k||^2)
// exceeds the threshold, where ||.|| is the norm of the inverse information matrix. Pulls follow
// the optimal design for the directions x_k/(|mean_k - Level| + Tolerance). A new design is
// computed when the number of pulls passes a power of Lazy. Each round takes O(m^2 + K m)
// operations for rank m, or O(m^3) in the rare rounds that compute the least eigenvalue.
type LazyThreshold struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Level is the threshold, in reward units.
	Level float64 `label:"!level %v" in:"(-inf,inf)" want:"a finite mean"`
	// Tolerance is a distance from Level; arms whose means are closer to Level may be classified
	// either way.
	Tolerance float64 `label:"tolerance %v" in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold is the stopping threshold; nil means SelfNormalized{}.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Lazy is the factor by which the number of pulls grows between designs; zero means 2.
	Lazy float64 `label:"lazy %v" usual:"2" in:"(1,16]" want:"a growth factor above 1, at most 16"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	lazyDesigns
	begun bool
}

// Card implements explore.Describer.
func (p *LazyThreshold) Card() explore.Card {
	return explore.Card{
		Name:      "Lazy TTS for thresholds",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: certifiesIf(proved(p.Threshold)),
		Needs: []explore.Need{explore.SubGaussian{}, explore.Linear{},
			explore.Known{What: explore.KnownLevel, Given: p.Level != 0}},
		Uses:   explore.UsesFeatures | explore.UsesRelaxations,
		Bound:  "asymptotically optimal",
		Source: "Rivera, Tewari 2024",
		Key:    "rivera2024optimal",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *LazyThreshold) String() string {
	return named("Lazy TTS for thresholds", p)
}

// Init implements explore.Policy.
func (p *LazyThreshold) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.init(p, prob, p.Delta, p.Threshold); err != nil {
		return err
	}
	if _, err := epsilonbest.Question(prob, "LazyThreshold"); err != nil {
		return err
	}
	if err := p.sequential.Features(prob); err != nil {
		return err
	}
	p.begun = false
	return p.rule.Init(&p.sequential, "LazyThreshold", p.Lazy, p.Tol)
}

// Tell implements explore.Policy.
func (p *LazyThreshold) Tell(obs []explore.Batch) error {
	s := &p.sequential
	if err := s.Tell(obs); err != nil {
		return err
	}
	p.begun = true
	p.rule.Add(obs)
	if s.Over = p.allDecided(2 * s.Sigma * s.Sigma * p.level()); s.Over {
		return nil
	}
	return p.rule.Choose(p.directions)
}

// distance returns the distance of the estimated mean of arm k from Level, plus Tolerance.
func (p *LazyThreshold) distance(k int) float64 {
	s := &p.sequential
	return math.Abs(s.Fit.Means()[s.Class[k]]-p.Level) + p.Tolerance
}

// allDecided reports whether each arm's squared distance from Level exceeds width times its
// leverage.
func (p *LazyThreshold) allDecided(width float64) bool {
	for k, h := range p.sequential.Fit.Leverages() {
		// An arm whose features are all zero has the known mean 0.
		if d := p.distance(k); h > 0 && !(d*d > width*h) {
			return false
		}
	}
	return true
}

// directions returns the directions of the design, given the estimated distances of arms from
// Level. Distances below a thousandth of the largest distance are replaced by a thousandth of the
// largest distance.
func (p *LazyThreshold) directions() *mat.Dense {
	s, most := &p.sequential, 0.
	for k := range s.K {
		most = max(most, p.distance(k))
	}
	if most == 0 {
		return nil
	}
	const least = 1e-3
	y := mat.NewDense(s.K, s.Rank, nil)
	for k := range s.K {
		floats.ScaleTo(y.RawRowView(k), 1/max(p.distance(k)/most, least), s.Arm(k))
	}
	return y
}

// Answer implements explore.Policy.
func (p *LazyThreshold) Answer() (a explore.Answer) {
	if !p.begun {
		return a
	}
	s := &p.sequential
	for k := range s.K {
		if s.Fit.Means()[s.Class[k]] >= p.Level {
			a.Items = append(a.Items, k)
		}
	}
	return a
}

// FWS is Frank-Wolfe-based Sampling for linear models (Wang, Tzeng and Proutiere, "Fast Pure
// Exploration via Frank-Wolfe", NeurIPS 2021, Algorithm 1).
//
// Question: the item z with the largest mean z'theta, up to the Epsilon of question.Best; a reward
// of arm x has mean x'theta. Items may be different from arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms.
//
// Guarantee: if Threshold is SelfNormalized, the answer is right with probability at least 1 -
// Delta for any sampling rule. For its own threshold, the paper proves that the number of pulls is
// of order T* log(1/Delta) for small Delta, where T* is the characteristic time.
//
// Deviations from the paper: the default threshold, SelfNormalized{}, replaces the paper's
// threshold. The run starts with one reward of each of m spanning arms. In the rounds in which the
// paper explores all K arms, this policy explores only the m spanning arms; to explore all arms,
// set EachArm. With Epsilon > 0, gaps are enlarged by Epsilon. Ties are broken in favour of the
// lowest index.
//
// Each round takes a Frank-Wolfe step for F(w) = min_j f_j(w). For the leader b and item j, the
// number
//
//	f_j = gap_j^2/(2 sigma^2 ||z_b - z_j||^2)
//
// is the information per pull about the difference between b and j. The norm is that of the inverse
// information matrix for the proportions w. Because F is not smooth, the step solves a matrix game:
// it maximises the smallest derivative among those f_j that are within r_t = t^(-9/10)/K of F. The
// policy then pulls the arm whose number of pulls is smallest relative to its proportion. Each
// round takes O(m^2 + (K + n) m) operations for n distinct items and rank m. If several f_j are
// close to the minimum, a round also solves a small linear program, at a cost of O(K m).
type FWS struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold; nil means SelfNormalized{}. Many published experiments
	// use Heuristic{}.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// If EachArm is true, the policy starts with one reward of each arm and explores all arms, as
	// in the paper, instead of only spanning arms.
	EachArm bool `label:"each arm first"`

	likelihoodRatio
	aim   *lsq.Tracker // least-squares tracker with the numbers of pulls tx
	tx    []float64    // K: t x
	near  []int        // items whose f_j is close to the smallest f_j
	f     []float64    // values f_j of the near items
	slope [][]float64  // gradients of f_j for the near items, each of length K
	y     []float64    // m
}

// Card implements explore.Describer.
func (p *FWS) Card() explore.Card {
	return linearBest(explore.Card{
		Name:      "FWS",
		Evidence:  explore.AnySampling,
		Certifies: certifiesIf(proved(p.Threshold)),
		Bound:     "asymptotically optimal",
		Source:    "Wang, Tzeng, Proutiere 2021",
		Key:       "wang2021fast",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *FWS) String() string { return named("FWS", p) }

// Init implements explore.Policy.
func (p *FWS) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.begin(p, prob, p.Delta, p.Threshold, !p.EachArm); err != nil {
		return err
	}
	p.aim = lsq.NewTracker(p.sequential.X, p.sequential.Z, 0)
	p.tx, p.y, p.slope = make([]float64, p.sequential.K), make([]float64, p.sequential.Rank), nil
	for _, i := range p.sequential.Start {
		p.tx[i] = 1
	}
	p.load()
	return nil
}

// load recomputes the tracker aim for the proportions in tx.
func (p *FWS) load() {
	p.aim.Reset()
	for i, w := range p.tx {
		p.aim.Add(i, w, 0)
	}
	p.aim.Solve()
}

// Tell implements explore.Policy.
func (p *FWS) Tell(obs []explore.Batch) error {
	if over, err := p.test(obs); err != nil || over {
		return err
	}
	p.step()
	s := &p.sequential
	n, most := s.Fit.Weights(), -inf
	for i, w := range p.tx {
		if w == 0 {
			continue
		}
		if lag := w / n[i]; lag > most {
			s.Next, most = i, lag
		}
	}
	return nil
}

// step adds to tx the direction of the Frank-Wolfe step: a probability vector times the number of
// rewards in the round.
func (p *FWS) step() {
	s := &p.sequential
	mean, tied := s.Fit.Means(), false
	for i, v := range mean {
		tied = tied || i != s.Best && v == mean[s.Best]
	}
	if tied || isSquare(s.Pulls/len(s.Start)) {
		for _, i := range s.Start {
			p.tx[i] += s.Due() / float64(len(s.Start))
		}
		p.load()
		return
	}
	p.compete()
	if len(p.near) == 1 {
		p.add(floats.MaxIdx(p.slope[0]), s.Due())
		return
	}
	// The direction is towards the point z that maximises the smallest derivative along z - x. In
	// the matrix game -h'(z - x), where each row h is the gradient of one near f_j, the column
	// player minimises.
	game := mat.NewDense(len(p.near), s.K, nil)
	for r := range p.near {
		for k, v := range p.slope[r] {
			game.Set(r, k, p.f[r]-v)
		}
	}
	_, z, _ := design.Game(game)
	for k, w := range z {
		if w > 0 {
			p.add(k, w*s.Due())
		}
	}
}

func (p *FWS) add(arm int, w float64) {
	p.tx[arm] += w
	p.aim.Add(arm, w, 0)
}

func isSquare(n int) bool {
	r := int(math.Round(math.Sqrt(float64(n))))
	return r*r == n
}

// compete sets near to the items whose f_j are within r_t of the minimum, f to the values of f_j,
// and slope to the gradients.
func (p *FWS) compete() {
	s := &p.sequential
	t, mean, v := float64(s.Pulls), s.Fit.Means(), p.aim.Against(s.Best)
	value := func(j int) float64 {
		gap := (mean[s.Best] - mean[j] + s.Epsilon) / s.Sigma
		// V[j] is the variance of the difference between items Best and j with t x pulls.
		return gap * gap / (2 * t * v[j])
	}
	least := inf
	for j := range s.N {
		if j != s.Best {
			least = min(least, value(j))
		}
	}
	p.near, p.f = p.near[:0], p.f[:0]
	within := least + math.Pow(t+1, -.9)/float64(s.K)
	for j := range s.N {
		if j == s.Best {
			continue
		}
		fj := value(j)
		if !(fj < within) {
			continue
		}
		p.near, p.f = append(p.near, j), append(p.f, fj)
		if len(p.slope) < len(p.near) {
			p.slope = append(p.slope, make([]float64, s.K))
		}
		h := p.slope[len(p.near)-1]
		floats.SubTo(p.y, s.Item(s.Best), s.Item(j))
		p.aim.Covariances(h, p.y)
		for k, c := range h {
			h[k] = fj * t * c * c / v[j]
		}
	}
}
