package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
)

// LinGIFA is Linear Gap Index Focused Algorithm (Reda, Kaufmann and Delahaye-Duriez, "Top-m
// Identification for Linear Bandits", AISTATS 2021, Algorithm 1 with the rules of section 3.2).
//
// Question: the M best arms of a linear model, up to Epsilon. The LinFACT paper uses LinGIFA for
// question.AllEpsilonBest. For question.AllEpsilonBest, the answer is right if M is the number of
// arms within the question's Epsilon of the best. Fixed confidence.
//
// Assumptions: the means are linear in the features, and rewards are sub-Gaussian of scale
// Problem.Sigma. With Norm, ||theta|| is at most Norm. If the arms in places M and M + 1 are tied
// and Epsilon is 0, the run does not stop.
//
// Guarantee (Theorem 1): with probability at least 1 - Delta, no returned arm is worse than the
// M-th best by more than Epsilon. Theorem 1 requires Norm. The guarantee also holds without Norm
// and Reg: least squares is then not regularised, and widths are those of [SelfNormalized]. The
// guarantee does not hold with [Heuristic], the choice in the paper's experiments.
//
// Deviations from the paper: without Reg, the run starts with one pull of each arm. With Reg, the
// prior is N(0, sigma^2/Reg I) and there are no initial pulls, as in the paper, whose experiments
// have Reg = (sigma/20)^2. The width uses the determinant, which the paper bounds by the trace.
// Ties are broken in favor of the lowest index. The answer has no reasons, because it is certified
// relative to M.
//
// The index of an arm j is the M-th largest upper bound on the lead of another arm over j. J is the
// set of the M arms with the smallest indices. The arm b has the largest index in J, and c is the
// arm outside J that may be furthest ahead of b. The policy stops if b's index is at most Epsilon.
// If the index of b exceeds Epsilon, the policy pulls the arm of b and c with the larger variance.
// Each round costs O(K^2) for small M, at most O(K^2 M), and allocates no memory.
type LinGIFA struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// M is the number of arms to return, from 1 to K, and is required.
	M int `label:"!m = %d"`
	// Epsilon is the largest amount by which a returned arm may be worse than the M-th best.
	Epsilon float64 `in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold is the stopping threshold; nil means SelfNormalized{}, or with Norm the bound of
	// Abbasi-Yadkori, Pal and Szepesvari for ridge regression.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Norm is a bound on the Euclidean norm of theta, in reward units per feature unit; zero means
	// that no bound is known.
	Norm float64 `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	// Reg is the weight of ||theta||^2 in least squares; zero means 1 if Norm is set, and no
	// regularisation otherwise. Without Norm, Reg must be 0 unless a Threshold without a theorem is
	// set.
	Reg float64 `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	// Select is the rule for the arm to pull.
	Select TopMSelection `label:"|largest variance|greedy|optimised ratio" in:"[0,3]" want:"TopMDefault, TopMVariance, TopMGreedy or TopMRatio"`
	// Individual compares two arms by the sum of their half-widths instead of the half-width of
	// their difference.
	Individual bool `label:"individual widths"`

	topM
}

// Card implements explore.Describer.
func (p *LinGIFA) Card() explore.Card { return p.settings().card("Algorithm 1") }

// String returns the name of the policy with its settings.
func (p *LinGIFA) String() string { return named("LinGIFA", p) }

func (p *LinGIFA) settings() topMSettings {
	return topMSettings{name: "LinGIFA", called: "LinGIFA", delta: p.Delta, m: p.M,
		epsilon: p.Epsilon, threshold: p.Threshold, norm: p.Norm, reg: p.Reg, selection: p.Select,
		individual: p.Individual}
}

// Init implements explore.Policy.
func (p *LinGIFA) Init(prob *explore.Problem, _ rand.Source) error {
	err := p.init(p, prob, p.settings())
	if err == nil && p.belief.Solved {
		p.widths()
		err = p.pick()
	}
	return err
}

// Tell implements explore.Policy.
func (p *LinGIFA) Tell(obs []explore.Batch) error {
	if err := p.tell(obs); err != nil {
		return err
	}
	return p.pick()
}

// pick computes the indices, and then stops the run or selects the next arm.
func (p *LinGIFA) pick() error {
	t := &p.topM
	mean, k, m := t.belief.Mean, t.belief.K, t.set.m
	for j := range k {
		// top holds the m largest of mean_i + half_ij over i other than j, in descending order.
		half, n := t.half[j*k:][:k], 0
		for i, v := range mean {
			if v += half[i]; i == j || n == m && v <= t.top[m-1] {
				continue
			}
			q := min(n, m-1)
			for ; q > 0 && t.top[q-1] < v; q-- {
				t.top[q] = t.top[q-1]
			}
			t.top[q] = v
			n = min(n+1, m)
		}
		t.index[j] = t.top[m-1] - mean[j]
	}
	t.put(func(i int) float64 { return t.index[i] })
	b := t.order[0]
	for _, j := range t.order[:m] {
		if t.index[j] > t.index[b] {
			b = j
		}
	}
	if t.over = t.index[b] <= p.Epsilon; !t.over {
		c, _ := t.rival(b)
		return t.choose(b, c, TopMVariance)
	}
	return nil
}

// MLinGapE is m-LinGapE, LinGapE for the top m arms (Reda, Kaufmann and Delahaye-Duriez, "Top-m
// Identification for Linear Bandits", AISTATS 2021, Algorithm 2).
//
// Question: the M best arms of a linear model, up to Epsilon; see [LinGIFA]. Fixed confidence.
//
// Assumptions: the assumptions of LinGIFA.
//
// Guarantee (Theorem 1): with probability at least 1 - Delta, no returned arm is worse than the
// M-th best by more than Epsilon. The guarantee does not hold with the threshold [Heuristic].
//
// Deviations from the paper: without Norm and Reg, least squares is not regularised. The width uses
// the determinant, which the paper bounds by the trace. The pair b, c is chosen from the new
// rewards before the test; one public version instead tests the previous pair. Ties are broken in
// favor of the lowest index. The answer of MLinGapE has no reasons.
//
// The run starts with one reward of each arm. J is the set of the M arms with the largest
// estimates. Of all pairs b in J and c outside J, a round takes the pair in which c may be furthest
// ahead of b. The policy stops if the lead of c is at most Epsilon. If the lead of c exceeds
// Epsilon, the policy pulls the arm that most reduces the variance of the difference (the greedy
// rule). With TopMRatio, the policy uses the optimised rule. Each round costs O(K^2) and allocates
// no memory. TopMRatio adds one linear program for each new pair b, c.
type MLinGapE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// M is the number of arms to return, from 1 to K, and is required.
	M int `label:"!m = %d"`
	// Epsilon is the largest amount by which a returned arm may be worse than the M-th best.
	Epsilon float64 `in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold, Norm, Reg and Select have the same meaning as the fields of LinGIFA.
	Threshold Threshold     `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	Norm      float64       `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	Reg       float64       `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	Select    TopMSelection `label:"|largest variance|greedy|optimised ratio" in:"[0,3]" want:"TopMDefault, TopMVariance, TopMGreedy or TopMRatio"`

	topM
}

// Card implements explore.Describer.
func (p *MLinGapE) Card() explore.Card { return p.settings().card("Algorithm 2") }

// String returns the name of the policy with its settings.
func (p *MLinGapE) String() string { return named("m-LinGapE", p) }

func (p *MLinGapE) settings() topMSettings {
	return topMSettings{name: "MLinGapE", called: "m-LinGapE", delta: p.Delta, m: p.M,
		epsilon: p.Epsilon, threshold: p.Threshold, norm: p.Norm, reg: p.Reg, selection: p.Select,
		pulled: true}
}

// Init implements explore.Policy.
func (p *MLinGapE) Init(prob *explore.Problem, _ rand.Source) error {
	return p.init(p, prob, p.settings())
}

// Tell implements explore.Policy.
func (p *MLinGapE) Tell(obs []explore.Batch) error {
	t := &p.topM
	if err := t.tell(obs); err != nil {
		return err
	}
	t.put(func(i int) float64 { return -t.belief.Mean[i] })
	b, c, most := -1, -1, -inf
	for _, j := range t.order[:t.set.m] {
		if i, v := t.rival(j); v > most {
			b, c, most = j, i, v
		}
	}
	if t.over = most <= p.Epsilon; !t.over {
		return t.choose(b, c, TopMGreedy)
	}
	return nil
}
